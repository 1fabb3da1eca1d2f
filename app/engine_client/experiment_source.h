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

struct LoadedExperiment {
  ExperimentSource source;
  plan::Experiment experiment;
};
/// Loads and reads. An unchanged run folder has the stages and orders of its plan.json. Never
/// searches: else `optimal` and `auto` stay open until the caller has costs for
/// engine/search/resolve.h. @errors as loadExperiment, plan::readExperiment, and applyPlanFile
[[nodiscard]] Result<LoadedExperiment> readExperimentArgument(const std::string& argument,
                                                              const std::vector<std::string>& sets);

/// The document with absolute paths, for a copy in another folder.
[[nodiscard]] Json withAbsolutePaths(Json document, const std::string& baseFolder);

}  // namespace stagelane::app
