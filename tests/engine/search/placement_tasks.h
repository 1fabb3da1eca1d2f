#pragma once

/// An experiment with random costs, and all its cuts, for the tests of placements and suggestions.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/search/placement.h"
#include "engine/search/random.h"
#include "engine/search/resolve.h"

namespace stagelane::search {

/// ResNet-18 at 32²: 14 blocks.
inline plan::Experiment resnet18(int devices, int batch, const std::string& memory = "") {
  Json list = Json::array();
  for (int d = 0; d < devices; ++d) {
    const std::string id = "cpu:" + std::to_string(d);
    list.push_back(memory.empty() ? Json(id) : Json{{"id", id}, {"max_memory", memory}});
  }
  const Json document{{"stagelane", 1},
                      {"name", "placement"},
                      {"model", {{"zoo", "resnet18"}}},
                      {"input", {{"shape", {3, 32, 32}}}},
                      {"data", {{"labels", "normal"}, {"batch_size", batch}}},
                      {"loss", "mse"},
                      {"devices", list},
                      {"variants", {{{"strategy", "single"}}}}};
  return plan::readExperiment(document, "", {}).value();
}

/// Every block has a different cost on every device, and so has every link.
inline predict::CostTable randomTable(const plan::Experiment& experiment, std::uint64_t seed) {
  Random random(seed);
  const auto time = [&] { return static_cast<TimeNs>(1'000'000 + random.below(9'000'000)); };
  predict::CostTable table;
  for (const model::Block& block : experiment.model->blocks) {
    for (const plan::DeviceSpec& device : experiment.devices) {
      predict::CostPoint point;
      point.samples = 4;
      point.forward = time();
      point.backwardInput = time();
      point.backwardWeight = time();
      point.backward = point.backwardInput + point.backwardWeight;
      point.outputBytes = 1000;
      point.savedBytes = 1000;
      table.blocks.push_back({block.name, device.id, 0, {point}, 0, {}});
    }
  }
  for (const plan::DeviceSpec& from : experiment.devices) {
    for (const plan::DeviceSpec& to : experiment.devices) {
      if (from.id != to.id) table.links.push_back({from.id, to.id, 100'000, 1e9});
    }
  }
  return table;
}

/// One stage on each device.
inline PlacementTask taskOf(const plan::Experiment& experiment, const predict::CostTable* table) {
  PlacementTask task;
  task.experiment = &experiment;
  task.table = table;
  task.variant.schedule = "1f1b";
  task.variant.splitSize = 4;
  for (std::size_t device = 0; device < experiment.devices.size(); ++device) {
    task.rowOfStage.push_back(static_cast<int>(device));
  }
  return task;
}

inline void everyCut(std::size_t blocks, std::size_t parts,
                     const std::function<void(const std::vector<std::size_t>&)>& visit) {
  std::vector<std::size_t> firsts{0};
  const std::function<void()> extend = [&] {
    if (firsts.size() == parts) return visit(firsts);
    for (std::size_t next = firsts.back() + 1; next < blocks; ++next) {
      firsts.push_back(next);
      extend();
      firsts.pop_back();
    }
  };
  extend();
}

inline Result<plan::Experiment> readResolved(const Json& document,
                                             const predict::CostTable& table) {
  auto experiment = plan::readExperiment(document, "", {});
  if (!experiment) return experiment;
  return resolveStages(std::move(*experiment), &table);
}

}  // namespace stagelane::search
