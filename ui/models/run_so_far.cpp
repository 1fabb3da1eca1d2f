#include "ui/models/run_so_far.h"

#include <algorithm>

#include "engine/plan/experiment.h"

namespace stagelane::ui {
namespace {

using record::VariantResult;

template <class Test>
const VariantResult* fastest(const record::RunResult& run, Test&& test) {
  const VariantResult* found = nullptr;
  for (const VariantResult& variant : run.variants) {
    if (variant.medianS <= 0.0 || !test(variant)) continue;
    if (found == nullptr || variant.medianS < found->medianS) found = &variant;
  }
  return found;
}

const VariantResult* baseOf(const record::RunResult& run) {
  const VariantResult* single = fastest(run, [](const VariantResult& variant) {
    return variant.strategy == "single" && variant.id != "single-all-cores";
  });
  return single != nullptr ? single : fastest(run, [](const VariantResult& variant) {
    return variant.strategy == "model_parallel";
  });
}

}  // namespace

RunResultPtr withSpeedupsSoFar(const RunResultPtr& run) {
  if (!run || std::any_of(run->variants.begin(), run->variants.end(),
                          [](const VariantResult& variant) { return variant.speedup; })) {
    return run;
  }
  const VariantResult* base = baseOf(*run);
  if (base == nullptr) return run;
  auto filled = std::make_shared<record::RunResult>(*run);
  for (VariantResult& variant : filled->variants) {
    if (variant.medianS <= 0.0) continue;
    variant.speedup = base->medianS / variant.medianS;
    variant.speedupBase = base->id;
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

}  // namespace stagelane::ui
