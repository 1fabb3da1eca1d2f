#include "engine/search/placement.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/plan/accelerate_placement.h"
#include "engine/plan/rows.h"
#include "engine/plan/stage_layout.h"
#include "engine/predict/block_costs.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/simulator.h"
#include "engine/predict/variant_schedule.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/methods.h"
#include "engine/search/synthesis.h"
#include "engine/search/variant_order.h"

namespace stagelane::search {
namespace {

constexpr double kClearlyFaster = 0.01;

/// Builds the search problem of a task and turns cuts into stages.
class Placer {
 public:
  explicit Placer(const PlacementTask& task)
      : m_task(task),
        m_experiment(*task.experiment),
        m_source(m_experiment, task.table),
        m_rowOfStage(task.rowOfStage) {
    if (!m_rowOfStage.empty()) return;
    m_rowOfStage.resize(std::min(m_experiment.devices.size(), blocks()));
    std::iota(m_rowOfStage.begin(), m_rowOfStage.end(), 0);
  }
  Result<Placement> run(PlacementMode mode);
  /// Evaluates the given stages, one per device.
  Result<Placement> runCut(const std::vector<plan::Stage>& stages);

 private:
  Result<Placement> judged(const std::vector<Cut>& cuts);
  Status makeProblem();
  Status addTimes(std::size_t stage);
  void addLinks();
  void addMemory();
  [[nodiscard]] Cut cutBy(PlacementMode mode) const;
  [[nodiscard]] std::vector<Cut> cuts(PlacementMode mode) const;
  [[nodiscard]] std::vector<double> weights(PlacementMode mode) const;
  [[nodiscard]] std::vector<plan::Stage> stagesOf(const Cut& cut) const;
  Result<Placement> best(const std::vector<Cut>& cuts);
  Status addBounds(Placement& placement);

  [[nodiscard]] bool trains() const { return m_experiment.task == plan::Task::Train; }
  [[nodiscard]] std::size_t blocks() const { return m_experiment.model->blocks.size(); }
  [[nodiscard]] std::size_t stages() const { return m_rowOfStage.size(); }
  [[nodiscard]] const DeviceId& deviceOf(std::size_t stage) const {
    return m_experiment.devices[static_cast<std::size_t>(m_rowOfStage[stage])].id;
  }
  [[nodiscard]] std::int64_t samples() const {
    return std::min(m_task.variant.splitSize, m_experiment.data.batchSize);
  }
  [[nodiscard]] std::int64_t microBatches() const {
    return (m_experiment.data.batchSize + samples() - 1) / samples();
  }
  [[nodiscard]] std::int64_t liveOf(std::size_t stage) const;

  const PlacementTask& m_task;
  const plan::Experiment& m_experiment;
  predict::BlockCostSource m_source;
  std::vector<int> m_rowOfStage;
  CutProblem m_problem;
  std::vector<const std::vector<predict::BlockTimes>*> m_times;  ///< per stage
  const model::ModelShapes* m_shapes = nullptr;
};

Status Placer::addTimes(std::size_t stage) {
  STAGELANE_TRY(blocks, m_source.blocks({deviceOf(stage), m_task.variant.threads}, samples()));
  m_times.push_back(*blocks);
  std::vector<double> times;
  const bool again = m_task.variant.recompute != plan::Recompute::Never;
  for (const predict::BlockTimes& block : **blocks) {
    const double accumulate = microBatches() > 1 ? block.accumulate : 0.0;
    times.push_back(trains() ? (again ? 2.0 : 1.0) * block.forward + block.backward + accumulate
                             : block.forward);
  }
  m_problem.timeOn.push_back(std::move(times));
  return {};
}

/// Each direction has a separate link, so the slower one counts.
void Placer::addLinks() {
  m_problem.linkBefore.assign(stages(), std::vector<double>(blocks(), 0.0));
  for (std::size_t stage = 1; stage < stages(); ++stage) {
    const DeviceId& from = deviceOf(stage - 1);
    const DeviceId& to = deviceOf(stage);
    if (from == to) continue;
    for (std::size_t block = 1; block < blocks(); ++block) {
      const double bytes = (*m_times[stage - 1])[block - 1].outputBytes;
      m_problem.linkBefore[stage][block] =
          std::max(m_source.transferNs(from, to, bytes),
                   trains() ? m_source.transferNs(to, from, bytes) : 0.0);
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
    const auto row = static_cast<std::size_t>(m_rowOfStage[stage]);
    memory.room.push_back(m_experiment.devices[row].maxMemory);
  }
  m_problem.memory = std::move(memory);
}

Status Placer::makeProblem() {
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

/// The cuts to simulate: for `optimal` the best ones and those of the other modes.
std::vector<Cut> Placer::cuts(PlacementMode mode) const {
  if (mode != PlacementMode::Optimal) return {cutBy(mode)};
  std::vector<Cut> best = bestCuts(m_problem, m_task.candidates);
  if (best.empty()) {
    CutProblem roomy = m_problem;
    roomy.memory.reset();
    best = bestCuts(roomy, m_task.candidates);
  }
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
    answer.push_back({cut.firsts[stage], end - 1, deviceOf(stage)});
  }
  return answer;
}

/// The exact minimum, which comes first, unless another of the best cuts is clearly faster in
/// simulation; smaller differences are below the accuracy of the costs.
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
      const double worth = overlaps ? (1.0 - kClearlyFaster) : 0.0;
      if (least->leads) {
        rival.stepNs = static_cast<TimeNs>(std::ceil(worth * static_cast<double>(rival.stepNs)));
      }
      if (!predict::isBetter(*score, rival)) continue;
    }
    least = Chosen{*score, !least};
    placement.stages = std::move(variant.stages);
    placement.bottleneckNs = std::llround(cut.bottleneck);
  }
  static_cast<predict::StepPrediction&>(placement) = least->score;
  return placement;
}

Status Placer::addBounds(Placement& placement) {
  CutProblem roomy = m_problem;
  roomy.memory.reset();
  const std::vector<Cut> least = bestCuts(m_problem);
  placement.leastBottleneckNs =
      std::llround(least.empty() ? bestCuts(roomy).front().bottleneck : least.front().bottleneck);
  plan::Variant variant = m_task.variant;
  variant.stages = placement.stages;
  const std::size_t devices = plan::rowsOf(variant).size();
  const auto cuts = devices == stages() ? predict::Cuts::OneStageEach : predict::Cuts::Any;
  STAGELANE_TRY(lowest, predict::cutBound(m_experiment, variant, m_task.table, {}, cuts, m_source));
  // Each action of a stage is rounded to whole nanoseconds.
  const auto most = static_cast<TimeNs>(stages() - devices + 1);  // stages of a device
  const TimeNs rounding = 2 * microBatches() * most + 3 * static_cast<TimeNs>(stages());
  placement.lowerBoundNs = std::clamp<TimeNs>(*lowest - rounding, 0, placement.stepNs);
  placement.gap = predict::gapOf(placement.stepNs, placement.lowerBoundNs);
  return {};
}

Result<Placement> Placer::judged(const std::vector<Cut>& cuts) {
  auto placement = best(cuts);
  if (!placement) return placement;
  STAGELANE_CHECK(addBounds(*placement));
  return placement;
}

Result<Placement> Placer::run(PlacementMode mode) {
  if (blocks() < stages()) {
    return fail(ErrorCode::Invalid,
                "the model has " + std::to_string(blocks()) + " blocks, but the plan has " +
                    std::to_string(stages()) + " stages",
                {}, "Use fewer devices or chunks");
  }
  STAGELANE_CHECK(makeProblem());
  return judged(cuts(mode));
}

Result<Placement> Placer::runCut(const std::vector<plan::Stage>& stages) {
  STAGELANE_CHECK(makeProblem());
  Cut cut;
  for (const plan::Stage& stage : stages) cut.firsts.push_back(stage.firstBlock);
  cut.bottleneck = bottleneckOf(m_problem, cut.firsts);
  return judged({std::move(cut)});
}

/// Places blocks as accelerate does; removes the devices that it leaves empty from the plan.
Result<Placement> placeByBytes(const PlacementTask& task, plan::AccelerateMode mode) {
  const plan::Experiment& experiment = *task.experiment;
  const bool oneEach = task.rowOfStage.empty();
  if (!oneEach) {
    return fail(ErrorCode::Invalid,
                "accelerate's modes create one stage per device, but the schedule " +
                    task.variant.schedule + " needs several",
                "--mode", "Use optimal, or a schedule with one stage per device");
  }
  STAGELANE_TRY(stages, plan::accelerateStages(*experiment.model, experiment.dtype,
                                               experiment.devices, mode, "--mode"));
  plan::Experiment used = experiment;
  used.devices.clear();
  for (const plan::Stage& stage : *stages) {
    used.devices.push_back(*plan::findDevice(experiment.devices, stage.group.first()));
  }
  PlacementTask own = task;
  own.experiment = &used;
  if (stages->size() == 1) own.variant.schedule = plan::singleStrategy().schedule;
  return Placer(own).runCut(*stages);
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
  return byBytes ? placeByBytes(task, *byBytes) : Placer(task).run(mode);
}

}  // namespace stagelane::search
