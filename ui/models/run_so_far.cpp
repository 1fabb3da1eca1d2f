#include "ui/models/run_so_far.h"

#include <algorithm>

#include "engine/plan/baselines.h"
#include "engine/plan/experiment.h"
#include "engine/record/fastest.h"

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
    if (variant.medianS <= 0.0) continue;
    variant.speedup = base.medianS / variant.medianS;
    variant.speedupBase = base.id;
  }
  return filled;
}

int repeatsAsked(const Json* experiment) {
  if (experiment == nullptr || !experiment->is_object()) return 0;
  const auto repeat = experiment->find("repeat");
  return repeat != experiment->end() && repeat->is_number_integer()
             ? repeat->get<int>()
             : static_cast<int>(plan::Experiment{}.repeat);
}

bool isCutShort(const VariantResult& variant, int asked) {
  return variant.status != record::RunStatus::Running && !variant.seconds.empty() &&
         static_cast<int>(variant.seconds.size()) < asked;
}

const VariantResult* fastestWhole(const record::RunResult& run, int asked) {
  const VariantResult* whole = record::fastestVariant(
      run, [asked](const VariantResult& variant) { return !isCutShort(variant, asked); });
  return whole != nullptr ? whole : record::fastestVariant(run);
}

}  // namespace stagelane::ui
