#include "engine/run/measure/memory_check.h"

#include <algorithm>

#include "engine/model/shapes.h"
#include "engine/plan/memory_need.h"
#include "engine/plan/rows.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/simulator.h"
#include "engine/run/device/worker_pool.h"

namespace stagelane::run {
namespace {

bool anyBudget(const plan::Experiment& experiment, const std::vector<DeviceId>& rows) {
  return std::any_of(rows.begin(), rows.end(), [&](const DeviceId& device) {
    return plan::memoryLimit(experiment, device).has_value();
  });
}

/// Additional memory of a micro-batch from the simulator, per row.
struct Peaks {
  std::vector<int> liveMicroBatches;
  std::vector<Bytes> loss;  ///< increase of the peak by the outputs and their loss
};

Result<Peaks> peaksOf(const plan::Experiment& experiment, const plan::Variant& variant,
                      const schedule::LoweredSchedule& lowered) {
  STAGELANE_TRY(costs, predict::estimateCosts(experiment, variant));
  STAGELANE_TRY(simulation, predict::simulate(lowered, *costs));
  for (auto& stage : costs->stage) {
    for (predict::StageCost& cost : stage) cost.outputBytes = cost.lossBytes = 0;
  }
  STAGELANE_TRY(without, predict::simulate(lowered, *costs));
  Peaks peaks{simulation->peakLiveMicroBatches, {}};
  for (std::size_t row = 0; row < simulation->peakBytes.size(); ++row) {
    peaks.loss.push_back(simulation->peakBytes[row] - without->peakBytes[row]);
  }
  return peaks;
}

std::vector<std::size_t> blocksOf(const plan::Variant& variant, const DeviceId& device) {
  std::vector<std::size_t> blocks;
  for (const plan::Stage& stage : variant.stages) {
    if (!stage.group.contains(device)) continue;
    for (std::size_t b = stage.firstBlock; b <= stage.lastBlock; ++b) blocks.push_back(b);
  }
  return blocks;
}

/// The peaks of the rows, if measured costs have the memory use of each action.
Result<std::optional<std::vector<Bytes>>> measuredPeaks(const plan::Experiment& experiment,
                                                        const plan::Variant& variant,
                                                        const schedule::LoweredSchedule& lowered,
                                                        const predict::CostTable* table) {
  if (!predict::covers(experiment, variant, table)) return std::nullopt;
  const auto costs = predict::planCosts(experiment, variant, table);
  // An incomplete table must not prevent the run.
  const bool known = costs && std::all_of(costs->stage.begin(), costs->stage.end(),
                                          [](const auto& row) { return row.front().bytes; });
  if (!known) return std::nullopt;
  STAGELANE_TRY(simulation, predict::simulate(lowered, *costs));
  return std::move(simulation->peakBytes);
}

Result<std::vector<Bytes>> estimatedNeeds(const plan::Experiment& experiment,
                                          const plan::Variant& variant,
                                          const schedule::LoweredSchedule& lowered,
                                          const std::vector<DeviceId>& rows) {
  STAGELANE_TRY(peaks, peaksOf(experiment, variant, lowered));
  STAGELANE_TRY(shapes,
                experiment.shapesAt(
                    plan::microBatchSizes(experiment.data.batchSize, variant.splitSize).front()));
  std::vector<Bytes> needs;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    needs.push_back(plan::memoryNeed(experiment, **shapes, blocksOf(variant, rows[row]),
                                     peaks->liveMicroBatches[row])
                        .total() +
                    peaks->loss[row]);
  }
  return needs;
}

}  // namespace

Result<std::optional<predict::OverBudget>> overBudget(const plan::Experiment& experiment,
                                                      const plan::Variant& variant,
                                                      const schedule::LoweredSchedule& lowered,
                                                      const predict::CostTable* costs) {
  const std::vector<DeviceId> rows = plan::rowsOf(variant);
  if (!anyBudget(experiment, rows)) return std::nullopt;
  STAGELANE_TRY(measured, measuredPeaks(experiment, variant, lowered, costs));
  STAGELANE_TRY(needs, *measured ? Result<std::vector<Bytes>>(**measured)
                                 : estimatedNeeds(experiment, variant, lowered, rows));
  return predict::overBudget(experiment, rows, *needs);
}

}  // namespace stagelane::run
