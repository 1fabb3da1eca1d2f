#include "engine/run/calibrate/rank_plan.h"

#include <map>
#include <set>

#include "engine/base/find.h"
#include "engine/plan/rank_layout.h"
#include "engine/plan/rows.h"

namespace stagelane::run {

Result<RankPlan> planBetweenRanks(const plan::Experiment& experiment, int ranks, bool dealt) {
  using Devices = std::set<std::pair<std::string, std::string>>;
  std::map<std::pair<int, int>, Devices> links;
  RankPlan plan;
  for (const plan::Variant& variant : experiment.variants) {
    if (!variant.include) continue;
    const std::vector<DeviceId> rows = plan::rowsOf(variant);
    STAGELANE_TRY(ranksOfRows, plan::ranksOfRows(experiment, variant, ranks, dealt));
    if (plan::strategyRow(variant.strategy).ownProcesses) {
      const bool sums = plan::strategyRow(variant.strategy).replicates && ranksOfRows->size() > 1;
      if (sums && !contains(plan.summing, *ranksOfRows)) plan.summing.push_back(*ranksOfRows);
      continue;
    }
    for (std::size_t from = 0; from < rows.size(); ++from) {
      for (std::size_t to = 0; to < rows.size(); ++to) {
        const std::pair between{(*ranksOfRows)[from], (*ranksOfRows)[to]};
        if (between.first == between.second) continue;
        links[between].emplace(rows[from].value, rows[to].value);
      }
    }
  }
  for (const auto& [between, devices] : links) {
    RankLinkPlan link{between.first, between.second, {}};
    for (const auto& [from, to] : devices) link.devices.emplace_back(DeviceId{from}, DeviceId{to});
    plan.links.push_back(std::move(link));
  }
  return plan;
}

}  // namespace stagelane::run
