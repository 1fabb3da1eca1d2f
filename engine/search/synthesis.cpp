#include "engine/search/synthesis.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "engine/predict/prediction.h"
#include "engine/predict/variant_schedule.h"
#include "engine/schedule/generators.h"
#include "engine/search/list_schedule.h"
#include "engine/search/local_search.h"
#include "engine/search/workload.h"

namespace stagelane::search {
namespace {

constexpr std::size_t kPool = 6;            ///< number of orders that the search keeps
constexpr std::size_t kClimbed = 3;         ///< number of those that are improved
constexpr double kActionsTimed = 5e6;       ///< at effort 1
constexpr std::int64_t kLeastTimings = 40;  ///< minimum for orders of any length
constexpr std::int64_t kMostTimings = 12'000;
/// Orders of more actions are searched for with fewer rules: this many actions in all, at least a
/// few rules. It takes some seconds.
constexpr double kActionsListed = 2e6;
constexpr std::size_t kLeastRules = 4;
constexpr std::size_t kJudgedOfLong = 2;  ///< number of such orders that are simulated
constexpr std::uint64_t kSeed = 0x5eed;

/// Limit of live micro-batches: a fraction of 1F1B's (falling), or of one micro-batch per device
/// (flat).
struct LiveShape {
  bool falling = false;
  double factor = 0.0;  ///< 0: no limit
};
constexpr std::array<LiveShape, 6> kLiveShapes{
    {{false, 0.0}, {true, 1.0}, {false, 1.0}, {true, 2.0}, {false, 1.5}, {false, 2.0}}};

void sayTried(const OnTried& onTried) {
  if (onTried) onTried();
}

/// Distinct orders by step, fastest first.
class Pool {
 public:
  void add(Timed timed) {
    if (timed.stepNs == kNever) return;
    const auto place = std::find_if(m_best.begin(), m_best.end(), [&](const Timed& known) {
      return known.stepNs >= timed.stepNs;
    });
    if (place != m_best.end() && place->stepNs == timed.stepNs) return;
    m_best.insert(place, std::move(timed));
    if (m_best.size() > kPool) m_best.pop_back();
  }
  [[nodiscard]] const std::vector<Timed>& best() const { return m_best; }
  [[nodiscard]] TimeNs step() const { return m_best.empty() ? kNever : m_best.front().stepNs; }

 private:
  std::vector<Timed> m_best;
};

/// The search on the flat workload: list schedules by many rules, then local improvement.
class Search {
 public:
  Search(const Workload& workload, TimeNs lowest, double effort, const GoesOn& goesOn,
         const OnTried& onTried)
      : m_workload(workload),
        m_timer(workload),
        m_random(kSeed),
        m_lowest(lowest),
        m_goesOn(goesOn),
        m_onTried(onTried) {
    const double actions = 3.0 * static_cast<double>(workload.cost.size());
    m_timings = std::clamp(static_cast<std::int64_t>(effort * kActionsTimed / actions),
                           kLeastTimings, kMostTimings);
    m_mostRules = std::max(static_cast<std::size_t>(kActionsListed / actions), kLeastRules);
  }
  void seed(const Orders& orders);
  void run();
  [[nodiscard]] const Pool& pool() const { return m_pool; }
  [[nodiscard]] std::int64_t used() const { return m_used; }
  /// The orders are so long that only some of the rules were tried.
  [[nodiscard]] bool wasCutShort() const { return m_cutShort; }

 private:
  [[nodiscard]] std::vector<ListRules> grid() const;
  void tryRules(const ListRules& rules);
  void tryGrid();
  void tryVariations(std::int64_t timings);
  [[nodiscard]] std::vector<int> mostLive(const LiveShape& shape) const;
  /// An order exists, and it is optimal or the caller no longer needs the result.
  [[nodiscard]] bool enough() const {
    return !m_pool.best().empty() && (m_pool.step() <= m_lowest || !isWanted(m_goesOn));
  }

  const Workload& m_workload;
  OrderTimer m_timer;
  Random m_random;
  TimeNs m_lowest;
  const GoesOn& m_goesOn;
  const OnTried& m_onTried;
  Pool m_pool;
  std::vector<std::pair<TimeNs, ListRules>> m_rules;  ///< tried rules, fastest first
  std::int64_t m_timings = 0;
  std::int64_t m_used = 0;
  std::size_t m_mostRules = 0;
  bool m_cutShort = false;
};

void Search::seed(const Orders& orders) {
  for (std::size_t row = 0; row < orders.size(); ++row) {
    if (!fits(m_workload, row, orders[row])) return;
  }
  ++m_used;
  m_pool.add({orders, m_timer.play(orders)});
}

std::vector<int> Search::mostLive(const LiveShape& shape) const {
  std::vector<int> live;
  for (int row = 0; row < m_workload.rows; ++row) {
    const double base = shape.falling ? m_workload.rows - row : m_workload.rows;
    const auto chunks = static_cast<int>(m_workload.stagesOf[static_cast<std::size_t>(row)].size());
    const int most = chunks * std::max(1, static_cast<int>(shape.factor * base));
    live.push_back(shape.factor > 0.0 ? most : std::numeric_limits<int>::max());
  }
  return live;
}

void Search::tryRules(const ListRules& rules) {
  ++m_used;
  auto orders = listSchedule(m_workload, rules, m_random);
  sayTried(m_onTried);
  if (!orders) return;
  const TimeNs step = m_timer.play(*orders);
  const auto place = std::find_if(m_rules.begin(), m_rules.end(),
                                  [&](const auto& known) { return known.first > step; });
  m_rules.insert(place, {step, rules});
  if (m_rules.size() > kPool) m_rules.pop_back();
  m_pool.add({std::move(*orders), step});
}

std::vector<ListRules> Search::grid() const {
  const auto stages = static_cast<std::size_t>(m_workload.stages);
  std::vector<ListRules> grid;
  for (const bool split : {true, false}) {
    for (const LiveShape& shape : kLiveShapes) {
      for (const double forward : {2.0, 4.0}) {
        for (const double patience : {0.0, 0.5}) {
          ListRules rules;
          rules.forward = forward;
          rules.patience = patience;
          rules.mostLive = mostLive(shape);
          rules.split.assign(stages, split ? 1 : 0);
          rules.split.front() = 0;  // the first stage has no input gradient
          grid.push_back(std::move(rules));
        }
      }
    }
  }
  return grid;
}

/// Tries all rules of the grid, or, if the orders are too long, as many, evenly spaced.
void Search::tryGrid() {
  const std::vector<ListRules> all = grid();
  const std::size_t count = std::min(all.size(), m_mostRules);
  for (std::size_t i = 0; i < count && !enough(); ++i) {
    m_cutShort = count < all.size();
    tryRules(all[i * all.size() / count]);
  }
}

/// Tries the best rules so far with noise, or with the split of one stage flipped.
void Search::tryVariations(std::int64_t timings) {
  for (std::int64_t i = 0; i < timings && !enough() && !m_rules.empty(); ++i) {
    ListRules rules = m_rules[m_random.below(m_rules.size())].second;
    const std::size_t what = m_random.below(4);
    if (what == 0 && m_workload.stages > 1) {
      const std::size_t stage = 1 + m_random.below(rules.split.size() - 1);
      rules.split[stage] = rules.split[stage] != 0 ? 0 : 1;
    } else if (what == 1) {
      int& live = rules.mostLive[m_random.below(rules.mostLive.size())];
      if (live != std::numeric_limits<int>::max()) live += 1;
    } else if (what == 2) {
      rules.patience = m_random.unit();
    } else {
      rules.noise = 1.5 * m_random.unit();
    }
    tryRules(rules);
  }
}

void Search::run() {
  tryGrid();
  if (!m_cutShort) tryVariations(m_timings / 4);
  const std::vector<Timed> start = m_pool.best();
  const std::size_t climbed = std::min(kClimbed, start.size());
  const std::int64_t left = std::max<std::int64_t>(0, m_timings - m_used);
  for (std::size_t i = 0; i < climbed && !enough(); ++i) {
    const std::int64_t plays = left / static_cast<std::int64_t>(climbed);
    m_used += plays;
    m_pool.add(joined(m_workload, improve(m_workload, start[i], {plays, m_goesOn}, m_random),
                      m_cutShort ? plays : m_timings));
    sayTried(m_onTried);
  }
}

/// By how much a simulation exceeds the caps, in bytes and in live micro-batches.
std::pair<Bytes, int> excess(const MemoryCaps& caps, const predict::Simulation& simulation) {
  std::pair<Bytes, int> answer{0, 0};
  for (std::size_t row = 0; row < simulation.peakBytes.size(); ++row) {
    answer.first =
        std::max(answer.first, predict::excessOf(simulation.peakBytes[row], caps.limit(row)));
    if (row < caps.live.size() && caps.live[row] > 0) {
      answer.second =
          std::max(answer.second, simulation.peakLiveMicroBatches[row] - caps.live[row]);
    }
  }
  return answer;
}

/// A simulated schedule.
struct Judged {
  schedule::Schedule schedule;
  std::string name;  ///< the generator's; empty: found by the search
  TimeNs stepNs = 0;
  std::pair<Bytes, int> excess{0, 0};
  Bytes peakSum = 0;

  [[nodiscard]] bool fits() const { return excess == std::pair<Bytes, int>{0, 0}; }
  /// Orders by fit, then speed, then memory, then whether published.
  [[nodiscard]] auto key() const {
    return std::make_tuple(excess, stepNs, peakSum, name.empty() ? 1 : 0);
  }
};

class Synthesizer {
 public:
  explicit Synthesizer(const SynthesisTask& task) : m_task(task) {}
  Result<Synthesis> run();

 private:
  Status judge(schedule::Schedule schedule, const std::string& name);
  Status judgeNamed();
  Status search(const MemoryCaps& caps, double effort);
  [[nodiscard]] Synthesis answer() const;
  [[nodiscard]] const Judged& best() const {
    return *std::min_element(m_judged.begin(), m_judged.end(),
                             [](const auto& a, const auto& b) { return a.key() < b.key(); });
  }

  const SynthesisTask& m_task;
  std::vector<Judged> m_judged;
  TimeNs m_lowest = 0;
  std::int64_t m_timings = 0;
  bool m_cutShort = false;
};

Status Synthesizer::judge(schedule::Schedule schedule, const std::string& name) {
  const plan::Task task = m_task.costs->forwardOnly ? plan::Task::Infer : plan::Task::Train;
  STAGELANE_TRY(simulation,
                predict::simulate(predict::lowerFor(task, schedule, m_task.tied), *m_task.costs));
  Judged judged;
  judged.schedule = std::move(schedule);
  judged.name = name;
  judged.stepNs = simulation->stepNs;
  judged.excess = excess(m_task.caps, *simulation);
  for (const Bytes peak : simulation->peakBytes) judged.peakSum += peak;
  m_judged.push_back(std::move(judged));
  return {};
}

/// Tries every generator that suits the stages.
Status Synthesizer::judgeNamed() {
  const auto microBatches = static_cast<int>(m_task.costs->stage.front().size());
  for (const std::string& name : schedule::generatedScheduleNames()) {
    if ((!m_judged.empty() && !isWanted(m_task.goesOn))) continue;
    auto schedule = schedule::generateForStages(name, m_task.deviceOfStage, microBatches);
    if (!schedule) continue;
    STAGELANE_CHECK(judge(std::move(*schedule), name));
    sayTried(m_task.onTried);
  }
  return {};
}

Status Synthesizer::search(const MemoryCaps& caps, double effort) {
  const Workload workload = workloadOf(m_task.deviceOfStage, *m_task.costs, caps);
  Search search(workload, m_lowest, effort, m_task.goesOn, m_task.onTried);
  for (const Judged& judged : m_judged) {
    const bool perMicroBatch = judged.schedule.lossMode == schedule::LossMode::PerMicroBatch;
    if (perMicroBatch) search.seed(judged.schedule.actions);
  }
  search.run();
  m_timings += search.used();
  m_cutShort = m_cutShort || search.wasCutShort();
  std::size_t kept = 0;
  for (const Timed& found : search.pool().best()) {
    if (search.wasCutShort() && ++kept > kJudgedOfLong) break;
    schedule::Schedule schedule;
    schedule.devices = workload.rows;
    schedule.microBatches = workload.microBatches;
    schedule.stages = workload.stages;
    schedule.rows = workload.rowOf;
    schedule.actions = found.orders;
    STAGELANE_CHECK(judge(std::move(schedule), ""));
  }
  return {};
}

Synthesis Synthesizer::answer() const {
  const Judged& best = this->best();
  Synthesis synthesis;
  synthesis.schedule = best.schedule;
  synthesis.schedule.name = std::string(schedule::kAutoSchedule);
  synthesis.stepNs = best.stepNs;
  synthesis.lowerBoundNs = std::min(m_lowest, best.stepNs);
  synthesis.gap = predict::gapOf(synthesis.stepNs, synthesis.lowerBoundNs);
  synthesis.fits = best.fits();
  synthesis.basis = m_task.costs->basis;
  synthesis.origin = best.name.empty() ? std::string(kFromSearch) : best.name;
  for (const Judged& judged : m_judged) {
    if (!judged.name.empty()) {
      synthesis.named.push_back({judged.name, judged.stepNs, judged.fits()});
    }
  }
  std::stable_sort(synthesis.named.begin(), synthesis.named.end(),
                   [](const auto& a, const auto& b) { return a.stepNs < b.stepNs; });
  synthesis.timings = m_timings;
  synthesis.cutShort = m_cutShort;
  return synthesis;
}

Result<Synthesis> Synthesizer::run() {
  if (m_task.deviceOfStage.empty() || m_task.costs == nullptr ||
      m_task.costs->stage.size() != m_task.deviceOfStage.size() ||
      m_task.costs->stage.front().empty()) {
    return fail(ErrorCode::Invalid, "the stages of the schedule \"auto\" have no costs");
  }
  m_lowest = lowestStep(m_task.deviceOfStage, *m_task.costs, m_task.caps);
  STAGELANE_CHECK(judgeNamed());
  const bool proven = !m_judged.empty() && best().fits() && best().stepNs <= m_lowest;
  if (proven) return answer();
  for (const double effort : {std::min(kQuickSearch, m_task.effort), m_task.effort}) {
    const bool enough = effort <= kQuickSearch || m_cutShort || !isWanted(m_task.goesOn);
    if (m_timings > 0 && enough) break;
    STAGELANE_CHECK(search(m_task.caps, effort));
  }
  // If nothing fits the caps, an order that exceeds them is better than none.
  if (m_judged.empty()) {
    if (auto status = search({}, m_task.effort); !status)
      return tl::make_unexpected(status.error());
  }
  return answer();
}

}  // namespace

MemoryCaps capsOf(const plan::Experiment& experiment, const std::vector<DeviceId>& rows) {
  MemoryCaps caps;
  for (const DeviceId& row : rows) {
    caps.bytes.push_back(plan::memoryLimit(experiment, row).value_or(0));
  }
  return caps;
}

Result<Synthesis> synthesize(const SynthesisTask& task) { return Synthesizer(task).run(); }

std::vector<std::vector<int>> layoutsFor(int devices, int chunks) {
  std::vector<int> loop;
  std::vector<int> folded;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    for (int device = 0; device < devices; ++device) {
      loop.push_back(device);
      folded.push_back(chunk % 2 == 0 ? device : devices - 1 - device);
    }
  }
  if (chunks == 2 && devices > 1) return {loop, folded};
  return {loop};
}

predict::PlanCosts unitCosts(const std::vector<int>& deviceOfStage, int microBatches) {
  predict::StageCost unit;
  unit.forward = unit.backwardInput = unit.backwardWeight = 1;
  unit.backward = 2;
  unit.savedBytes = 1;
  predict::PlanCosts costs;
  costs.stage.assign(deviceOfStage.size(),
                     std::vector<predict::StageCost>(static_cast<std::size_t>(microBatches), unit));
  return costs;
}

Result<Synthesis> synthesizeUnit(int devices, int microBatches, const OnTried& onTried) {
  auto one = synthesizeUnit(devices, microBatches, 1, onTried);
  const std::int64_t actions = std::int64_t{3} * devices * 2 * microBatches;
  if (!one || devices == 1 || actions > schedule::kMostActions) return one;
  auto two = synthesizeUnit(devices, microBatches, 2, onTried);
  // Each chunk of two has unit costs, so a device's whole part takes twice as long as with one.
  if (!two) return one;
  const bool cutShort = one->cutShort || two->cutShort;
  auto& better = two->stepNs < 2 * one->stepNs ? two : one;
  better->cutShort = cutShort;
  return std::move(better);
}

Result<Synthesis> synthesizeUnit(int devices, int microBatches, int chunks,
                                 const OnTried& onTried) {
  const std::int64_t actions = std::int64_t{3} * devices * chunks * microBatches;
  if (devices < 1 || devices > schedule::kMostDevices || chunks < 1 || microBatches < 1 ||
      actions > schedule::kMostActions) {
    return fail(ErrorCode::Invalid, "the search does not support this size", {},
                "use fewer devices, chunks or micro-batches");
  }
  std::optional<Synthesis> best;
  for (const std::vector<int>& layout : layoutsFor(devices, chunks)) {
    const predict::PlanCosts costs = unitCosts(layout, microBatches);
    auto found = synthesize({layout, &costs, {}, {}, 1.0, {}, onTried});
    if (!found) return found;
    const bool cutShort = found->cutShort || (best && best->cutShort);
    if (!best || found->stepNs < best->stepNs) best = std::move(*found);
    best->cutShort = cutShort;
  }
  return std::move(*best);
}

}  // namespace stagelane::search
