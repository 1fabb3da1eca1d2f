#include "engine/plan/baselines.h"

#include "engine/plan/strategies.h"

namespace stagelane::plan {
namespace {

constexpr std::string_view kBaselinePrefix = "baseline-mb";

std::optional<std::size_t> fastest(const std::vector<BaseCandidate>& candidates, Baseline baseline,
                                   const std::function<double(std::size_t)>& timeOf) {
  std::optional<std::size_t> found;
  double least = 0.0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool fits = strategyRow(candidates[i].strategy).baseline == baseline;
    if (!fits || candidates[i].id == kAllCoresId) continue;
    const double time = timeOf(i);
    if (time > 0.0 && (!found || time < least)) {
      found = i;
      least = time;
    }
  }
  return found;
}

}  // namespace

std::string baselineId(std::int64_t split) {
  return std::string(kBaselinePrefix) + std::to_string(split);
}

bool isImplicitId(std::string_view id) {
  if (id == kAllCoresId) return true;
  return id.size() > kBaselinePrefix.size() &&
         id.compare(0, kBaselinePrefix.size(), kBaselinePrefix) == 0 &&
         id.find_first_not_of("0123456789", kBaselinePrefix.size()) == std::string_view::npos;
}

std::optional<std::size_t> speedupBase(const std::vector<BaseCandidate>& candidates,
                                       const std::function<double(std::size_t)>& timeOf) {
  const auto single = fastest(candidates, Baseline::First, timeOf);
  return single ? single : fastest(candidates, Baseline::WhenNone, timeOf);
}

}  // namespace stagelane::plan
