#pragma once

/// From what a person names (a file, a preset, a run folder) to an experiment document, with
/// `--set` applied. Reading the document into typed values is plan::readExperiment's.

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
  std::filesystem::path file;  ///< what was read
  std::string baseFolder;      ///< resolves relative paths inside the document
  bool changed = false;        ///< `--set` made it differ from the file
};

/// Folder of the presets: installed beside the program, or the source tree's; "" for neither.
[[nodiscard]] std::filesystem::path presetFolder();
/// Names, sorted.
[[nodiscard]] std::vector<std::string> presetNames();
[[nodiscard]] std::optional<std::filesystem::path> presetFile(const std::string& name);

/// The file that `argument` means: a preset's name, a path, or a run folder's experiment.json.
/// @errors Invalid, with the presets there are
[[nodiscard]] Result<std::filesystem::path> resolveExperiment(const std::string& argument);

/// `sets` are the arguments of `--set`, `/json/pointer=VALUE`.
/// @errors Usage (malformed `--set`), Invalid (no such file or pointer, malformed JSON)
[[nodiscard]] Result<ExperimentSource> loadExperiment(const std::string& argument,
                                                      const std::vector<std::string>& sets);

/// What `{"auto": n}` may use. Asks the engine only when the document says `auto`, since that takes
/// a moment; without an engine there are CPU workers alone.
[[nodiscard]] plan::MachineDevices machineFor(const Json& document);

/// Load and read. @errors as loadExperiment and plan::readExperiment
struct LoadedExperiment {
  ExperimentSource source;
  plan::Experiment experiment;
};
/// `costs` are what placements and `auto` are searched for with; null: estimates.
[[nodiscard]] Result<LoadedExperiment> readExperimentArgument(
    const std::string& argument, const std::vector<std::string>& sets,
    const predict::CostTable* costs = nullptr);

/// Reads the same document again with costs that became known: `optimal` placements are cut, and
/// the layout of `auto` is chosen, by them. Nothing changes without costs. @errors as above
[[nodiscard]] Status readAgain(LoadedExperiment& loaded, const predict::CostTable* costs);

/// The document with its relative paths made absolute, for a copy that lies elsewhere.
[[nodiscard]] Json withAbsolutePaths(Json document, const std::string& baseFolder);

}  // namespace stagelane::app
