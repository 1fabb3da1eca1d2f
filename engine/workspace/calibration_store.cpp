#include "engine/workspace/calibration_store.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <set>
#include <system_error>
#include <tuple>

#include "engine/base/files.h"
#include "engine/base/find.h"
#include "engine/base/text.h"
#include "engine/base/text_member.h"
#include "engine/plan/hosts.h"
#include "engine/plan/imagined.h"
#include "engine/plan/rows.h"
#include "engine/predict/simulator.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

// The engine is built with this LibTorch and rejects other versions (cmake/Torch.cmake).
constexpr const char* kLibTorch = "2.11.0";

std::string cpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
      const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
      return begin == std::string::npos ? "" : line.substr(begin);
    }
  }
  return "";
}

int allowedCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 0;
}

/// FNV-1a, 64 bits: sufficient for short names.
std::string hashOf(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

/// The hosts in the names of the devices. Their times are in tables of their own.
std::set<std::string> hostsOf(const plan::Experiment& experiment) {
  std::set<std::string> hosts;
  for (const plan::DeviceSpec& device : experiment.devices) {
    hosts.insert(plan::hostOf(plan::realDevice(device)));
  }
  hosts.erase("");
  return hosts;
}

/// Everything that a block's time depends on, except the machine. A model is identified by its
/// blocks and their shapes, not by its path.
Json trained(const plan::Experiment& experiment) {
  Json blocks = Json::array();
  const auto shapes = experiment.shapesAt(2);
  for (std::size_t i = 0; i < experiment.model->blocks.size(); ++i) {
    Json block{{"name", experiment.model->blocks[i].name},
               {"calls", experiment.model->blocks[i].calls.size()}};
    if (shapes) {
      const model::BlockCost& cost = (*shapes)->blocks[i];
      block["parameters"] = cost.parameters;
      block["macs"] = cost.macs;
      block["saved"] = cost.savedBytes;
      block["outputs"] = cost.outputShapes;
    }
    blocks.push_back(std::move(block));
  }
  const plan::OptimizerSpec& optimizer = experiment.optimizer;
  return {{"blocks", std::move(blocks)},
          {"input", experiment.input},
          {"dtype", experiment.dtype == model::DType::Float64 ? "float64" : "float32"},
          {"precision", plan::word(experiment.precision)},
          {"channels_last", experiment.memoryFormat == plan::MemoryFormat::ChannelsLast},
          {"caching", experiment.allocator == plan::AllocatorKind::Caching},
          {"infer", experiment.task == plan::Task::Infer},
          {"deferred", experiment.batchNorm == plan::BatchNormMode::Deferred},
          {"loss", static_cast<int>(experiment.loss)},
          {"optimizer", optimizer.kind},
          {"states", plan::optimizerStates(optimizer)},
          {"decay", optimizer.weightDecay != 0.0}};
}

Json at(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) ? json.at(key) : Json();
}

template <class T>
bool differ(const T& a, const T& b) {
  return a != T{} && b != T{} && a != b;
}

fs::path fileOf(const fs::path& workspace, const plan::Experiment& experiment) {
  return workspace / "calibrations" / (calibrationKey(experiment) + ".json");
}

bool has(const predict::CostTable& table, const DeviceId& device, int threads) {
  return std::any_of(
      table.blocks.begin(), table.blocks.end(), [&](const predict::BlockCosts& block) {
        if (block.device) return *block.device == device;
        return block.threads == 0 || (plan::isCpuWorker(device) && block.threads == threads);
      });
}

void mergePoints(std::vector<predict::CostPoint>& into,
                 const std::vector<predict::CostPoint>& newer) {
  for (const predict::CostPoint& point : newer) {
    const auto place = std::lower_bound(
        into.begin(), into.end(), point.samples,
        [](const predict::CostPoint& a, std::int64_t samples) { return a.samples < samples; });
    if (place != into.end() && place->samples == point.samples) {
      *place = point;
    } else {
      into.insert(place, point);
    }
  }
}

}  // namespace

Machine thisMachine() { return {cpuName(), allowedCores(), {}, kLibTorch}; }

Machine machineOf(const Json& environment) {
  Machine machine;
  machine.cpu = textMember(environment, "cpu");
  if (const Json cores = at(environment, "cores_allowed"); cores.is_number_integer()) {
    machine.cores = cores.get<int>();
  }
  const std::string torch = textMember(environment, "torch");
  machine.libTorch = torch.substr(0, torch.find('+'));
  for (const Json& device : at(environment, "devices")) {
    if (const std::string id = textMember(device, "id"); plan::isGpu({id})) {
      machine.gpus[id] = textMember(device, "name");
    }
  }
  return machine;
}

std::vector<std::string> differences(const Machine& measured, const Machine& here) {
  std::vector<std::string> words;
  if (differ(measured.cpu, here.cpu)) words.push_back("the processor was " + measured.cpu);
  if (differ(measured.cores, here.cores)) {
    words.push_back("it had " + std::to_string(measured.cores) + " cores, now " +
                    std::to_string(here.cores));
  }
  if (differ(measured.libTorch, here.libTorch)) {
    words.push_back("LibTorch was " + measured.libTorch + ", now " + here.libTorch);
  }
  for (const auto& [id, name] : measured.gpus) {
    const auto other = here.gpus.find(id);
    if (other != here.gpus.end() && other->second != name) {
      words.push_back(id + " was " + name + ", now " + other->second);
    }
  }
  return words;
}

predict::Basis basisOf(const predict::CostTable& table, const Machine& machine) {
  const Json environment = at(table.origin, "environment");
  if (!environment.is_object()) return predict::Basis::File;
  return differences(machineOf(environment), machine).empty() ? predict::Basis::Calibrated
                                                              : predict::Basis::Stale;
}

std::string calibrationKey(const plan::Experiment& experiment) {
  const Json model = at(experiment.source, "model");
  const std::string name = textMember(model, "zoo").empty() ? "model" : textMember(model, "zoo");
  Json inputs = trained(experiment);
  std::string place;
  for (const std::string& host : hostsOf(experiment)) {
    inputs["hosts"].push_back(host);
    place += "-" + slug(host);
  }
  return slug(name) + place + "-" + hashOf(inputs.dump());
}

Result<std::optional<StoredCalibration>> findCalibration(const fs::path& workspace,
                                                         const plan::Experiment& experiment,
                                                         const Machine& machine) {
  const fs::path file = fileOf(workspace, experiment);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::nullopt;
  auto table = predict::readCostTable(file.string());
  if (!table) {
    Error error = table.error();
    error.hint = "remove the file and calibrate again";
    return tl::make_unexpected(std::move(error));
  }
  StoredCalibration stored{std::move(*table), {}, file};
  stored.machine = machineOf(at(stored.table.origin, "environment"));
  stored.table.basis = basisOf(stored.table, machine);
  return stored;
}

bool covers(const predict::CostTable& table, const plan::Experiment& experiment) {
  return lacks(table, experiment).empty();
}

std::string lacks(const predict::CostTable& table, const plan::Experiment& experiment) {
  for (const plan::Variant& variant : experiment.variants) {
    if (!variant.include) continue;
    const int threads = variant.threads > 0 ? variant.threads : experiment.threadsPerCpuWorker;
    for (const DeviceId& row : plan::rowsOf(variant)) {
      const DeviceId device = plan::realDevice(experiment.devices, row);
      if (!has(table, device, threads)) {
        return plan::isCpuWorker(device) ? device.value + " with " + std::to_string(threads) +
                                               (threads == 1 ? " thread" : " threads")
                                         : device.value;
      }
    }
  }
  return {};
}

predict::CostTable merged(const predict::CostTable& older, const predict::CostTable& newer) {
  predict::CostTable table = newer;
  for (const predict::BlockCosts& block : older.blocks) {
    auto* same = findIf(table.blocks, [&](const predict::BlockCosts& other) {
      return other.name == block.name && other.device == block.device &&
             other.threads == block.threads;
    });
    if (same == nullptr) {
      table.blocks.push_back(block);
      continue;
    }
    std::vector<predict::CostPoint> points = block.points;
    mergePoints(points, same->points);
    same->points = std::move(points);
  }
  for (const predict::LinkCost& link : older.links) {
    const bool known =
        std::any_of(table.links.begin(), table.links.end(), [&](const predict::LinkCost& other) {
          return other.from == link.from && other.to == link.to;
        });
    if (!known) table.links.push_back(link);
  }
  for (const predict::ProcessLink& link : older.processLinks) {
    const auto same = [&link](const predict::ProcessLink& other) {
      return other.from == link.from && other.to == link.to;
    };
    if (std::none_of(table.processLinks.begin(), table.processLinks.end(), same)) {
      table.processLinks.push_back(link);
    }
  }
  if (!table.processSums) table.processSums = older.processSums;
  table.optimizerNs.insert(older.optimizerNs.begin(), older.optimizerNs.end());
  table.contention.insert(older.contention.begin(), older.contention.end());
  std::vector<predict::CostPoint> loss = older.loss;
  mergePoints(loss, table.loss);
  table.loss = std::move(loss);
  return table;
}

Result<fs::path> storeCalibration(const fs::path& workspace, const plan::Experiment& experiment,
                                  const predict::CostTable& table) {
  const fs::path file = fileOf(workspace, experiment);
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) {
    return fail(ErrorCode::CannotWrite, "cannot create the folder: " + failed.message(),
                file.parent_path().string(), "set STAGELANE_WORKSPACE to a writable folder",
                {FailureKind::Workspace});
  }
  const Machine machine = machineOf(at(table.origin, "environment"));
  predict::CostTable kept = table;
  // Replaces tables from another machine and unreadable ones.
  const auto older = findCalibration(workspace, experiment, machine);
  if (older && *older && (*older)->table.basis == predict::Basis::Calibrated) {
    kept = merged((*older)->table, table);
  }
  kept.origin["model"] = at(experiment.source, "model");
  kept.origin["input"] = experiment.input;
  STAGELANE_CHECK(writeFileAtomically(file, predict::toJson(kept).dump(1) + "\n"));
  return file;
}

}  // namespace stagelane::workspace
