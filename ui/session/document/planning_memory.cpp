#include "ui/session/document/planning_memory.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/search/placement.h"

namespace stagelane::ui {
namespace {

constexpr std::size_t kMostAnswers = 1000;

/// What one reading may play offhand, some milliseconds of work.
constexpr double kOffhandWork = 2000.0;
/// Cuts that the search for a placement plays.
constexpr double kCuts = 15.0;
/// What the choice of a layout for `auto` takes for each, in plays of it.
constexpr double kPlaysOfLayout = 20.0;

/// What of a document no plan depends on.
constexpr std::array<std::string_view, 6> kElsewhere{"variants", "name",  "repeat",
                                                     "warmup",   "trace", "verify_gradients"};

std::string keyOf(const plan::Experiment& experiment) {
  std::string key;
  // The document may name a file, which changes by itself.
  for (const model::Block& block : experiment.model->blocks) {
    key += block.name + ",";
  }
  for (const auto& entry : experiment.source.items()) {
    bool counts = true;
    for (const std::string_view word : kElsewhere) {
      counts = counts && entry.key() != word;
    }
    if (counts) {
      key += entry.key() + ":" + entry.value().dump() + ";";
    }
  }
  return key;
}

std::string keyOf(const plan::Variant& variant) {
  std::string key = std::to_string(static_cast<int>(variant.strategy)) + "," + variant.schedule;
  for (const std::int64_t number :
       {variant.splitSize, variant.chunks, static_cast<std::int64_t>(variant.recompute),
        static_cast<std::int64_t>(variant.threads)}) {
    key += "," + std::to_string(number);
  }
  for (const plan::Stage& stage : variant.stages) {
    key += "," + std::to_string(stage.firstBlock) + "-" + std::to_string(stage.lastBlock) + "@" +
           stage.device.value;
  }
  return key + ";";
}

std::string devicesKey(const plan::Experiment& experiment) {
  std::string key = experiment.model->name + "," + std::to_string(experiment.model->blocks.size());
  for (const plan::DeviceSpec& device : experiment.devices) {
    key += "," + device.id.value;
  }
  return key + ";";
}

/// Compute actions of one step.
double actionsOf(const plan::Experiment& experiment, const plan::Variant& variant,
                 std::size_t stages) {
  const std::int64_t batch = std::max<std::int64_t>(1, experiment.data.batchSize);
  const std::int64_t size = variant.splitSize > 0 ? std::min(variant.splitSize, batch) : batch;
  return 2.0 * static_cast<double>((batch + size - 1) / size) * static_cast<double>(stages);
}

}  // namespace

PlanningMemory::PlanningMemory()
    : PlanningMemory([](const predict::CostTable* costs, const GoesOn& goesOn) {
        return search::planningWith(costs, goesOn);
      }) {}

PlanningMemory::PlanningMemory(Planner planner) : m_planner(std::move(planner)) {}

plan::Planning PlanningMemory::planningWith(const Costs& costs, GoesOn goesOn) {
  m_goesOn = std::move(goesOn);
  setCosts(costs);
  m_offhand = false;
  return planning();
}

plan::Planning PlanningMemory::planningOffhand(const Costs& costs) {
  m_goesOn = {};
  setCosts(costs);
  m_offhand = true;
  m_missing = false;
  m_workLeft = kOffhandWork;
  return planning();
}

void PlanningMemory::setCosts(const Costs& costs) {
  if (costs != m_costs) {
    m_costs = costs;
    m_stages.exact.clear();
    m_layouts.exact.clear();
  }
  m_planning = m_planner(m_costs.get(), m_goesOn);
}

void PlanningMemory::learn(const PlanningMemory& copy) {
  if (copy.m_costs == m_costs) {
    m_stages = copy.m_stages;
    m_layouts = copy.m_layouts;
  }
}

void PlanningMemory::forgetIfFull() {
  if (m_stages.exact.size() + m_layouts.exact.size() >= kMostAnswers) {
    m_stages = {};
    m_layouts = {};
  }
}

bool PlanningMemory::mayAsk(double work) {
  if (!m_offhand) {
    return isWanted(m_goesOn);
  }
  m_workLeft -= work;
  return m_workLeft >= 0.0;
}

template <class Answer, class Ask>
Answer PlanningMemory::answer(Known<Answer>& known, const Question& question, const Ask& ask) {
  auto found = known.exact.find(question.exact);
  if (found == known.exact.end()) {
    if (!mayAsk(question.work)) {
      m_missing = true;
      const auto before = known.latest.find(question.latest);
      return before == known.latest.end() ? Answer{} : before->second;
    }
    found = known.exact.emplace(question.exact, ask()).first;
  }
  known.latest[question.latest] = found->second;
  return found->second;
}

plan::Planning PlanningMemory::planning() {
  plan::Planning planning;
  planning.blockTimes = m_planning.blockTimes;
  if (m_planning.optimalStages) {
    planning.optimalStages = [this](const plan::Experiment& experiment,
                                    const plan::Variant& variant,
                                    const std::vector<int>& rowOfStage) {
      std::string rows;
      for (const int row : rowOfStage) {
        rows += std::to_string(row) + ",";
      }
      const Question question{keyOf(experiment) + keyOf(variant) + rows,
                              devicesKey(experiment) + variant.name + ";" + rows,
                              kCuts * actionsOf(experiment, variant, rowOfStage.size())};
      return answer(m_stages, question,
                    [&] { return m_planning.optimalStages(experiment, variant, rowOfStage); });
    };
  }
  if (m_planning.chooseLayout) {
    planning.chooseLayout = [this](const plan::Experiment& experiment,
                                   const std::vector<plan::Variant>& layouts) {
      Question question{keyOf(experiment), devicesKey(experiment) + layouts.front().tab, 0.0};
      for (const plan::Variant& layout : layouts) {
        question.exact += keyOf(layout);
        question.latest += "," + std::to_string(layout.stages.size());
        question.work += kPlaysOfLayout * actionsOf(experiment, layout, layout.stages.size());
      }
      return answer(m_layouts, question,
                    [&] { return m_planning.chooseLayout(experiment, layouts); });
    };
  }
  return planning;
}

}  // namespace stagelane::ui
