#pragma once

/// Loads the experiment document of an argument (a file, a preset, a run folder) and applies
/// `--set`. plan::readExperiment reads the document into typed values.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"

namespace stagelane::app {

struct ExperimentSource {
  Json document;
  std::filesystem::path file;  ///< the file that was read
  std::string baseFolder;      ///< resolves relative paths inside the document
  bool changed = false;        ///< `--set` changed the document
};

/// Folder of the presets: the installed one, or that of the source tree; "" if there is none.
[[nodiscard]] std::filesystem::path presetFolder();
/// Names, sorted.
[[nodiscard]] std::vector<std::string> presetNames();
[[nodiscard]] std::optional<std::filesystem::path> presetFile(const std::string& name);

/// The file of `argument`: a preset's name, a path, or a run folder's experiment.json.
/// @errors Invalid, with the available presets
[[nodiscard]] Result<std::filesystem::path> resolveExperiment(const std::string& argument);

/// `sets` are the arguments of `--set`, `/json/pointer=VALUE`.
/// @errors Usage (malformed `--set`), Invalid (no such file or pointer, malformed JSON)
[[nodiscard]] Result<ExperimentSource> loadExperiment(const std::string& argument,
                                                      const std::vector<std::string>& sets);

/// The devices that `{"auto": n}` may use. Runs the engine only if the document contains `auto`,
/// because that takes time; without an engine, returns only CPU workers.
[[nodiscard]] plan::MachineDevices machineFor(const Json& document);

/// Loads and reads. @errors as loadExperiment and plan::readExperiment
struct LoadedExperiment {
  ExperimentSource source;
  plan::Experiment experiment;
};
/// `costs` are used to search for placements and `auto`; null for estimates.
[[nodiscard]] Result<LoadedExperiment> readExperimentArgument(
    const std::string& argument, const std::vector<std::string>& sets,
    const predict::CostTable* costs = nullptr);

/// Reads the document again with new costs, which decide `optimal` placements and the layout of
/// `auto`. No change without costs. @errors as above
[[nodiscard]] Status readAgain(LoadedExperiment& loaded, const predict::CostTable* costs);

/// The document with absolute paths, for a copy in another folder.
[[nodiscard]] Json withAbsolutePaths(Json document, const std::string& baseFolder);

}  // namespace stagelane::app
