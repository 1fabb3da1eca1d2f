#include "ui/session/run/run_words.h"

#include <QRegularExpression>

#include "engine/record/left_out.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"

namespace stagelane::ui {
namespace {

/// As the tab, or the run itself, calls the variant.
QString nameOf(const Session& session, const QString& id) {
  const VariantTab* tab = session.document().tabOfVariant(id);
  if (tab != nullptr && !tab->sweep()) return shownName(tab->name);
  const record::VariantResult* result = session.resultOf(id);
  return result != nullptr && !result->name.empty() ? shownName(result->name) : id;
}

/// Of the run under way.
int variantsThatRun(const Session& session) {
  return session.result() ? record::includedVariants(*session.result()) : 1;
}

}  // namespace

QString turnText(const Session& session) {
  if (const SweepViewPtr sweep = session.sweep().view();
      sweep && sweep->state == SweepState::Running) {
    return QStringLiteral("sweep, %1").arg(sweepProgressText(*sweep));
  }
  const RunProgress& progress = session.progress();
  if (progress.variantId.isEmpty()) return {};
  const QString name = nameOf(session, progress.variantId);
  if (progress.checksGradients) return QStringLiteral("checking the gradients of %1").arg(name);
  if (progress.of <= 0 || progress.repeat <= 0) return QStringLiteral("%1, warm-up").arg(name);
  const QString repeat = QStringLiteral("repeat %1 of %2").arg(progress.repeat).arg(progress.of);
  // Variants take turns: whose turn it is has changed before it is read.
  const int variants = variantsThatRun(session);
  return variants > 1 ? QStringLiteral("%1, %2 variants").arg(repeat).arg(variants)
                      : QStringLiteral("%1, %2").arg(name, repeat);
}

QString repeatsDoneText(const record::VariantResult& variant, int asked) {
  const auto count = static_cast<int>(variant.seconds.size());
  return count < asked ? QStringLiteral("%1 of %2").arg(count).arg(asked) : QString::number(count);
}

QString statusText(record::RunStatus status) {
  return qstring(record::word(status)).replace(QChar(u'_'), QChar(u' '));
}

bool isLeftOutEarly(const QString& reason) {
  return reason.startsWith(QStringLiteral("early_stop"));
}

QString reasonText(const QString& reason) {
  if (!isLeftOutEarly(reason)) return reason;
  static const QRegularExpression kMeasured(
      QStringLiteral("^early_stop after (\\d+) repeats: (\\S+) s against (\\S+) s of (.+)$"));
  static const QRegularExpression kPredicted(
      QStringLiteral("^early_stop: predicted (\\S+) s a step against (\\S+) s of (.+)$"));
  if (const auto told = kMeasured.match(reason); told.hasMatch()) {
    return QStringLiteral("left out early: %1 in %2 repeats against %3 of %4")
        .arg(secondsText(told.captured(2).toDouble()), told.captured(1),
             secondsText(told.captured(3).toDouble()), told.captured(4));
  }
  if (const auto told = kPredicted.match(reason); told.hasMatch()) {
    return QStringLiteral("left out early: predicted %1 a step against %2 of %3")
        .arg(secondsText(told.captured(1).toDouble()), secondsText(told.captured(2).toDouble()),
             told.captured(3));
  }
  return QStringLiteral("left out early");
}

QString endText(const record::VariantResult& variant) {
  const QString status = statusText(variant.status);
  const QString reason = reasonText(qstring(variant.reason).trimmed());
  if (reason.isEmpty()) return status;
  if (isLeftOutEarly(qstring(variant.reason))) return reason;
  return reason.startsWith(status) ? reason : status + QStringLiteral(": ") + reason;
}

}  // namespace stagelane::ui
