#pragma once

/// Cost tables measured on this machine, stored in `WORKSPACE/calibrations`: one file per training
/// configuration (model, input, dtype, precision, memory format and other inputs of the times),
/// with the machine that measured it. Works without LibTorch.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"

namespace stagelane::workspace {

/// The machine properties that times depend on. Empty members are unknown and not compared.
struct Machine {
  std::string cpu;                          ///< processor name
  int cores = 0;                            ///< available to a process; 0: unknown
  std::map<std::string, std::string> gpus;  ///< device id → name
  std::string libTorch;
};
/// Processor and cores of this machine, and the LibTorch version of its engine; no GPUs.
[[nodiscard]] Machine thisMachine();
/// The machine described by an `environment.json` document.
[[nodiscard]] Machine machineOf(const Json& environment);

/// Differences that make one machine's times unreliable on another, as text: "the processor was X";
/// none if all known properties agree.
[[nodiscard]] std::vector<std::string> differences(const Machine& measured, const Machine& here);

/// The basis of a table read from a file, on this machine: Calibrated or Stale if it names the
/// machine that measured it, else File.
[[nodiscard]] predict::Basis basisOf(const predict::CostTable& table, const Machine& machine);

/// File name of an experiment's cost table: model and a hash of all inputs of the times.
[[nodiscard]] std::string calibrationKey(const plan::Experiment& experiment);

/// A stored table. Its basis is Calibrated, or Stale if another machine or LibTorch version
/// measured it.
struct StoredCalibration {
  predict::CostTable table;
  Machine machine;
  std::filesystem::path file;
};
/// The table of the experiment's model; empty if none is stored.
/// @errors Invalid: the file is damaged
[[nodiscard]] Result<std::optional<StoredCalibration>> findCalibration(
    const std::filesystem::path& workspace, const plan::Experiment& experiment,
    const Machine& machine);

/// Whether the table has the devices and thread counts of every included variant.
[[nodiscard]] bool covers(const predict::CostTable& table, const plan::Experiment& experiment);

/// The first device and thread count of an included variant that the table lacks ("cpu:0 with 2
/// threads"); empty if it covers them all.
[[nodiscard]] std::string lacks(const predict::CostTable& table,
                                const plan::Experiment& experiment);

/// Stores a table, keeping points of other sizes, devices and thread counts measured on the same
/// machine. `table.origin` describes the source (`environment`, `measured_at`).
/// @returns the file. @errors CannotWrite
[[nodiscard]] Result<std::filesystem::path> storeCalibration(const std::filesystem::path& workspace,
                                                             const plan::Experiment& experiment,
                                                             const predict::CostTable& table);

/// The union of points, links and factors; `newer` wins where both have an entry.
[[nodiscard]] predict::CostTable merged(const predict::CostTable& older,
                                        const predict::CostTable& newer);

}  // namespace stagelane::workspace
