#include "ui/plan/plan_model/failure_fixes.h"

#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "engine/record/run_record.h"
#include "engine/schedule/methods.h"
#include "ui/frame/banner_text.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/run/earlier_results.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

/// The document with the variant at `index` only.
Json alone(Json document, std::size_t index) {
  if (!document.is_object() || !document.contains("variants") || !document["variants"].is_array() ||
      index >= document["variants"].size()) {
    return {};
  }
  Json variant = std::move(document["variants"][index]);
  // Inclusion in Run does not change the plan.
  if (variant.is_object()) variant.erase("include");
  document["variants"] = Json::array({std::move(variant)});
  return document;
}

bool wasRunLikeThis(const Json& run, const Json& now, std::size_t index) {
  const Json wanted = alone(now, index);
  const std::size_t count =
      run.is_object() && run.contains("variants") ? run["variants"].size() : std::size_t{0};
  for (std::size_t at = 0; at < count; ++at) {
    if (!wanted.is_null() && alone(run, at) == wanted) return true;
  }
  return false;
}

PlanFix fix(const PlanQuestion& question, const QString& text, const char* member, Json value) {
  return {text,
          {},
          {},
          withVariantMember(*question.document, question.index, member, std::move(value))};
}

}  // namespace

std::optional<Failure> memoryFailureOf(const Session& session) {
  const RunResultPtr run = session.results().result();
  const auto ran = session.results().document();
  const VariantTab* tab = session.document().tab(session.selection().tabId());
  if (!run || !ran || tab == nullptr || session.runState().phase() != RunPhase::Idle ||
      run->status != record::RunStatus::Failed || !run->failure ||
      run->failure->kind != FailureKind::OutOfMemory ||
      failedVariant(*run) != session.selection().variantId()) {
    return std::nullopt;
  }
  return wasRunLikeThis(*ran, session.document().json(), tab->index) ? run->failure : std::nullopt;
}

PlanProblem problemOfFailure(const PlanQuestion& question) {
  PlanProblem problem{ProblemKind::Failed, {}, QObject::tr("out of memory"), {}};
  for (const plan::DeviceSpec& spec : question.experiment->devices) {
    if (spec.id == question.failure->device) problem.device = spec.id;
  }
  problem.text = QObject::tr("%1 ran out of memory in the last run of this plan")
                     .arg(problem.device.value.empty() ? QObject::tr("A device")
                                                       : qstring(problem.device.value));
  return problem;
}

std::optional<PlanFix> fixOfFailure(const PlanQuestion& question) {
  const plan::Variant* variant = question.variant;
  if (question.document == nullptr || variant == nullptr ||
      !plan::strategyRow(variant->strategy).pipelined) {
    return std::nullopt;
  }
  const Json& json = (*question.document)["variants"][question.index];
  const auto isList = [&json](const char* member) {
    return json.contains(member) && json[member].is_array();
  };
  if (isList("schedule") || isList("split_size") || isList("recompute")) return std::nullopt;
  const bool keepsAll = schedule::keepsOf(variant->schedule) == schedule::Keeps::All;
  if (keepsAll && variant->chunks == 1) {
    const std::string fewer(plan::pipelineStrategy().schedule);
    return fix(question,
               QObject::tr("Schedule %1: fewer micro-batches at a time").arg(qstring(fewer)),
               "schedule", fewer);
  }
  const bool recomputes = variant->recompute == plan::Recompute::Always;
  // If all are kept, smaller micro-batches need as much memory.
  if (variant->splitSize > 1 && (!keepsAll || recomputes)) {
    const std::int64_t half = variant->splitSize / 2;
    return fix(question, QObject::tr("Split size %1: smaller micro-batches").arg(half),
               "split_size", half);
  }
  if (!recomputes) {
    return fix(question, QObject::tr("Recompute always: activations are not kept"), "recompute",
               std::string(plan::word(plan::Recompute::Always)));
  }
  return std::nullopt;
}

}  // namespace stagelane::ui
