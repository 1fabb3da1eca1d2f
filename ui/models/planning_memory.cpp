#include "ui/models/planning_memory.h"

#include <array>
#include <string_view>
#include <utility>

#include "engine/predict/placement.h"

namespace stagelane::ui {
namespace {

/// More than a person's sweeps have; then all is forgotten.
constexpr std::size_t kMostAnswers = 1000;

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

template <class Answer, class Ask>
Answer remembered(std::map<std::string, Answer>& known, std::string key, const Ask& ask) {
  const auto found = known.find(key);
  if (found != known.end()) {
    return found->second;
  }
  if (known.size() >= kMostAnswers) {
    known.clear();
  }
  return known.emplace(std::move(key), ask()).first->second;
}

}  // namespace

PlanningMemory::PlanningMemory()
    : PlanningMemory([](const predict::CostTable* costs) { return predict::planningWith(costs); }) {
}

PlanningMemory::PlanningMemory(Planner planner) : m_planner(std::move(planner)) {}

plan::Planning PlanningMemory::planningWith(const Costs& costs) {
  if (costs != m_costs) {
    m_costs = costs;
    m_stages.clear();
    m_layouts.clear();
  }
  m_planning = m_planner(m_costs.get());
  plan::Planning planning;
  planning.blockTimes = m_planning.blockTimes;
  if (m_planning.optimalStages) {
    planning.optimalStages = [this](const plan::Experiment& experiment,
                                    const plan::Variant& variant,
                                    const std::vector<int>& rowOfStage) {
      std::string key = keyOf(experiment) + keyOf(variant);
      for (const int row : rowOfStage) {
        key += std::to_string(row) + ",";
      }
      return remembered(m_stages, std::move(key),
                        [&] { return m_planning.optimalStages(experiment, variant, rowOfStage); });
    };
  }
  if (m_planning.chooseLayout) {
    planning.chooseLayout = [this](const plan::Experiment& experiment,
                                   const std::vector<plan::Variant>& layouts) {
      std::string key = keyOf(experiment);
      for (const plan::Variant& layout : layouts) {
        key += keyOf(layout);
      }
      return remembered(m_layouts, std::move(key),
                        [&] { return m_planning.chooseLayout(experiment, layouts); });
    };
  }
  return planning;
}

}  // namespace stagelane::ui
