#include "engine/run/proof/gradient_checks.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "engine/run/device/allocator.h"

namespace stagelane::run {
namespace {

/// Variants with the same key need only one check.
std::string proofKey(const VariantRun& run) {
  std::string key = run.result.strategy + " " + run.variant->schedule + " " +
                    std::to_string(run.variant->splitSize) + " " +
                    std::string(word(run.variant->recompute)) + " " +
                    std::to_string(run.variant->threads);
  for (const plan::Stage& stage : run.variant->stages) {
    key += " " + std::to_string(stage.firstBlock) + ":" + stage.group.text();
  }
  return key;
}

std::string mismatchText(const VariantRun& run, const GradientVerdict& verdict) {
  char error[32];
  std::snprintf(error, sizeof(error), "%.2e", verdict.result.maxRelError);
  const bool infer = run.result.outputCheck.has_value();
  return std::string(infer ? "output" : "gradient") + " check failed for variant '" +
         run.variant->id + "': " + verdict.worst + " differs from " + verdict.result.reference +
         " (max relative error " + error + ")";
}

}  // namespace

Status GradientChecks::run() {
  STAGELANE_TRY(ordered, toCheck());
  std::map<std::string, VariantRun*> proven;
  for (const Ordered& each : *ordered) {
    VariantRun*& same = proven[proofKey(*each.run)];
    if (same != nullptr) {
      each.run->result.gradientCheck = same->result.gradientCheck;
      each.run->result.outputCheck = same->result.outputCheck;
      STAGELANE_CHECK(say("variant_done", record::variantDoneMembers(each.run->result)));
      continue;
    }
    same = each.run;
    const Status status = checkOne(*each.run);
    if (!status || m_lent.control.canceled()) return status;
  }
  return {};
}

/// Sorted so that consecutive variants share their reference.
Result<std::vector<GradientChecks::Ordered>> GradientChecks::toCheck() {
  std::vector<Ordered> ordered;
  for (VariantRun& run : m_lent.runs) {
    if (run.result.status != record::RunStatus::Done || run.variant->implicit ||
        run.asynchronous() || passedBefore(run.result)) {
      continue;
    }
    STAGELANE_TRY(check, checkOf(run));
    ordered.push_back({GradientChecker::referenceKey(*check), &run});
  }
  std::stable_sort(ordered.begin(), ordered.end(), [](const Ordered& a, const Ordered& b) {
    return a.referenceKey < b.referenceKey;
  });
  return ordered;
}

Status GradientChecks::checkOne(VariantRun& run) {
  m_current = &run;
  STAGELANE_CHECK(say("progress", {{"variant", run.variant->id},
                                   {"repeat", m_lent.experiment.repeat},
                                   {"of", m_lent.experiment.repeat},
                                   {"eta_s", 0.0},
                                   {"phase", "gradients"}}));
  STAGELANE_TRY(check, checkOf(run));
  // Cached blocks of other variants' sizes would exhaust the machine's memory.
  releaseCachedBlocks();
  m_control = m_lent.control.forAnotherPart();
  const auto verdict = m_checker.check(*check, *m_control);
  if (!verdict && verdict.error().code == ErrorCode::OutOfMemory) {
    return say("warning", {{"code", "gradient_check_skipped"},
                           {"message", "variant '" + run.variant->id +
                                           "' was not checked: " + verdict.error().message}});
  }
  STAGELANE_CHECK(verdict);
  return *verdict ? tell(run, **verdict) : Status{};
}

Status GradientChecks::tell(VariantRun& run, const GradientVerdict& verdict) {
  const bool infer = m_lent.experiment.task == plan::Task::Infer;
  (infer ? run.result.outputCheck : run.result.gradientCheck) = verdict.result;
  const Status said = say("variant_done", record::variantDoneMembers(run.result));
  if (!said || verdict.passed) return said;
  m_mismatches.push_back({ErrorCode::GradientMismatch,
                          mismatchText(run, verdict),
                          "",
                          "measurements are kept; do not trust this variant's training",
                          {FailureKind::GradientsDiffer, run.variant->id}});
  return say("warning", {{"code", "gradient_mismatch"}, {"message", m_mismatches.back().message}});
}

Result<GradientCheck> GradientChecks::checkOf(VariantRun& run) {
  GradientCheck check;
  check.plan = run.stepPlan(m_lent.experiment);
  check.plan.options = m_lent.options;
  check.addsInAnyOrder = run.remote && plan::strategyRow(run.variant->strategy).ownProcesses;
  STAGELANE_TRY(place, placeReference(m_lent.experiment, run, m_lent.runs, m_lent.pool));
  check.parts = std::move(place->parts);
  check.referenceName = std::move(place->name);
  return check;
}

}  // namespace stagelane::run
