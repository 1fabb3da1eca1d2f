#include "ui/plan/variants/variant_badge.h"

#include <QObject>
#include <optional>

#include "engine/record/left_out.h"
#include "engine/record/run_record.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/schedule_choices.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_plan.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_words.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

VariantBadge impossible(const QString& why) {
  return {QObject::tr("Impossible"), Tone::Error, why};
}

/// Why the variant cannot run, according to the plan and its prediction.
std::optional<VariantBadge> impedimentOf(const Session& session, const QString& variantId) {
  const auto experiment = session.document().experiment();
  const plan::Variant* variant = experiment ? experiment->variantById(utf8(variantId)) : nullptr;
  if (const QString breach = variant != nullptr ? unsuited(*experiment, *variant) : QString();
      !breach.isEmpty()) {
    return impossible(breach);
  }
  if (session.predictor().stale()) return std::nullopt;
  const PlanPredictionPtr prediction = session.predictor().prediction();
  const bool predicted = prediction && prediction->variantId == utf8(variantId);
  if (predicted && !prediction->impediment().isEmpty() &&
      !measuredAsItIs(session.results(), session.document(), variantId)) {
    return VariantBadge{QObject::tr("Does not fit"), Tone::Error, prediction->impediment()};
  }
  if (const auto& error = session.predictor().error();
      error && variantId == session.selection().variantId()) {
    return impossible(errorText(*error));
  }
  return std::nullopt;
}

VariantBadge badgeOfDone(const record::VariantResult& result, bool asItIs) {
  const QString step = timeText(result.stepNs);
  if (!asItIs) {
    return {QObject::tr("Predicted"), Tone::Accent,
            QObject::tr("Changed since it was measured (%1 per step)").arg(step)};
  }
  return {QObject::tr("Measured"), Tone::Success, QObject::tr("%1 per step").arg(step)};
}

VariantBadge badgeOfNotRun(const record::VariantResult& result) {
  if (result.earlyStop) return {QObject::tr("Not run"), Tone::Neutral, reasonText(result)};
  const bool fits = !result.failure || result.failure->kind != FailureKind::DoesNotFit;
  return {fits ? QObject::tr("Not run") : QObject::tr("Does not fit"), Tone::Error,
          qstring(result.reason)};
}

}  // namespace

VariantBadge badgeOf(const Session& session, const VariantTab& tab) {
  if (tab.error) return impossible(errorText(*tab.error));
  const QString shown = tab.variantIds.contains(session.selection().variantId())
                            ? session.selection().variantId()
                            : tab.variantIds.value(0);
  if (auto impediment = impedimentOf(session, shown)) return *std::move(impediment);
  const record::VariantResult* result = session.results().of(shown);
  if (result == nullptr) {
    return {QObject::tr("Predicted"), Tone::Accent, QObject::tr("Not measured yet")};
  }
  if (record::isLeftOut(*result)) {
    return {QObject::tr("Predicted"), Tone::Accent, QObject::tr("Not included in the last run")};
  }
  const QString reason = qstring(result->reason);
  switch (result->status) {
    case record::RunStatus::Done:
      return badgeOfDone(*result, measuredAsItIs(session.results(), session.document(), shown));
    case record::RunStatus::Failed: return {QObject::tr("Failed"), Tone::Error, reason};
    case record::RunStatus::Canceled: return {QObject::tr("Canceled"), Tone::Warning, reason};
    case record::RunStatus::NotRun: return badgeOfNotRun(*result);
    case record::RunStatus::Running: break;
  }
  return {QObject::tr("Running"), Tone::Accent, QObject::tr("Measurement in progress")};
}

}  // namespace stagelane::ui
