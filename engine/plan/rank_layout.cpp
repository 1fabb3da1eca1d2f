#include "engine/plan/rank_layout.h"

#include <algorithm>
#include <string>

#include "engine/plan/hosts.h"
#include "engine/plan/rows.h"

namespace stagelane::plan {
namespace {

int rankInName(const DeviceId& id) {
  const auto parsed = parseDevice(id);
  return parsed ? parsed->rank : 0;
}

/// The rank of the device at `index` of `count`, dealt to `ranks` in consecutive parts.
int dealtRank(std::size_t index, std::size_t count, int ranks) {
  const auto parts = static_cast<std::size_t>(ranks);
  const std::size_t least = count / parts;
  const std::size_t larger = count % parts;  // parts with one more
  const std::size_t inLarger = larger * (least + 1);
  if (index < inLarger) return static_cast<int>(index / (least + 1));
  return static_cast<int>(larger + (index - inLarger) / std::max<std::size_t>(least, 1));
}

std::string place(const Variant& variant) {
  return variant.pointer.empty() ? "/variants" : variant.pointer;
}

}  // namespace

int ranksNeeded(const Experiment& experiment) {
  int ranks = 1;
  for (const Variant& variant : experiment.variants) {
    if (!variant.include) continue;
    const StrategyRow& row = strategyRow(variant.strategy);
    const std::vector<DeviceId> rows = rowsOf(variant);
    for (const DeviceId& device : rows) ranks = std::max(ranks, rankInName(device) + 1);
    if (row.ownProcesses && !row.asynchronous) {
      ranks = std::max(ranks, static_cast<int>(rows.size()));
    }
  }
  return ranks;
}

Result<std::vector<int>> ranksOfRows(const Experiment& experiment, const Variant& variant,
                                     int ranks, bool dealt) {
  const StrategyRow& strategy = strategyRow(variant.strategy);
  const std::vector<DeviceId> rows = rowsOf(variant);
  const std::vector<DeviceSpec>& devices = experiment.devices;
  std::vector<int> answer;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    int rank = 0;
    if (namesRank(rows[row])) {
      rank = rankInName(rows[row]);
    } else if (strategy.ownProcesses && !strategy.asynchronous) {
      rank = static_cast<int>(row);
    } else if (dealt && !strategy.replicates && !strategy.oneDevice) {
      const auto found = std::find_if(devices.begin(), devices.end(),
                                      [&](const DeviceSpec& spec) { return spec.id == rows[row]; });
      rank = dealtRank(static_cast<std::size_t>(found - devices.begin()), devices.size(), ranks);
    }
    if (rank >= ranks) {
      return fail(ErrorCode::Invalid,
                  "the variant \"" + variant.name + "\" has " + rows[row].value + " on rank " +
                      std::to_string(rank) + ", but the run has " + std::to_string(ranks) +
                      (ranks == 1 ? " process" : " processes"),
                  place(variant), "Start more processes, or list fewer devices");
    }
    if (strategy.ownProcesses && std::find(answer.begin(), answer.end(), rank) != answer.end()) {
      return fail(ErrorCode::Invalid,
                  "the strategy " + std::string(strategy.name) +
                      " has a process for each device, but two devices are on rank " +
                      std::to_string(rank),
                  place(variant), "List each rank once");
    }
    answer.push_back(rank);
  }
  return answer;
}

bool spansRanks(const std::vector<int>& ranksOfRows) {
  return std::any_of(ranksOfRows.begin(), ranksOfRows.end(), [](int rank) { return rank != 0; });
}

}  // namespace stagelane::plan
