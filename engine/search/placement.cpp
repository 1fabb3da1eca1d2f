#include "engine/search/placement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/plan/accelerate_placement.h"
#include "engine/plan/rows.h"
#include "engine/plan/stage_layout.h"
#include "engine/predict/block_costs.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/simulator.h"
#include "engine/predict/variant_schedule.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/methods.h"
#include "engine/search/device_sets.h"
#include "engine/search/synthesis.h"
#include "engine/search/variant_order.h"

namespace stagelane::search {
namespace {

/// Sets of devices without some of the list that are simulated, and the cuts of each.
constexpr std::size_t kSetsPlayed = 4;
constexpr std::size_t kCutsOfSet = 4;

std::int64_t samplesOf(const PlacementTask& task) {
  return std::min(task.variant.splitSize, task.experiment->data.batchSize);
}
/// Number of micro-batches, of which each replica has its share.
std::int64_t microBatchesOf(const PlacementTask& task) {
  const std::int64_t samples = samplesOf(task);
  const std::int64_t all = (task.experiment->data.batchSize + samples - 1) / samples;
  std::int64_t replicas = 1;
  for (const plan::DeviceGroup& group : task.variant.groups) {
    replicas = std::max(replicas, static_cast<std::int64_t>(group.size()));
  }
  return (all + replicas - 1) / replicas;
}

/// Builds the search problem of a task for stages on given devices, and turns cuts into stages.
class Placer {
 public:
  Placer(const PlacementTask& task, predict::BlockCostSource& source, std::vector<int> rowOfStage)
      : m_task(task),
        m_experiment(*task.experiment),
        m_source(source),
        m_rowOfStage(std::move(rowOfStage)) {}
  /// The first call. @errors Invalid: fewer blocks than stages, no costs
  Status prepare();
  /// Without the lower bound.
  Result<Placement> find(PlacementMode mode, std::size_t candidates);
  /// Evaluates the given stages, one per device; without the lower bound.
  Result<Placement> findCut(const std::vector<plan::Stage>& stages);
  /// Adds the lower bound over the cuts that the task allows.
  Status addBound(Placement& placement) const;
  /// Time of a step with the best cut into these stages: one micro-batch through them, then the
  /// slowest stage for each further one. Infinite if no cut fits.
  [[nodiscard]] double roughStep() const;

 private:
  Status addTimes(std::size_t stage);
  /// Time of a boundary before the stage, over the slowest link of its replicas.
  [[nodiscard]] double linkNs(std::size_t stage, double bytes) const;
  void addLinks();
  void addMemory();
  [[nodiscard]] Cut cutBy(PlacementMode mode) const;
  [[nodiscard]] std::vector<Cut> bestOf(std::size_t count) const;
  [[nodiscard]] std::vector<Cut> cuts(PlacementMode mode, std::size_t candidates) const;
  [[nodiscard]] std::vector<double> weights(PlacementMode mode) const;
  [[nodiscard]] std::vector<plan::Stage> stagesOf(const Cut& cut) const;
  Result<Placement> best(const std::vector<Cut>& cuts);
  [[nodiscard]] std::vector<plan::Stage> aStageOnEachDevice() const;

  [[nodiscard]] bool trains() const { return m_experiment.task == plan::Task::Train; }
  [[nodiscard]] std::size_t blocks() const { return m_experiment.model->blocks.size(); }
  [[nodiscard]] std::size_t stages() const { return m_rowOfStage.size(); }
  /// The devices of the stage's replicas.
  [[nodiscard]] plan::DeviceGroup groupOf(std::size_t stage) const {
    const DeviceId& first = m_experiment.devices[static_cast<std::size_t>(m_rowOfStage[stage])].id;
    for (const plan::DeviceGroup& group : m_task.variant.groups) {
      if (group.first() == first) return group;
    }
    return first;
  }
  [[nodiscard]] std::int64_t samples() const { return samplesOf(m_task); }
  [[nodiscard]] std::int64_t microBatches() const { return microBatchesOf(m_task); }
  [[nodiscard]] std::int64_t liveOf(std::size_t stage) const;

  const PlacementTask& m_task;
  const plan::Experiment& m_experiment;
  predict::BlockCostSource& m_source;
  std::vector<int> m_rowOfStage;
  CutProblem m_problem;
  std::vector<const std::vector<predict::BlockTimes>*> m_times;  ///< per stage
  const model::ModelShapes* m_shapes = nullptr;
};

/// Of replicas the slowest counts.
Status Placer::addTimes(std::size_t stage) {
  std::vector<double> times(blocks(), 0.0);
  const bool again = m_task.variant.recompute != plan::Recompute::Never;
  const plan::DeviceGroup group = groupOf(stage);
  for (const DeviceId& device : group) {
    STAGELANE_TRY(blocks, m_source.blocks({device, m_task.variant.threads}, samples()));
    if (device == group.first()) m_times.push_back(*blocks);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const predict::BlockTimes& block = (**blocks)[i];
      const double accumulate = microBatches() > 1 ? block.accumulate : 0.0;
      const double back = block.backward + accumulate + (again ? block.forward : 0.0);
      times[i] = std::max(times[i], block.forward + (trains() ? back : 0.0));
    }
  }
  m_problem.timeOn.push_back(std::move(times));
  return {};
}

double Placer::linkNs(std::size_t stage, double bytes) const {
  const plan::DeviceGroup from = groupOf(stage - 1);
  const plan::DeviceGroup to = groupOf(stage);
  double slowest = 0.0;
  for (std::size_t replica = 0; replica < std::min(from.size(), to.size()); ++replica) {
    slowest = std::max(slowest, m_source.transferNs(from[replica], to[replica], bytes));
    if (!trains()) continue;
    slowest = std::max(slowest, m_source.transferNs(to[replica], from[replica], bytes));
  }
  return slowest;
}

/// Each direction has a separate link, so the slower one counts.
void Placer::addLinks() {
  m_problem.linkBefore.assign(stages(), std::vector<double>(blocks(), 0.0));
  for (std::size_t stage = 1; stage < stages(); ++stage) {
    if (m_rowOfStage[stage - 1] == m_rowOfStage[stage]) continue;
    for (std::size_t block = 1; block < blocks(); ++block) {
      m_problem.linkBefore[stage][block] =
          linkNs(stage, (*m_times[stage - 1])[block - 1].outputBytes);
    }
  }
}

/// Minimum number of micro-batches that a stage keeps. The simulator checks the rest.
std::int64_t Placer::liveOf(std::size_t stage) const {
  const std::string& name = m_task.variant.schedule;
  const schedule::Keeps keeps = schedule::keepsOf(name);
  // looped-bfs stands for all schedules of its layout, and others keep fewer.
  const bool loops = schedule::layoutOf(name).layout == schedule::StageLayout::Loop;
  if (loops || keeps == schedule::Keeps::Unknown) return 1;
  if (keeps == schedule::Keeps::All) return microBatches();
  return std::min(microBatches(), static_cast<std::int64_t>(stages() - stage));
}

void Placer::addMemory() {
  const auto limited = [](const plan::DeviceSpec& device) { return device.maxMemory.has_value(); };
  if (!std::any_of(m_experiment.devices.begin(), m_experiment.devices.end(), limited)) return;
  CutMemory memory;
  const int copies = trains() ? 2 + plan::optimizerStates(m_experiment.optimizer) : 1;
  const bool kept = trains() && m_task.variant.recompute == plan::Recompute::Never;
  for (std::size_t block = 0; block < blocks(); ++block) {
    const model::BlockCost& cost = m_shapes->blocks[block];
    const predict::BlockTimes& times = (*m_times.front())[block];
    memory.resident.push_back(copies * cost.parameterBytes + cost.bufferBytes);
    memory.saved.push_back(kept ? static_cast<Bytes>(times.savedBytes) : 0);
    memory.temporary.push_back(static_cast<Bytes>(times.temporaryBytes));
    memory.stageInput.push_back(0);
  }
  for (std::size_t stage = 0; stage < stages(); ++stage) {
    memory.live.push_back(liveOf(stage));
    std::optional<Bytes> room;
    for (const DeviceId& device : groupOf(stage)) {
      const std::optional<Bytes> limit = plan::memoryLimit(m_experiment, device);
      if (limit && (!room || *limit < *room)) room = limit;
    }
    memory.room.push_back(room);
  }
  m_problem.memory = std::move(memory);
}

Status Placer::prepare() {
  if (blocks() < stages()) {
    return fail(ErrorCode::Invalid,
                "the model has " + std::to_string(blocks()) + " blocks, but the plan has " +
                    std::to_string(stages()) + " stages",
                {}, "Use fewer devices or chunks");
  }
  for (std::size_t stage = 0; stage < stages(); ++stage) STAGELANE_CHECK(addTimes(stage));
  STAGELANE_TRY(shapes, m_source.shapes(samples()));
  m_shapes = *shapes;
  addLinks();
  addMemory();
  return {};
}

/// The weights that the other modes balance: bytes of parameters, or time on the first device.
std::vector<double> Placer::weights(PlacementMode mode) const {
  if (mode == PlacementMode::BlockPartition) return m_problem.timeOn.front();
  std::vector<double> bytes;
  for (const model::BlockCost& block : m_shapes->blocks) {
    bytes.push_back(static_cast<double>(block.parameterBytes));
  }
  return bytes;
}

Cut Placer::cutBy(PlacementMode mode) const {
  Cut cut;
  if (mode == PlacementMode::Uniform) {
    cut.firsts = plan::uniformCut(blocks(), stages());
  } else if (mode == PlacementMode::Parameters) {
    cut.firsts = balancedCut(weights(mode), stages());
  } else {
    cut.firsts = blockPartition(weights(mode), stages());
  }
  cut.bottleneck = bottleneckOf(m_problem, cut.firsts);
  return cut;
}

/// The best cuts that fit the memory, or if none does, without regard to it.
std::vector<Cut> Placer::bestOf(std::size_t count) const {
  std::vector<Cut> best = bestCuts(m_problem, count);
  if (!best.empty()) return best;
  CutProblem roomy = m_problem;
  roomy.memory.reset();
  return bestCuts(roomy, count);
}

/// The cuts to simulate: for `optimal` the best ones and those of the other modes.
std::vector<Cut> Placer::cuts(PlacementMode mode, std::size_t candidates) const {
  if (mode != PlacementMode::Optimal) return {cutBy(mode)};
  std::vector<Cut> best = bestOf(candidates);
  for (const PlacementMode other :
       {PlacementMode::Parameters, PlacementMode::Uniform, PlacementMode::BlockPartition}) {
    Cut cut = cutBy(other);
    const bool known = std::any_of(best.begin(), best.end(),
                                   [&](const Cut& one) { return one.firsts == cut.firsts; });
    if (!known) best.push_back(std::move(cut));
  }
  return best;
}

std::vector<plan::Stage> Placer::stagesOf(const Cut& cut) const {
  std::vector<plan::Stage> answer;
  for (std::size_t stage = 0; stage < cut.firsts.size(); ++stage) {
    const std::size_t end = stage + 1 < cut.firsts.size() ? cut.firsts[stage + 1] : blocks();
    answer.push_back({cut.firsts[stage], end - 1, groupOf(stage)});
  }
  return answer;
}

/// The cut with the shortest simulated step; of equal ones the first. With one micro-batch the
/// stages take turns, and a step says nothing about the cut: the first, the most balanced one,
/// stays.
Result<Placement> Placer::best(const std::vector<Cut>& cuts) {
  Placement placement;
  struct Chosen {
    predict::StepPrediction score;
    bool leads = false;  ///< it is the exact minimum
  };
  std::optional<Chosen> least;
  const bool overlaps = microBatches() > 1;
  for (const Cut& cut : cuts) {
    if (least && !isWanted(m_task.goesOn)) break;
    plan::Variant variant = m_task.variant;
    variant.stages = stagesOf(cut);
    STAGELANE_TRY(
        score,
        predictStep(m_experiment, variant,
                    {.costs = m_task.table, .goesOn = m_task.goesOn, .effort = m_task.effort}));
    if (least) {
      predict::StepPrediction rival = least->score;
      if (least->leads && !overlaps) rival.stepNs = 0;
      if (!predict::isBetter(*score, rival)) continue;
    }
    least = Chosen{*score, !least};
    placement.stages = std::move(variant.stages);
    placement.bottleneckNs = std::llround(cut.bottleneck);
  }
  static_cast<predict::StepPrediction&>(placement) = least->score;
  placement.leastBottleneckNs = std::llround(bestOf(1).front().bottleneck);
  return placement;
}

std::vector<plan::Stage> Placer::aStageOnEachDevice() const {
  std::vector<plan::Stage> answer;
  for (const plan::DeviceSpec& device : m_experiment.devices) answer.push_back({0, 0, device.id});
  return answer;
}

Status Placer::addBound(Placement& placement) const {
  const bool anyDevices = m_task.rowOfStage.empty();
  plan::Variant variant = m_task.variant;
  // Of the stages, the bound uses only the devices.
  variant.stages = anyDevices ? aStageOnEachDevice() : placement.stages;
  const std::size_t devices = plan::rowsOf(variant).size();
  const std::size_t count = variant.stages.size();
  auto cuts = predict::Cuts::Any;
  if (devices == count) {
    cuts = anyDevices ? predict::Cuts::OneStageAtMost : predict::Cuts::OneStageEach;
  }
  STAGELANE_TRY(lowest, predict::cutBound(m_experiment, variant, m_task.table, {}, cuts, m_source));
  // Each action of a stage is rounded to whole nanoseconds.
  // Stages of a device.
  const auto most = static_cast<TimeNs>(count > devices ? count - devices + 1 : 1);
  const TimeNs rounding = 2 * microBatches() * most + 3 * static_cast<TimeNs>(count);
  placement.lowerBoundNs = std::clamp<TimeNs>(*lowest - rounding, 0, placement.stepNs);
  placement.gap = predict::gapOf(placement.stepNs, placement.lowerBoundNs);
  return {};
}

double Placer::roughStep() const {
  const std::vector<Cut> cut = bestCuts(m_problem);
  if (cut.empty()) return std::numeric_limits<double>::infinity();
  double once = 0.0;
  for (std::size_t block = 0; block < blocks(); ++block) {
    double least = m_problem.timeOn.front()[block];
    for (const std::vector<double>& times : m_problem.timeOn) least = std::min(least, times[block]);
    once += least;
  }
  const double further =
      m_task.variant.groups.empty()
          ? static_cast<double>(m_experiment.data.batchSize) / static_cast<double>(samples()) - 1.0
          : static_cast<double>(microBatches()) - 1.0;
  return once + further * cut.front().bottleneck;
}

Result<Placement> Placer::find(PlacementMode mode, std::size_t candidates) {
  return best(cuts(mode, candidates));
}

Result<Placement> Placer::findCut(const std::vector<plan::Stage>& stages) {
  Cut cut;
  for (const plan::Stage& stage : stages) cut.firsts.push_back(stage.firstBlock);
  cut.bottleneck = bottleneckOf(m_problem, cut.firsts);
  return best({std::move(cut)});
}

/// Places blocks as accelerate does, which can leave devices at the end of the list empty.
Result<Placement> placeByBytes(PlacementTask task, plan::AccelerateMode mode) {
  const plan::Experiment& experiment = *task.experiment;
  if (!task.rowOfStage.empty()) {
    return fail(ErrorCode::Invalid,
                "accelerate's modes create one stage per device, but the schedule " +
                    task.variant.schedule + " needs several",
                "--mode", "Use optimal, or a schedule with one stage per device");
  }
  STAGELANE_TRY(stages, plan::accelerateStages(*experiment.model, experiment.dtype,
                                               experiment.devices, mode, "--mode"));
  std::vector<int> rows;
  for (const plan::Stage& stage : *stages) {
    const auto* device = plan::findDevice(experiment.devices, stage.group.first());
    rows.push_back(static_cast<int>(device - experiment.devices.data()));
  }
  if (stages->size() == 1) task.variant.schedule = plan::singleStrategy().schedule;
  predict::BlockCostSource source(experiment, task.table);
  Placer placer(task, source, std::move(rows));
  STAGELANE_CHECK(placer.prepare());
  auto placement = placer.findCut(*stages);
  if (placement) STAGELANE_CHECK(placer.addBound(*placement));
  return placement;
}

/// The sets of devices whose rough step is shorter than the plan's, the most promising first, or,
/// if the plan does not fit, all with a cut that does.
Result<std::vector<Placer>> promisingSets(const PlacementTask& task,
                                          predict::BlockCostSource& source,
                                          const Placement& placement) {
  STAGELANE_TRY(times, deviceTimes(*task.experiment, source, samplesOf(task)));
  const double most = placement.fits() ? static_cast<double>(placement.stepNs)
                                       : std::numeric_limits<double>::infinity();
  std::vector<std::pair<double, Placer>> sets;
  for (std::vector<int>& rows : deviceSets(*times)) {
    if (rows.size() > task.experiment->model->blocks.size()) continue;
    Placer placer(task, source, std::move(rows));
    STAGELANE_CHECK(placer.prepare());
    const double step = placer.roughStep();
    if (step < most) sets.emplace_back(step, std::move(placer));
  }
  std::vector<std::size_t> order(sets.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    return sets[one].first < sets[other].first;
  });
  std::vector<Placer> answer;
  for (std::size_t i = 0; i < std::min(order.size(), kSetsPlayed); ++i) {
    answer.push_back(std::move(sets[order[i]].second));
  }
  return answer;
}

/// One stage per device, on the devices of the list that make the step short.
Result<Placement> placeOnAny(const PlacementTask& task, PlacementMode mode) {
  const std::size_t devices = task.experiment->devices.size();
  std::vector<int> rows(std::min(devices, task.experiment->model->blocks.size()));
  std::iota(rows.begin(), rows.end(), 0);
  predict::BlockCostSource source(*task.experiment, task.table);
  Placer every(task, source, std::move(rows));
  STAGELANE_CHECK(every.prepare());
  auto placement = every.find(mode, task.candidates);
  if (!placement) return placement;
  // A single micro-batch passes one device at a time: fewer devices are never slower, but the plan
  // is to divide the memory.
  if (mode == PlacementMode::Optimal && devices > 1 && microBatchesOf(task) > 1) {
    STAGELANE_TRY(sets, promisingSets(task, source, *placement));
    for (Placer& set : *sets) {
      if (!isWanted(task.goesOn)) break;
      auto other = set.find(mode, std::min(task.candidates, kCutsOfSet));
      // An error: the schedule, such as one of a file, does not suit fewer stages.
      if (other && predict::isBetter(*other, *placement)) placement = std::move(other);
    }
  }
  STAGELANE_CHECK(every.addBound(*placement));
  return placement;
}

Result<Placement> placeOnStages(const PlacementTask& task, PlacementMode mode) {
  predict::BlockCostSource source(*task.experiment, task.table);
  Placer placer(task, source, task.rowOfStage);
  STAGELANE_CHECK(placer.prepare());
  auto placement = placer.find(mode, task.candidates);
  if (placement) STAGELANE_CHECK(placer.addBound(*placement));
  return placement;
}

}  // namespace

const std::vector<std::string>& placementModes() {
  static const std::vector<std::string> kModes = [] {
    std::vector<std::string> modes{"optimal", "parameters", "uniform", "block-partition"};
    modes.insert(modes.end(), plan::kAccelerateModes.begin(), plan::kAccelerateModes.end());
    return modes;
  }();
  return kModes;
}

std::string_view word(PlacementMode mode) {
  return placementModes().at(static_cast<std::size_t>(mode));
}

std::optional<PlacementMode> placementModeFrom(std::string_view word) {
  const std::vector<std::string>& modes = placementModes();
  const auto found = std::find(modes.begin(), modes.end(), word);
  if (found == modes.end()) return std::nullopt;
  return static_cast<PlacementMode>(found - modes.begin());
}

Result<Placement> place(const PlacementTask& task, PlacementMode mode) {
  const auto byBytes = plan::accelerateModeFrom(word(mode));
  if (byBytes) return placeByBytes(task, *byBytes);
  return task.rowOfStage.empty() ? placeOnAny(task, mode) : placeOnStages(task, mode);
}

}  // namespace stagelane::search
