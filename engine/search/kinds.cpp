#include "engine/search/kinds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/text.h"
#include "engine/plan/best_device.h"
#include "engine/plan/rows.h"
#include "engine/plan/stage_layout.h"
#include "engine/predict/simulator.h"
#include "engine/schedule/methods.h"
#include "engine/search/placement.h"
#include "engine/search/suggestion.h"
#include "engine/search/variant_order.h"

namespace stagelane::search {
namespace {

/// Split sizes tried for each kind that splits, and cuts simulated for each.
constexpr std::size_t kSplitsOfKind = 6;
constexpr std::size_t kCutsOfKind = 3;
/// Single devices tried; of more, only the best one by estimates.
constexpr std::size_t kMostSingles = 8;
/// As that of the search that found the order.
constexpr double kOrderEffort = 0.3;

int share(double part) { return static_cast<int>(std::lround(100.0 * part)); }

/// Up to `count` of the sizes, evenly spaced, with the first and the last.
std::vector<std::int64_t> someOf(const std::vector<std::int64_t>& sizes, std::size_t count) {
  if (sizes.size() <= count) return sizes;
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < count; ++i) {
    some.push_back(sizes[i * (sizes.size() - 1) / (count - 1)]);
  }
  return some;
}

class KindSearch {
 public:
  explicit KindSearch(const KindsTask& task) : m_task(task), m_experiment(*task.experiment) {}
  Result<std::vector<KindPlan>> run();

 private:
  /// A strategy with a number of replicas: one of the kinds to try.
  struct Kind {
    const plan::StrategyRow* row;
    int replicas = 1;
  };
  [[nodiscard]] std::vector<Kind> kindsToTry() const;
  Status tryKind(const Kind& kind);
  /// Whether to go on with the split at `done` of `count` splits of the current kind.
  [[nodiscard]] bool goesOnWith(std::size_t done, std::size_t count) const;
  Status trySingle(const plan::StrategyRow& row);
  Status tryWhole(const plan::StrategyRow& row);
  Status tryReplicas(const plan::StrategyRow& row);
  Status tryPipelines(const plan::StrategyRow& row, int replicas);
  Status tryCut(const plan::StrategyRow& row, int replicas, std::int64_t split,
                const std::vector<plan::DeviceGroup>& groups);
  /// Keeps the plan if it is the best of its kind.
  void offer(const plan::Variant& variant, const predict::StepPrediction& step);
  Status add(const plan::Variant& variant);
  [[nodiscard]] Status describe(KindPlan& kind) const;
  [[nodiscard]] std::string reasonOf(const KindPlan& kind, const predict::PlayedPlan& plan) const;
  [[nodiscard]] std::vector<std::int64_t> splits(std::int64_t most) const;
  [[nodiscard]] std::size_t devices() const { return m_experiment.devices.size(); }
  [[nodiscard]] std::size_t blocks() const { return m_experiment.model->blocks.size(); }
  [[nodiscard]] std::int64_t batch() const { return m_experiment.data.batchSize; }
  [[nodiscard]] plan::Variant variantOf(const KindPlan& kind) const;

  const KindsTask& m_task;
  const plan::Experiment& m_experiment;
  std::vector<Kind> m_toTry;
  std::size_t m_tried = 0;  ///< kinds before the current one
  std::vector<KindPlan> m_kinds;
};

bool KindSearch::goesOnWith(std::size_t done, std::size_t count) const {
  if (!isWanted(m_task.goesOn)) return false;
  if (m_task.progress) {
    const double part = static_cast<double>(done) / static_cast<double>(std::max(count, done + 1));
    const Kind& kind = m_toTry[m_tried];
    m_task.progress({(static_cast<double>(m_tried) + part) / static_cast<double>(m_toTry.size()),
                     kind.row->strategy, kind.replicas});
  }
  return true;
}

std::vector<std::int64_t> KindSearch::splits(std::int64_t most) const {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t split : splitsToTry(batch())) {
    if (split < most && plan::checkSplit(m_experiment, split)) sizes.push_back(split);
  }
  if (plan::checkSplit(m_experiment, most)) sizes.push_back(most);
  return someOf(sizes, kSplitsOfKind);
}

plan::Variant KindSearch::variantOf(const KindPlan& kind) const {
  plan::Variant variant;
  variant.name = "suggestion";
  variant.strategy = kind.strategy;
  variant.schedule = kind.schedule;
  variant.splitSize = kind.splitSize;
  variant.stages = kind.stages;
  return variant;
}

void KindSearch::offer(const plan::Variant& variant, const predict::StepPrediction& step) {
  const plan::StrategyRow& row = plan::strategyRow(variant.strategy);
  const auto replicas = static_cast<int>(variant.stages.front().group.size());
  KindPlan kind{
      step, variant.strategy, variant.schedule, variant.splitSize, replicas, variant.stages, 0, 0,
      {}};
  // Replicas of the whole model are one kind, whatever their number.
  const auto known = std::find_if(m_kinds.begin(), m_kinds.end(), [&](const KindPlan& other) {
    return other.strategy == kind.strategy && (row.replicates || other.replicas == replicas);
  });
  if (known == m_kinds.end()) {
    m_kinds.push_back(std::move(kind));
  } else if (predict::isBetter(kind, *known)) {
    *known = std::move(kind);
  }
}

Status KindSearch::add(const plan::Variant& variant) {
  STAGELANE_TRY(step, predict::predictStep(m_experiment, variant, m_task.table));
  offer(variant, *step);
  return {};
}

Status KindSearch::trySingle(const plan::StrategyRow& row) {
  std::vector<DeviceId> tried;
  if (devices() <= kMostSingles && plan::devicesDiffer(m_experiment)) {
    for (const plan::DeviceSpec& device : m_experiment.devices) tried.push_back(device.id);
  } else {
    tried.push_back(plan::bestSingleDevice(m_experiment, batch(), plan::SingleDevices::Any));
  }
  const std::vector<std::int64_t> sizes = splits(batch());
  std::size_t done = 0;
  for (const DeviceId& device : tried) {
    for (const std::int64_t split : sizes) {
      if (!goesOnWith(done++, tried.size() * sizes.size())) return {};
      KindPlan kind;
      kind.strategy = row.strategy;
      kind.schedule = row.schedule;
      kind.splitSize = split;
      kind.stages = {{0, blocks() - 1, device}};
      STAGELANE_CHECK(add(variantOf(kind)));
    }
  }
  return {};
}

/// The whole batch on several devices, one at a time.
Status KindSearch::tryWhole(const plan::StrategyRow& row) {
  if (devices() < 2 || blocks() < 2 || !plan::checkSplit(m_experiment, batch())) return {};
  PlacementTask task;
  task.experiment = &m_experiment;
  task.table = m_task.table;
  task.variant.strategy = row.strategy;
  task.variant.schedule = row.schedule;
  task.variant.splitSize = batch();
  task.candidates = kCutsOfKind;
  task.goesOn = m_task.goesOn;
  STAGELANE_TRY(placement, place(task, PlacementMode::Optimal));
  task.variant.stages = placement->stages;
  offer(task.variant, *placement);
  return {};
}

/// The whole model on each device.
Status KindSearch::tryReplicas(const plan::StrategyRow& row) {
  const auto most = static_cast<std::int64_t>(devices());
  if (most < 2 || batch() < most) return {};
  std::vector<DeviceId> group;
  for (const plan::DeviceSpec& device : m_experiment.devices) group.push_back(device.id);
  const std::vector<std::int64_t> sizes = splits((batch() + most - 1) / most);
  std::size_t done = 0;
  for (const std::int64_t split : sizes) {
    if (!goesOnWith(done++, sizes.size())) return {};
    const auto parts = plan::microBatchSizes(batch(), split).size();
    KindPlan kind;
    kind.strategy = row.strategy;
    kind.schedule = row.schedule;
    kind.splitSize = split;
    const auto used = static_cast<std::ptrdiff_t>(std::min(parts, group.size()));
    kind.stages = {{0, blocks() - 1,
                    plan::DeviceGroup(std::vector<DeviceId>(group.begin(), group.begin() + used))}};
    STAGELANE_CHECK(add(variantOf(kind)));
  }
  return {};
}

Status KindSearch::tryCut(const plan::StrategyRow& row, int replicas, std::int64_t split,
                          const std::vector<plan::DeviceGroup>& groups) {
  PlacementTask task;
  task.experiment = &m_experiment;
  task.table = m_task.table;
  task.variant.strategy = row.strategy;
  task.variant.schedule = schedule::cutsComparedBy(schedule::StageLayout::OnePerDevice);
  task.variant.splitSize = split;
  task.variant.groups = groups;
  task.rowOfStage.resize(devices() / static_cast<std::size_t>(replicas));
  std::iota(task.rowOfStage.begin(), task.rowOfStage.end(), 0);
  task.candidates = kCutsOfKind;
  task.goesOn = m_task.goesOn;
  const auto placement = place(task, PlacementMode::Optimal);
  // An error: fewer micro-batches than replicas.
  if (!placement) return {};
  task.variant.stages = placement->stages;
  STAGELANE_TRY(best, bestSchedule(m_experiment, task.variant, m_task.table, m_task.goesOn));
  if (!*best) return {};
  task.variant.schedule = (*best)->schedule;
  offer(task.variant, **best);
  return {};
}

Status KindSearch::tryPipelines(const plan::StrategyRow& row, int replicas) {
  const std::size_t depth = devices() / static_cast<std::size_t>(replicas);
  if (depth < 2 || depth > blocks()) return {};
  std::vector<plan::DeviceGroup> groups;
  if (replicas > 1) {
    std::vector<DeviceId> first;
    for (std::size_t i = 0; i < depth; ++i) first.push_back(m_experiment.devices[i].id);
    groups = plan::replicaGroups(m_experiment.devices, first, replicas);
    if (groups.empty()) return {};
  }
  const std::int64_t most = batch() / replicas;
  if (most < 1) return {};
  const std::vector<std::int64_t> sizes = splits(most);
  std::size_t done = 0;
  for (const std::int64_t split : sizes) {
    if (!goesOnWith(done++, sizes.size())) return {};
    STAGELANE_CHECK(tryCut(row, replicas, split, groups));
  }
  return {};
}

std::vector<KindSearch::Kind> KindSearch::kindsToTry() const {
  const bool trains = m_experiment.task == plan::Task::Train;
  std::vector<Kind> kinds;
  for (const plan::StrategyRow& row : plan::strategies()) {
    if (!row.available || row.asynchronous || row.schedule.empty()) continue;
    if (row.replicates && !trains) continue;
    kinds.push_back({&row, 1});
    for (std::size_t replicas = 2; row.pipelined && trains && 2 * replicas <= devices();
         ++replicas) {
      if (devices() % replicas == 0) kinds.push_back({&row, static_cast<int>(replicas)});
    }
  }
  return kinds;
}

Status KindSearch::tryKind(const Kind& kind) {
  if (!goesOnWith(0, 1)) return {};
  if (kind.row->replicates) return tryReplicas(*kind.row);
  if (kind.row->oneDevice) return trySingle(*kind.row);
  return kind.row->pipelined ? tryPipelines(*kind.row, kind.replicas) : tryWhole(*kind.row);
}

std::string KindSearch::reasonOf(const KindPlan& kind, const predict::PlayedPlan& plan) const {
  const plan::StrategyRow& row = plan::strategyRow(kind.strategy);
  const std::vector<DeviceId> rows = plan::rowsOf(kind.stages);
  const auto over = predict::overBudget(m_experiment, rows, plan.simulation.peakBytes);
  if (over) {
    return (row.oneDevice || row.replicates ? "does not fit on one device: needs "
                                            : "does not fit: needs ") +
           humanBytes(over->needs) + ", has " + humanBytes(over->has) + " (" + over->device.value +
           ")";
  }
  const auto& busy = plan.simulation.busyNs;
  const double work = std::accumulate(busy.begin(), busy.end(), 0.0);
  const double whole = static_cast<double>(std::max<TimeNs>(1, kind.stepNs));
  const double idle = 1.0 - work / (whole * static_cast<double>(busy.size()));
  const TimeNs reduce = plan.costs.stage.front().front().reduce;
  const std::string sums =
      std::to_string(share(static_cast<double>(reduce) / whole)) + " % of the step";
  if (row.oneDevice) {
    return devices() > 1 ? "fits on one device, so nothing is moved; the other devices are idle"
                         : "fits on the device";
  }
  if (row.replicates) {
    const bool hides = plan.costs.allReduce && plan.costs.allReduce->hiddenPct > 0.0;
    return "fits on one device, so replicas have no bubble; summing their gradients takes " + sums +
           (hides ? ", and the backward hides " +
                        std::to_string(share(plan.costs.allReduce->hiddenPct / 100.0)) + " % of it"
                  : "");
  }
  const std::string each = std::to_string(rows.size()) + " devices, which are idle for " +
                           std::to_string(share(idle)) + " % of the step";
  if (!row.pipelined) return "the model is divided among " + each + ", because one works at a time";
  if (kind.replicas == 1) return "the model is divided among " + each;
  return std::to_string(kind.replicas) + " pipelines share the batch on " + each +
         "; summing the gradients of the first stage takes " + sums;
}

Status KindSearch::describe(KindPlan& kind) const {
  STAGELANE_TRY(ordered, withOrder(m_experiment, variantOf(kind),
                                   {.costs = m_task.table, .effort = kOrderEffort}));
  STAGELANE_TRY(plan, predict::playPlan(m_experiment, *ordered, m_task.table));
  const auto& peaks = plan->simulation.peakBytes;
  kind.peakBytes = *std::max_element(peaks.begin(), peaks.end());
  const std::vector<Bytes> moved = predict::transferBytes(plan->schedule, plan->costs);
  kind.bytesMoved = std::accumulate(moved.begin(), moved.end(), Bytes{0});
  kind.reason = reasonOf(kind, *plan);
  return {};
}

Result<std::vector<KindPlan>> KindSearch::run() {
  for (const KindPlan& known : m_task.known) offer(variantOf(known), known);
  m_toTry = kindsToTry();
  for (m_tried = 0; m_tried < m_toTry.size(); ++m_tried) STAGELANE_CHECK(tryKind(m_toTry[m_tried]));
  for (KindPlan& kind : m_kinds) STAGELANE_CHECK(describe(kind));
  std::stable_sort(m_kinds.begin(), m_kinds.end(), predict::isBetter);
  return std::move(m_kinds);
}

}  // namespace

Result<std::vector<KindPlan>> bestOfKinds(const KindsTask& task) { return KindSearch(task).run(); }

}  // namespace stagelane::search
