#include "engine/record/fastest.h"

namespace stagelane::record {

const VariantResult* fastestVariant(const RunResult& run,
                                    const std::function<bool(const VariantResult&)>& counts) {
  const VariantResult* fastest = nullptr;
  for (const VariantResult& variant : run.variants) {
    if (variant.seconds.empty() || (counts && !counts(variant))) {
      continue;
    }
    if (fastest == nullptr || variant.meanS < fastest->meanS) {
      fastest = &variant;
    }
  }
  return fastest;
}

}  // namespace stagelane::record
