#pragma once

/// Cost tables that were measured on this machine, kept in `WORKSPACE/calibrations`: a file for
/// each thing that is trained (model, input, dtype, precision, memory format and what else changes
/// times), with the machine that it was measured on. Found and listed without LibTorch.

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

/// What times depend on beside what is trained. What is empty is not known and not compared.
struct Machine {
  std::string cpu;                          ///< name of the processor
  int cores = 0;                            ///< that a process may use; 0: unknown
  std::map<std::string, std::string> gpus;  ///< device id → name
  std::string libTorch;
};
/// Processor and cores of this machine, and the LibTorch that its engine is built with; no GPUs.
[[nodiscard]] Machine thisMachine();
/// The machine that an `environment.json` document describes.
[[nodiscard]] Machine machineOf(const Json& environment);

/// What makes times of one machine doubtful on another, in words: "the processor was X"; none where
/// nothing that both know differs.
[[nodiscard]] std::vector<std::string> differences(const Machine& measured, const Machine& here);

/// What a table that was read from a file is to be taken for on this machine: Calibrated or Stale
/// where it says what measured it, else File.
[[nodiscard]] predict::Basis basisOf(const predict::CostTable& table, const Machine& machine);

/// Name of the file that holds what is measured for an experiment: model and a hash of all that
/// the times depend on.
[[nodiscard]] std::string calibrationKey(const plan::Experiment& experiment);

/// A stored table. Its basis is Calibrated, or Stale when another machine or LibTorch measured it.
struct StoredCalibration {
  predict::CostTable table;
  Machine machine;
  std::filesystem::path file;
};
/// The table of the experiment's model; nothing where none is stored.
/// @errors Invalid: the file is damaged
[[nodiscard]] Result<std::optional<StoredCalibration>> findCalibration(
    const std::filesystem::path& workspace, const plan::Experiment& experiment,
    const Machine& machine);

/// Whether the table has the devices and thread counts of every included variant.
[[nodiscard]] bool covers(const predict::CostTable& table, const plan::Experiment& experiment);

/// The first device and thread count of an included variant that the table lacks, in words
/// ("cpu:0 with 2 threads"); empty where it covers them.
[[nodiscard]] std::string lacks(const predict::CostTable& table,
                                const plan::Experiment& experiment);

/// Stores a table; points of other sizes, devices and thread counts that were measured on the same
/// machine stay. `table.origin` says where it comes from (`environment`, `measured_at`).
/// @returns the file. @errors CannotWrite
[[nodiscard]] Result<std::filesystem::path> storeCalibration(const std::filesystem::path& workspace,
                                                             const plan::Experiment& experiment,
                                                             const predict::CostTable& table);

/// `newer` over `older`: every point, link and factor of either, the newer where both have it.
[[nodiscard]] predict::CostTable merged(const predict::CostTable& older,
                                        const predict::CostTable& newer);

}  // namespace stagelane::workspace
