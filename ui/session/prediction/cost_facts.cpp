#include "ui/session/prediction/cost_facts.h"

#include <QObject>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

double numberAt(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_number() ? found->get<double>()
                                                                           : 0.0;
}

/// "21 Nov 09:12", "" if unknown.
QString dateText(const QDateTime& time) { return time.toString(u"d MMM HH:mm"_s); }

QString withDate(const QString& word, const CostFacts& facts) {
  const QString date = dateText(facts.measuredAt);
  return date.isEmpty() ? word : word + QChar(u' ') + date;
}

BasisWords calibrated(const CostFacts& facts) {
  QString text = withDate(QObject::tr("Calibrated"), facts);
  if (facts.spread > 0.0) text += QObject::tr(" · spread %1").arg(percentText(facts.spread, 1));
  if (facts.noisy()) {
    return {QObject::tr("Calibrated, noisy"), text + QObject::tr(", noisy"),
            QObject::tr("Block times varied between calibration passes: another program used "
                        "the machine. Recalibrate while the machine is idle."),
            true};
  }
  return {QObject::tr("Calibrated"), text,
          QObject::tr("Predicted from block times calibrated on this machine. Recalibrate after "
                      "any change to its speed.")};
}

BasisWords stale(const CostFacts& facts) {
  const QString why = facts.differences.isEmpty() ? QObject::tr("another machine or LibTorch")
                                                  : facts.differences.join(u"; "_s);
  return {
      QObject::tr("Stale"), QObject::tr("Stale calibration: ") + why,
      QObject::tr("The blocks were calibrated %1in another configuration: %2. Recalibrate "
                  "to measure them again.")
          .arg(facts.measuredAt.isValid() ? dateText(facts.measuredAt) + u", "_s : QString(), why)};
}

BasisWords estimate(const CostFacts& facts) {
  const QString brief = QObject::tr("≈ Estimate");
  if (!facts.lacks.isEmpty()) {
    return {brief, QObject::tr("≈ Estimate: %1 is not calibrated").arg(facts.lacks),
            QObject::tr("The calibration%1 does not cover %2, so times are estimated from "
                        "multiply-accumulates and bytes. Calibrate to measure them.")
                .arg(withDate(QString(), facts), facts.lacks)};
  }
  return {brief, QObject::tr("≈ Estimate from FLOPs"),
          QObject::tr("Times are estimated from multiply-accumulates and bytes. Calibrate to "
                      "measure the blocks on this machine.")};
}

}  // namespace

CostFacts factsOf(const predict::CostTable& table) {
  CostFacts facts;
  const Json& origin = table.origin;
  const auto when = origin.is_object() ? origin.find("measured_at") : origin.end();
  if (origin.is_object() && when != origin.end() && when->is_string()) {
    facts.measuredAt =
        QDateTime::fromString(qstring(when->get<std::string>()), Qt::ISODate).toLocalTime();
  }
  facts.spread = numberAt(origin, "noise");
  return facts;
}

BasisWords wordsOf(predict::Basis basis, const CostFacts& facts) {
  switch (basis) {
    case predict::Basis::Estimate: return estimate(facts);
    case predict::Basis::Calibrated: return calibrated(facts);
    case predict::Basis::Stale: return stale(facts);
    case predict::Basis::File:
      return {QObject::tr("From a file"), QObject::tr("Costs from a file"),
              QObject::tr("Predicted from a cost file")};
    case predict::Basis::Measured:
      return {QObject::tr("Measured"), QObject::tr("Measured"),
              QObject::tr("Predicted from the action times of a run")};
  }
  return {};
}

QString approximately(predict::Basis basis) {
  return basis == predict::Basis::Estimate ? u"≈ "_s : QString();
}

}  // namespace stagelane::ui
