#include "ui/session/document/stage_memory.h"

#include <array>
#include <string_view>

#include "engine/search/resolve.h"

namespace stagelane::ui {
namespace {

constexpr std::size_t kMostAnswers = 1000;

/// Actions simulated without waiting: a few milliseconds of work.
constexpr double kOffhandWork = 2000.0;

/// Members that no plan depends on.
constexpr std::array<std::string_view, 6> kElsewhere{"variants", "name",  "repeat",
                                                     "warmup",   "trace", "verify_gradients"};

std::string keyOf(const plan::Experiment& experiment) {
  std::string key;
  // The document may name a file, which can change.
  for (const model::Block& block : experiment.model->blocks) key += block.name + ",";
  for (const auto& entry : experiment.source.items()) {
    bool counts = true;
    for (const std::string_view word : kElsewhere) counts = counts && entry.key() != word;
    if (counts) key += entry.key() + ":" + entry.value().dump() + ";";
  }
  return key;
}

std::string devicesKey(const plan::Experiment& experiment) {
  std::string key = experiment.model->name + "," + std::to_string(experiment.model->blocks.size());
  for (const plan::DeviceSpec& device : experiment.devices) key += "," + device.id.value;
  return key + ";";
}

std::string keyOf(const std::vector<plan::Stage>& stages) {
  std::string key;
  for (const plan::Stage& stage : stages) {
    key += std::to_string(stage.firstBlock) + "-" + std::to_string(stage.lastBlock) + "@" +
           stage.group.text() + ",";
  }
  return key + ";";
}

std::string keyOf(const plan::WantedStages& wanted) {
  std::string key = std::to_string(static_cast<int>(wanted.layout)) + "," +
                    std::to_string(wanted.chunks) + (wanted.fewer ? "f" : "");
  for (const int row : wanted.fileRows) key += "," + std::to_string(row);
  return key + ";";
}

/// What the stages of an open variant depend on besides the experiment.
std::string keyOf(const plan::Variant& variant) {
  const plan::OpenStages& open = *variant.open;
  std::string key = keyOf(open.runs) + std::to_string(static_cast<int>(open.strategy)) + "," +
                    std::to_string(static_cast<int>(open.recompute)) + "," +
                    std::to_string(open.samples) + ";";
  for (const plan::WantedStages& wanted : open.layouts) key += keyOf(wanted);
  if (open.layouts.size() > 1) {
    key += variant.schedule + "," + std::to_string(variant.splitSize) + "," +
           std::to_string(static_cast<int>(variant.recompute)) + "," +
           std::to_string(variant.threads) + ";";
  }
  return key;
}

/// What old and new stages must have in common so that the old ones can stand in.
std::string latestKeyOf(const plan::Variant& variant) {
  std::string key = variant.tab + ";";
  for (const plan::WantedStages& wanted : variant.open->layouts) key += keyOf(wanted);
  return key;
}

}  // namespace

void StageMemory::resolve(plan::Experiment& experiment, const Costs& costs, const GoesOn& goesOn) {
  resolve(experiment, costs, goesOn, Way::Search);
}

void StageMemory::resolveOffhand(plan::Experiment& experiment, const Costs& costs) {
  resolve(experiment, costs, {}, Way::Offhand);
}

void StageMemory::resolve(plan::Experiment& experiment, const Costs& costs, const GoesOn& goesOn,
                          Way way) {
  if (costs != m_costs) {
    m_costs = costs;
    m_exact.clear();
  }
  m_missing = false;
  double workLeft = kOffhandWork;
  const std::string document = keyOf(experiment);
  const std::string devices = devicesKey(experiment);
  search::StageSearch search(experiment, m_costs.get(), goesOn);
  for (plan::Variant& variant : experiment.variants) {
    if (!variant.open) continue;
    auto found = m_exact.find(document + keyOf(variant));
    const std::string latest = devices + latestKeyOf(variant);
    if (found == m_exact.end()) {
      workLeft -= search::searchWork(experiment, variant);
      const bool may = way == Way::Search ? isWanted(goesOn) : workLeft >= 0.0;
      if (!may) {
        m_missing = true;
        const auto before = m_latest.find(latest);
        plan::setStages(*experiment.model,
                        before == m_latest.end() ? search.rough(variant) : before->second, variant);
        continue;
      }
      ++m_searches;
      found = m_exact.emplace(document + keyOf(variant), search.find(variant)).first;
    }
    m_latest[latest] = found->second;
    plan::setStages(*experiment.model, found->second, variant);
    variant.open.reset();
  }
}

void StageMemory::learn(const StageMemory& copy) {
  if (copy.m_costs == m_costs) {
    m_exact = copy.m_exact;
    m_latest = copy.m_latest;
  }
}

void StageMemory::forgetIfFull() {
  if (m_exact.size() >= kMostAnswers) {
    m_exact.clear();
    m_latest.clear();
  }
}

}  // namespace stagelane::ui
