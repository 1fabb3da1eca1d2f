#include "engine/plan/strategies.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace stagelane::plan {
namespace {

/// In the order of the enumerators.
constexpr std::array kRows{
    StrategyRow{.strategy = Strategy::Single,
                .name = "single",
                .title = "single device",
                .description = "One device has the whole model",
                .available = true,
                .exported = true,
                .oneDevice = true,
                .splits = true,
                .schedule = "single",
                .baseline = Baseline::First},
    StrategyRow{.strategy = Strategy::ModelParallel,
                .name = "model_parallel",
                .title = "model parallel",
                .description = "The whole batch passes through the devices, one at a time",
                .available = true,
                .exported = true,
                .schedule = "model_parallel",
                .baseline = Baseline::WhenNone},
    StrategyRow{.strategy = Strategy::Pipeline,
                .name = "pipeline",
                .title = "pipeline",
                .description = "Micro-batches pass through the devices at the same time",
                .available = true,
                .exported = true,
                .splits = true,
                .pipelined = true,
                .schedule = "1f1b"},
    StrategyRow{.strategy = Strategy::DataParallel,
                .name = "data_parallel",
                .title = "data parallel",
                .description = "Each device has the whole model and a part of the batch",
                .available = true,
                .splits = true,
                .replicates = true,
                .schedule = "single"},
    StrategyRow{.strategy = Strategy::Ddp,
                .name = "ddp",
                .title = "distributed data parallel",
                .description = "A process for each device, which has the whole model and a part of "
                               "the batch",
                .splits = true,
                .replicates = true,
                .ownProcesses = true,
                .schedule = "single"},
    StrategyRow{.strategy = Strategy::Hogwild,
                .name = "hogwild",
                .title = "Hogwild",
                .description = "Processes train the same parameters without locks",
                .oneDevice = true,
                .ownProcesses = true,
                .asynchronous = true,
                .schedule = "single"},
    StrategyRow{.strategy = Strategy::Offload, .name = "offload"},
};

}  // namespace

std::span<const StrategyRow> strategies() { return kRows; }

const StrategyRow& strategyRow(Strategy strategy) {
  return kRows[static_cast<std::size_t>(strategy)];
}

const StrategyRow& strategyRow(std::string_view name) {
  static constexpr StrategyRow kNothing{};
  const auto found = std::find_if(kRows.begin(), kRows.end(),
                                  [&](const StrategyRow& row) { return row.name == name; });
  return found == kRows.end() ? kNothing : *found;
}

const StrategyRow& singleStrategy() { return strategyRow(Strategy::Single); }
const StrategyRow& wholeBatchStrategy() { return strategyRow(Strategy::ModelParallel); }
const StrategyRow& pipelineStrategy() { return strategyRow(Strategy::Pipeline); }

std::vector<std::string> strategyNames(bool StrategyRow::*property, bool has) {
  std::vector<std::string> names;
  for (const StrategyRow& row : kRows) {
    if (row.*property == has) names.emplace_back(row.name);
  }
  return names;
}

std::string inWords(const std::vector<std::string>& names, std::string_view last) {
  const std::string text = joined(names);
  const std::size_t comma = text.rfind(", ");
  return comma == std::string::npos ? text
                                    : text.substr(0, comma).append(last) + text.substr(comma + 2);
}

}  // namespace stagelane::plan
