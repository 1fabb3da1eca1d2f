#include "engine/search/suggestion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "engine/base/find.h"
#include "engine/plan/rows.h"
#include "engine/predict/block_costs.h"
#include "engine/predict/prediction.h"
#include "engine/predict/variant_schedule.h"
#include "engine/schedule/methods.h"
#include "engine/search/device_sets.h"
#include "engine/search/placement.h"
#include "engine/search/synthesis.h"
#include "engine/search/variant_order.h"

namespace stagelane::search {
namespace {

constexpr std::int64_t kMostMicroBatches = 256;
constexpr std::size_t kAllSplits = 24;
constexpr double kApart = 1.15;
constexpr std::int64_t kLargestBatchTried = std::int64_t{1} << 20;
constexpr double kQuickEffort = 0.3;
/// Sets of devices without some of the list that are tried for a split.
constexpr std::size_t kSetsOfSplit = 3;

/// A plan of one stage on one of several devices is a pipeline, too, so that its schedule, split
/// and placement can take the place of another pipeline's.
plan::Variant variantOf(const plan::Experiment& experiment, const SuggestedPlan& plan) {
  plan::Variant variant;
  variant.name = "suggestion";
  const bool alone = experiment.devices.size() < 2;
  variant.strategy = (alone ? plan::singleStrategy() : plan::pipelineStrategy()).strategy;
  variant.schedule = plan.schedule;
  variant.splitSize = plan.splitSize;
  variant.stages = plan.stages;
  return variant;
}

/// A layout for the search of the optimal cut: the rows of its stages, and the schedule that
/// determines the cut's memory.
struct Layout {
  std::vector<int> rowOfStage;
  std::string_view schedule;
};

bool hasReplicas(const std::vector<plan::Stage>& stages) {
  return !plan::stageRowsOf(stages).areSingle();
}

class Suggester {
 public:
  explicit Suggester(const SuggestTask& task)
      : m_task(task), m_experiment(*task.experiment), m_source(m_experiment, task.table) {}
  Result<Suggestion> run();

 private:
  struct Placed {
    std::vector<plan::Stage> stages;
    std::string by;
  };
  [[nodiscard]] std::vector<Layout> layoutsOn(const std::vector<int>& set) const;
  Result<std::vector<std::vector<int>>> promisingSets(std::int64_t split);
  void collectWritten();
  Status tryDevices(const std::vector<int>& set, std::int64_t split);
  Status trySplit(std::int64_t split);
  Status tryStages(const Placed& placed, std::int64_t split);
  Status searchBest();
  Status tryWritten();
  Status addClosedForm();
  Status addBound();
  Status addKinds();
  void keep(SuggestedPlan plan);
  [[nodiscard]] PredictionBasis quick() const {
    return {.costs = m_task.table, .goesOn = m_task.goesOn, .effort = kQuickEffort};
  }

  const SuggestTask& m_task;
  const plan::Experiment& m_experiment;
  predict::BlockCostSource m_source;
  std::vector<Placed> m_written;
  std::vector<SuggestedPlan> m_all;  ///< the best plan of each (split, placement)
  Suggestion m_suggestion;
};

/// One stage on each device of the set, and where there are enough blocks, two.
std::vector<Layout> Suggester::layoutsOn(const std::vector<int>& set) const {
  const auto devices = static_cast<int>(set.size());
  const std::size_t blocks = m_experiment.model->blocks.size();
  const auto once = static_cast<int>(std::min(set.size(), blocks));
  const auto laidOut = [&](schedule::StageLayout layout, int used, int chunks) {
    std::vector<int> rows = schedule::rowsOfStages(layout, used, chunks);
    for (int& row : rows) row = set[static_cast<std::size_t>(row)];
    return Layout{std::move(rows), schedule::cutsComparedBy(layout)};
  };
  std::vector<Layout> answer{laidOut(schedule::StageLayout::OnePerDevice, once, 1)};
  if (devices > 1 && blocks >= static_cast<std::size_t>(2 * devices)) {
    answer.push_back(laidOut(schedule::StageLayout::V, devices, 2));
    answer.push_back(laidOut(schedule::StageLayout::Loop, devices, 2));
  }
  return answer;
}

/// A step of the batch on the devices if they share all work evenly: the work of the micro-batches,
/// and half of the bubble of the best schedules with one stage per device.
double sharedStep(const DeviceTimes& times, const std::vector<int>& set, double microBatches) {
  constexpr double kBubble = 1.0 / 6.0;
  double speed = 0.0;
  std::vector<double> least(times.front().size(), std::numeric_limits<double>::infinity());
  for (const int device : set) {
    const std::vector<double>& own = times[static_cast<std::size_t>(device)];
    speed += 1.0 / std::max(1.0, std::accumulate(own.begin(), own.end(), 0.0));
    for (std::size_t block = 0; block < own.size(); ++block) {
      least[block] = std::min(least[block], own[block]);
    }
  }
  const double once = std::accumulate(least.begin(), least.end(), 0.0);
  const double share = 1.0 / speed;
  return std::max(once, microBatches * share + kBubble * std::max(0.0, once - share));
}

/// The sets that could be faster than the best plan of the split so far: each single device, for
/// which the estimate is exact, and the most promising ones of several devices, whose estimate
/// leaves out links.
Result<std::vector<std::vector<int>>> Suggester::promisingSets(std::int64_t split) {
  STAGELANE_TRY(times, deviceTimes(m_experiment, m_source, split));
  const auto& curve = m_suggestion.curve;
  const auto best = std::find_if(curve.begin(), curve.end(), [split](const SuggestedPlan& plan) {
    return plan.splitSize == split;
  });
  const bool fits = best != curve.end() && best->fits();
  const double most =
      fits ? static_cast<double>(best->stepNs) : std::numeric_limits<double>::infinity();
  const double microBatches =
      static_cast<double>(m_experiment.data.batchSize) / static_cast<double>(split);
  std::vector<std::pair<double, std::vector<int>>> sets;
  for (std::vector<int>& set : deviceSets(*times)) {
    const double step = sharedStep(*times, set, microBatches);
    if (step < most) sets.emplace_back(step, std::move(set));
  }
  std::stable_sort(sets.begin(), sets.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  std::vector<std::vector<int>> answer;
  std::size_t ofSeveral = 0;
  for (auto& [step, set] : sets) {
    if (set.size() > 1 && ++ofSeveral > kSetsOfSplit) continue;
    answer.push_back(std::move(set));
  }
  return answer;
}

void Suggester::collectWritten() {
  for (const plan::Variant& variant : m_experiment.variants) {
    if (!variant.include || variant.implicit || variant.stages.size() < 2) continue;
    const bool known = std::any_of(m_written.begin(), m_written.end(), [&](const Placed& placed) {
      return placed.stages == variant.stages;
    });
    if (!known) m_written.push_back({variant.stages, variant.name});
  }
}

/// Tries the optimal cuts into the stages of each layout on these devices.
Status Suggester::tryDevices(const std::vector<int>& set, std::int64_t split) {
  std::vector<std::vector<plan::Stage>> tried;
  for (const Placed& written : m_written) tried.push_back(written.stages);
  for (const Layout& layout : layoutsOn(set)) {
    PlacementTask task;
    task.experiment = &m_experiment;
    task.table = m_task.table;
    task.variant.schedule = layout.schedule;
    task.variant.splitSize = split;
    task.rowOfStage = layout.rowOfStage;
    task.candidates = 4;
    task.goesOn = m_task.goesOn;
    STAGELANE_TRY(placement, place(task, PlacementMode::Optimal));
    if (contains(tried, placement->stages)) continue;
    STAGELANE_CHECK(tryStages({placement->stages, "optimal"}, split));
    tried.push_back(std::move(placement->stages));
  }
  return {};
}

void Suggester::keep(SuggestedPlan plan) {
  auto& curve = m_suggestion.curve;
  const auto place = std::lower_bound(
      curve.begin(), curve.end(), plan.splitSize,
      [](const SuggestedPlan& known, std::int64_t size) { return known.splitSize < size; });
  if (place == curve.end() || place->splitSize != plan.splitSize) {
    curve.insert(place, std::move(plan));
  } else if (predict::isBetter(plan, *place)) {
    *place = std::move(plan);
  }
}

/// Keeps the best schedule for these stages.
Status Suggester::tryStages(const Placed& placed, std::int64_t split) {
  SuggestedPlan plan{{}, split, placed.stages, placed.by};
  STAGELANE_TRY(best, bestSchedule(m_experiment, variantOf(m_experiment, plan), m_task.table));
  if (!*best) return {};
  static_cast<ScheduleStep&>(plan) = std::move(**best);
  m_all.push_back(plan);
  keep(std::move(plan));
  return {};
}

Status Suggester::trySplit(std::int64_t split) {
  for (const Placed& written : m_written) STAGELANE_CHECK(tryStages(written, split));
  std::vector<int> every(m_experiment.devices.size());
  std::iota(every.begin(), every.end(), 0);
  STAGELANE_CHECK(tryDevices(every, split));
  STAGELANE_TRY(sets, promisingSets(split));
  for (const std::vector<int>& set : *sets) {
    if (!isWanted(m_task.goesOn)) break;
    STAGELANE_CHECK(tryDevices(set, split));
  }
  return {};
}

/// Tries `auto` for the best plans so far and the best of each split; a searched order may be
/// shorter than the published ones.
Status Suggester::searchBest() {
  std::sort(m_all.begin(), m_all.end(), predict::isBetter);
  if (m_all.size() > m_task.searched) m_all.resize(m_task.searched);
  // Where published orders are far from the bound, a search gains most.
  for (const SuggestedPlan& point : m_suggestion.curve) {
    const bool known = std::any_of(m_all.begin(), m_all.end(), [&](const SuggestedPlan& plan) {
      return plan.splitSize == point.splitSize && plan.stages == point.stages;
    });
    if (!known) m_all.push_back(point);
  }
  for (SuggestedPlan plan : m_all) {
    if (plan.stages.size() < 2 || hasReplicas(plan.stages)) continue;
    if (!isWanted(m_task.goesOn)) return {};
    plan.schedule = std::string(schedule::kAutoSchedule);
    STAGELANE_TRY(score, predictStep(m_experiment, variantOf(m_experiment, plan), quick()));
    static_cast<predict::StepPrediction&>(plan) = *score;
    keep(std::move(plan));
  }
  return {};
}

/// Evaluates the experiment's own variants, for comparison and as candidates, because their splits
/// and orders may not be among those tried.
Status Suggester::tryWritten() {
  for (const plan::Variant& variant : m_experiment.variants) {
    const bool csv =
        variant.schedule.compare(0, schedule::kCsvPrefix.size(), schedule::kCsvPrefix) == 0;
    if (!variant.include || variant.implicit || csv) continue;
    if (!isWanted(m_task.goesOn)) return {};
    STAGELANE_TRY(score, predictStep(m_experiment, variant, quick()));
    SuggestedPlan plan{{*score, variant.schedule}, variant.splitSize, variant.stages, variant.name};
    auto& best = m_suggestion.asWritten;
    if (!best || predict::isBetter(plan, *best)) best = plan;
    if (plan::strategyRow(variant.strategy).pipelined) keep(std::move(plan));
  }
  return {};
}

/// Fits the slowest stage of the suggested placement over the splits of the curve.
Status Suggester::addClosedForm() {
  const SuggestedPlan& best = m_suggestion.best;
  std::vector<std::pair<double, double>> points;
  for (const SuggestedPlan& point : m_suggestion.curve) {
    double slowest = 0.0;
    for (const plan::Stage& stage : best.stages) {
      STAGELANE_TRY(times, m_source.blocks({stage.group.first(), 0}, point.splitSize));
      double sum = 0.0;
      for (std::size_t b = stage.firstBlock; b <= stage.lastBlock; ++b) {
        sum += (**times)[b].forward + (**times)[b].backward;
      }
      slowest = std::max(slowest, sum);
    }
    points.emplace_back(static_cast<double>(point.splitSize), slowest);
  }
  m_suggestion.closedForm =
      closedForm(points, m_experiment.data.batchSize, static_cast<int>(best.stages.size()));
  return {};
}

Status Suggester::addBound() {
  const plan::Variant variant = variantOf(m_experiment, m_suggestion.best);
  STAGELANE_TRY(costs, predict::planCosts(m_experiment, variant, m_task.table));
  const schedule::StageRows rows = plan::stageRowsOf(variant.stages);
  TimeNs lowest = 0;
  if (rows.areSingle()) {
    lowest = lowestStep(rows.rowOfStage(), *costs, capsOf(m_experiment, plan::rowsOf(variant)));
  } else {
    // The search for orders has no replicas, so the bound of all cuts stands for them.
    STAGELANE_TRY(cut, predict::cutBound(m_experiment, variant, m_task.table));
    lowest = *cut;
  }
  m_suggestion.lowerBoundNs = std::min(lowest, m_suggestion.best.stepNs);
  m_suggestion.gap = predict::gapOf(m_suggestion.best.stepNs, m_suggestion.lowerBoundNs);
  m_suggestion.basis = costs->basis;
  return {};
}

Status Suggester::addKinds() {
  if (!m_task.kinds) return {};
  STAGELANE_TRY(kinds, bestOfKinds({.experiment = m_task.experiment,
                                    .table = m_task.table,
                                    .goesOn = m_task.goesOn,
                                    .known = pipelinesOf(m_suggestion)}));
  m_suggestion.kinds = std::move(*kinds);
  return {};
}

Result<Suggestion> Suggester::run() {
  collectWritten();
  for (const std::int64_t split : splitsToTry(m_experiment.data.batchSize)) {
    if (!plan::checkSplit(m_experiment, split)) continue;
    if (!m_suggestion.curve.empty() && !isWanted(m_task.goesOn)) break;
    STAGELANE_CHECK(trySplit(split));
  }
  if (m_suggestion.curve.empty()) {
    return fail(ErrorCode::Invalid, "no split_size of this batch can be trained",
                "/data/batch_size", "Use a larger batch");
  }
  for (auto part : {&Suggester::searchBest, &Suggester::tryWritten}) {
    STAGELANE_CHECK((this->*part)());
  }
  m_suggestion.best =
      *std::min_element(m_suggestion.curve.begin(), m_suggestion.curve.end(), predict::isBetter);
  for (auto part : {&Suggester::addClosedForm, &Suggester::addBound, &Suggester::addKinds}) {
    STAGELANE_CHECK((this->*part)());
  }
  return std::move(m_suggestion);
}

}  // namespace

std::vector<std::int64_t> splitsToTry(std::int64_t batch) {
  std::set<std::int64_t> sizes;
  for (std::int64_t m = 1; m <= std::min(batch, kMostMicroBatches); ++m) {
    sizes.insert((batch + m - 1) / m);
  }
  std::vector<std::int64_t> answer;
  for (const std::int64_t size : sizes) {
    const double last = answer.empty() ? 0.0 : static_cast<double>(answer.back());
    const bool apart = static_cast<double>(size) >= kApart * last;
    if (sizes.size() <= kAllSplits || apart || size == batch) answer.push_back(size);
  }
  return answer;
}

Result<std::optional<ScheduleStep>> bestSchedule(const plan::Experiment& experiment,
                                                 plan::Variant variant,
                                                 const predict::CostTable* table,
                                                 const GoesOn& goesOn) {
  STAGELANE_TRY(costs, predict::planCosts(experiment, variant, table));
  const bool pipelined = plan::strategyRow(variant.strategy).pipelined;
  std::optional<ScheduleStep> best;
  for (const std::string& name : schedule::generatedScheduleNames()) {
    if (best && !isWanted(goesOn)) break;
    if (pipelined && !schedule::isPipelineSchedule(name)) continue;
    variant.schedule = name;
    const auto lowered = predict::lowerVariant(experiment, variant);
    if (!lowered) continue;
    STAGELANE_TRY(step, predict::playStep(experiment, variant, *lowered, *costs));
    if (!best || predict::isBetter(*step, *best)) best = ScheduleStep{*step, name};
  }
  return best;
}

ClosedForm closedForm(const std::vector<std::pair<double, double>>& samplesAndNs,
                      std::int64_t batch, int stages) {
  const auto count = static_cast<double>(samplesAndNs.size());
  double meanX = 0.0, meanY = 0.0;
  for (const auto& [x, y] : samplesAndNs) {
    meanX += x / count;
    meanY += y / count;
  }
  double xx = 0.0, xy = 0.0;
  for (const auto& [x, y] : samplesAndNs) {
    xx += (x - meanX) * (x - meanX);
    xy += (x - meanX) * (y - meanY);
  }
  ClosedForm form;
  form.betaNs = xx > 0.0 ? xy / xx : 0.0;
  form.alphaNs = std::max(0.0, meanY - form.betaNs * meanX);
  if (stages < 2 || form.betaNs <= 0.0) return form;
  const double best =
      std::sqrt(form.alphaNs * static_cast<double>(batch) / (form.betaNs * (stages - 1)));
  form.splitSize = std::clamp(best, 1.0, static_cast<double>(batch));
  return form;
}

Result<Suggestion> suggest(const SuggestTask& task) { return Suggester(task).run(); }

std::vector<KindPlan> pipelinesOf(const Suggestion& suggestion) {
  std::vector<KindPlan> pipelines;
  for (const SuggestedPlan& point : suggestion.curve) {
    if (point.stages.size() < 2) continue;
    const auto replicas = static_cast<int>(point.stages.front().group.size());
    pipelines.push_back({point,
                         plan::pipelineStrategy().strategy,
                         point.schedule,
                         point.splitSize,
                         replicas,
                         point.stages,
                         0,
                         0,
                         {}});
  }
  return pipelines;
}

Result<LargestBatch> largestBatch(const SuggestTask& task, const SuggestedPlan& plan) {
  LargestBatch answer;
  const std::int64_t batch = task.experiment->data.batchSize;
  const std::int64_t microBatches = (batch + plan.splitSize - 1) / plan.splitSize;
  const auto limited =
      std::find_if(task.experiment->devices.begin(), task.experiment->devices.end(),
                   [](const plan::DeviceSpec& device) { return device.maxMemory.has_value(); });
  if (limited == task.experiment->devices.end()) return answer;
  plan::Experiment experiment = *task.experiment;
  plan::Variant variant = variantOf(*task.experiment, plan);
  const auto fitsWith = [&](std::int64_t split) -> Result<bool> {
    variant.splitSize = split;
    experiment.data.batchSize = split * microBatches;
    STAGELANE_TRY(score,
                  predictStep(experiment, variant, {.costs = task.table, .effort = kQuickEffort}));
    return score->fits();
  };
  std::int64_t least = 0;
  std::int64_t most = 1;
  while (most < kLargestBatchTried) {
    STAGELANE_TRY(fits, fitsWith(most));
    if (!*fits) break;
    least = most;
    most *= 2;
  }
  while (most - least > 1) {
    const std::int64_t middle = least + (most - least) / 2;
    STAGELANE_TRY(fits, fitsWith(middle));
    (*fits ? least : most) = middle;
  }
  answer.splitSize = least;
  answer.batch = least * microBatches;
  answer.limited = true;
  return answer;
}

}  // namespace stagelane::search
