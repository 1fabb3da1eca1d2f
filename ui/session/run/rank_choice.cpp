#include "ui/session/run/rank_choice.h"

#include <algorithm>

#include "engine/base/find.h"
#include "engine/plan/rank_layout.h"
#include "engine/plan/rows.h"

namespace stagelane::ui {
namespace {

/// Whether the engine deals the devices of the variant to ranks.
bool isDealt(const plan::Variant& variant) {
  const plan::StrategyRow& row = plan::strategyRow(variant.strategy);
  return variant.include && !row.oneDevice && !row.replicates && plan::rowsOf(variant).size() > 1;
}

}  // namespace

std::vector<int> rankCounts(const plan::Experiment& experiment) {
  std::vector<int> counts;
  if (std::none_of(experiment.variants.begin(), experiment.variants.end(), isDealt)) return counts;
  const auto devices = static_cast<int>(experiment.devices.size());
  for (int ranks = std::max(2, plan::ranksNeeded(experiment)); ranks <= devices; ++ranks) {
    counts.push_back(ranks);
  }
  return counts;
}

int ranksToAsk(const plan::Experiment& experiment, int wanted) {
  return contains(rankCounts(experiment), wanted) ? wanted : 0;
}

}  // namespace stagelane::ui
