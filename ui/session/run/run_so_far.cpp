#include "ui/session/run/run_so_far.h"

#include <algorithm>

#include "engine/plan/baselines.h"
#include "engine/plan/strategies.h"
#include "engine/record/left_out.h"

namespace stagelane::ui {
namespace {

using record::VariantResult;

std::optional<std::size_t> baseOf(const record::RunResult& run) {
  std::vector<plan::BaseCandidate> candidates;
  for (const VariantResult& variant : run.variants) {
    candidates.push_back({variant.id, variant.strategy});
  }
  return plan::speedupBase(candidates,
                           [&run](std::size_t index) { return run.variants[index].medianS; });
}

}  // namespace

RunResultPtr withSpeedupsSoFar(const RunResultPtr& run) {
  if (!run || std::any_of(run->variants.begin(), run->variants.end(),
                          [](const VariantResult& variant) { return variant.speedup; })) {
    return run;
  }
  const auto found = baseOf(*run);
  if (!found) return run;
  const VariantResult& base = run->variants[*found];
  auto filled = std::make_shared<record::RunResult>(*run);
  for (VariantResult& variant : filled->variants) {
    // Its repeats train another number of samples, which only its result says.
    const bool asynchronous = plan::strategyRow(variant.strategy).asynchronous;
    if (variant.medianS <= 0.0 || asynchronous) continue;
    variant.speedup = base.medianS / variant.medianS;
    variant.speedupBase = base.id;
  }
  return filled;
}

RunResultPtr pictured(const RunResultPtr& run) {
  const RunResultPtr filled = withSpeedupsSoFar(run);
  if (!filled || record::includedVariants(*filled) == static_cast<int>(filled->variants.size())) {
    return filled;
  }
  return std::make_shared<const record::RunResult>(record::withoutLeftOut(*filled));
}

}  // namespace stagelane::ui
