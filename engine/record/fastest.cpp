#include "engine/record/fastest.h"

#include "engine/plan/experiment.h"

namespace stagelane::record {

const VariantResult* fastestVariant(const RunResult& run,
                                    const std::function<bool(const VariantResult&)>& counts) {
  const VariantResult* fastest = nullptr;
  for (const VariantResult& variant : run.variants) {
    if (variant.seconds.empty() || (counts && !counts(variant))) continue;
    if (fastest == nullptr || variant.medianS < fastest->medianS) fastest = &variant;
  }
  return fastest;
}

int repeatsAsked(const Json* experiment) {
  if (experiment == nullptr || !experiment->is_object()) return 0;
  const auto repeat = experiment->find("repeat");
  return repeat != experiment->end() && repeat->is_number_integer()
             ? repeat->get<int>()
             : static_cast<int>(plan::Experiment{}.repeat);
}

bool isCutShort(const VariantResult& variant, int asked) {
  return variant.status != RunStatus::Running && !variant.seconds.empty() &&
         static_cast<int>(variant.seconds.size()) < asked;
}

const VariantResult* fastestWhole(const RunResult& run, int asked) {
  const VariantResult* whole = fastestVariant(
      run, [asked](const VariantResult& variant) { return !isCutShort(variant, asked); });
  return whole != nullptr ? whole : fastestVariant(run);
}

}  // namespace stagelane::record
