#include "engine/search/resolve.h"

#include <optional>

#include "engine/plan/block_estimate.h"
#include "engine/plan/rows.h"
#include "engine/predict/block_costs.h"
#include "engine/search/partition.h"
#include "engine/search/placement.h"
#include "engine/search/synthesis.h"
#include "engine/search/variant_order.h"

namespace stagelane::search {
namespace {

/// Number of cuts that the search for a placement simulates.
constexpr double kCuts = 15.0;
/// Cost of choosing a layout for `auto`, in simulations of the layout.
constexpr double kPlaysOfLayout = 20.0;

/// The schedule used to compare cuts: one per layout, so that schedules are compared on the same
/// cut, and `auto` can choose among the layouts of all schedules.
std::string_view scheduleFor(const plan::WantedStages& wanted) {
  using schedule::StageLayout;
  if (wanted.chunks < 2) return schedule::cutsComparedBy(StageLayout::OnePerDevice);
  const bool folded = wanted.layout == StageLayout::V;
  return schedule::cutsComparedBy(folded ? StageLayout::V : StageLayout::Loop);
}

std::vector<int> rowsFor(const plan::Experiment& experiment, const plan::WantedStages& wanted) {
  return plan::devicesOfStages(wanted,
                               static_cast<int>(experiment.devices.size()) / wanted.replicas);
}

/// The replicas of the devices of these rows, as a variant with these stages has them.
std::vector<plan::DeviceGroup> groupsFor(const plan::Experiment& experiment,
                                         const std::vector<int>& rows, int replicas) {
  if (replicas < 2) return {};
  std::vector<plan::Stage> stages;
  for (const int row : rows) {
    stages.push_back({0, 0, experiment.devices[static_cast<std::size_t>(row)].id});
  }
  return plan::replicaGroups(experiment.devices, plan::rowsOf(stages), replicas);
}

/// Cuts the blocks of one run into `parts` stages on its device.
void appendParts(const plan::Stage& run, std::size_t parts, const std::vector<double>& costs,
                 std::vector<plan::Stage>& stages) {
  const auto first = costs.begin() + static_cast<std::ptrdiff_t>(run.firstBlock);
  const auto last = costs.begin() + static_cast<std::ptrdiff_t>(run.lastBlock) + 1;
  const std::vector<std::size_t> firsts =
      minBottleneckCut(std::vector<std::vector<double>>(parts, {first, last}));
  for (std::size_t part = 0; part < firsts.size(); ++part) {
    const std::size_t end =
        part + 1 < firsts.size() ? run.firstBlock + firsts[part + 1] - 1 : run.lastBlock;
    stages.push_back({run.firstBlock + firsts[part], end, run.group});
  }
}

double actionsOf(const plan::Experiment& experiment, std::int64_t samples, std::size_t stages) {
  const auto count = plan::microBatchSizes(experiment.data.batchSize, samples).size();
  return 2.0 * static_cast<double>(count) * static_cast<double>(stages);
}

std::size_t stageCount(const plan::Experiment& experiment, const plan::OpenStages& open,
                       const plan::WantedStages& wanted) {
  if (open.runs.empty()) return rowsFor(experiment, wanted).size();
  const auto devices = static_cast<int>(plan::rowsOf(open.runs).size());
  return plan::devicesOfStages(wanted, devices).size();
}

}  // namespace

StageSearch::StageSearch(const plan::Experiment& experiment, const predict::CostTable* table,
                         GoesOn goesOn)
    : m_experiment(experiment), m_table(table), m_goesOn(std::move(goesOn)) {}

/// Time of F and B (for inference F) of each block: measured, else estimated.
std::vector<double> StageSearch::timesOn(const plan::DeviceSpec& device,
                                         std::int64_t samples) const {
  const bool trains = m_experiment.task == plan::Task::Train;
  if (m_table != nullptr || !trains) {
    predict::BlockCostSource source(m_experiment, m_table);
    if (const auto blocks = source.blocks({device.id, 0}, samples)) {
      std::vector<double> times;
      for (const predict::BlockTimes& block : **blocks) {
        times.push_back(block.forward + (trains ? block.backward : 0.0));
      }
      return times;
    }
  }
  const auto shapes = m_experiment.shapesAt(samples);
  if (!shapes) return std::vector<double>(m_experiment.model->blocks.size(), 1.0);
  return plan::estimatedCosts(**shapes, device, m_experiment.threadsPerCpuWorker);
}

StageSearch::Stages StageSearch::cutByTime(const plan::OpenStages& open,
                                           const plan::WantedStages& wanted) const {
  const std::vector<int> rows = rowsFor(m_experiment, wanted);
  std::vector<std::vector<double>> costs;
  for (const int row : rows) {
    costs.push_back(timesOn(m_experiment.devices[static_cast<std::size_t>(row)], open.samples));
  }
  const std::vector<std::size_t> firsts = minBottleneckCut(costs);
  const std::size_t blocks = m_experiment.model->blocks.size();
  Stages stages;
  for (std::size_t part = 0; part < firsts.size(); ++part) {
    const std::size_t end = part + 1 < firsts.size() ? firsts[part + 1] : blocks;
    const auto row = static_cast<std::size_t>(rows[part]);
    stages.push_back({firsts[part], end - 1, m_experiment.devices[row].id});
  }
  return stages;
}

/// Considers links and memory and simulates the best cuts; else cuts by time alone.
StageSearch::Stages StageSearch::played(const plan::OpenStages& open,
                                        const plan::WantedStages& wanted) {
  std::vector<int> rows = rowsFor(m_experiment, wanted);
  if (!plan::strategyRow(open.strategy).pipelined || !wanted.fileRows.empty() ||
      rows.size() > m_experiment.model->blocks.size()) {
    return cutByTime(open, wanted);
  }
  PlacementTask task;
  task.experiment = &m_experiment;
  task.table = m_table;
  task.variant.strategy = open.strategy;
  task.variant.schedule = scheduleFor(wanted);
  task.variant.splitSize = open.samples;
  task.variant.recompute = open.recompute;
  task.goesOn = m_goesOn;
  std::string key = task.variant.schedule + "," + std::to_string(open.samples) + "," +
                    std::string(plan::word(open.recompute));
  for (const int row : rows) key += "," + std::to_string(row);
  task.variant.groups = groupsFor(m_experiment, rows, wanted.replicas);
  key += ",x" + std::to_string(wanted.replicas);
  task.rowOfStage = std::move(rows);
  const auto known = m_played.find(key);
  if (known != m_played.end()) return known->second;
  auto placement = place(task, PlacementMode::Optimal);
  Stages stages = placement ? std::move(placement->stages) : cutByTime(open, wanted);
  m_played.emplace(std::move(key), stages);
  return stages;
}

StageSearch::Stages StageSearch::split(const plan::OpenStages& open,
                                       const plan::WantedStages& wanted) const {
  const std::vector<std::size_t> counts = plan::stagesOfRuns(open.runs, wanted);
  if (counts.empty()) return open.runs;
  const std::vector<double> costs = timesOn(m_experiment.devices.front(), open.samples);
  Stages stages;
  for (std::size_t run = 0; run < open.runs.size(); ++run) {
    appendParts(open.runs[run], counts[run], costs, stages);
  }
  return stages;
}

StageSearch::Stages StageSearch::layOut(const plan::OpenStages& open,
                                        const plan::WantedStages& wanted) {
  return open.runs.empty() ? played(open, wanted) : split(open, wanted);
}

/// The layout with the shortest step; layouts that fit come first.
StageSearch::Stages StageSearch::fastest(const plan::Variant& variant,
                                         const std::vector<Stages>& layouts) {
  std::size_t best = 0;
  std::optional<predict::StepPrediction> least;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    plan::Variant one = variant;
    plan::setStages(*m_experiment.model, layouts[i], one);
    const auto step = predictStep(m_experiment, one,
                                  {.costs = m_table, .goesOn = m_goesOn, .effort = kQuickSearch});
    if (!step || (least && !predict::isBetter(*step, *least))) continue;
    least = *step;
    best = i;
  }
  return layouts[best];
}

std::vector<plan::Stage> StageSearch::find(const plan::Variant& variant) {
  if (!variant.open) return variant.stages;
  std::vector<Stages> layouts;
  for (const plan::WantedStages& wanted : variant.open->layouts) {
    layouts.push_back(layOut(*variant.open, wanted));
  }
  return layouts.size() == 1 ? layouts.front() : fastest(variant, layouts);
}

std::vector<plan::Stage> StageSearch::rough(const plan::Variant& variant) const {
  if (!variant.open) return variant.stages;
  const plan::OpenStages& open = *variant.open;
  const plan::WantedStages& wanted = open.layouts.front();
  return open.runs.empty() ? cutByTime(open, wanted) : split(open, wanted);
}

double searchWork(const plan::Experiment& experiment, const plan::Variant& variant) {
  if (!variant.open) return 0.0;
  const plan::OpenStages& open = *variant.open;
  const bool plays = open.runs.empty() && plan::strategyRow(open.strategy).pipelined;
  double work = 0.0;
  for (const plan::WantedStages& wanted : open.layouts) {
    const std::size_t stages = stageCount(experiment, open, wanted);
    if (plays) work += kCuts * actionsOf(experiment, open.samples, stages);
    if (open.layouts.size() > 1) {
      work += kPlaysOfLayout * actionsOf(experiment, variant.splitSize, stages);
    }
  }
  return work;
}

plan::Experiment resolveStages(plan::Experiment experiment, const predict::CostTable* table,
                               const GoesOn& goesOn) {
  StageSearch search(experiment, table, goesOn);
  for (plan::Variant& variant : experiment.variants) {
    if (!variant.open) continue;
    plan::setStages(*experiment.model, search.find(variant), variant);
    variant.open.reset();
  }
  return experiment;
}

Result<plan::Experiment> resolve(plan::Experiment experiment, const predict::CostTable* table,
                                 const GoesOn& goesOn) {
  experiment = resolveStages(std::move(experiment), table, goesOn);
  for (plan::Variant& variant : experiment.variants) {
    if (!variant.include || !plan::hasOpenOrder(variant)) continue;
    STAGELANE_TRY(ordered, withOrder(experiment, variant,
                                     {.costs = table, .goesOn = goesOn, .orEstimated = true}));
    variant = std::move(*ordered);
  }
  return experiment;
}

}  // namespace stagelane::search
