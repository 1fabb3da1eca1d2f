#include "app/engine_client/experiment_source.h"

#include <algorithm>
#include <system_error>
#include <thread>

#include "app/engine_client/engine_query.h"
#include "app/engine_client/event_members.h"
#include "engine/base/find.h"
#include "engine/base/text.h"
#include "engine/plan/hosts.h"
#include "engine/predict/variant_schedule.h"
#include "engine/record/run_record.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

bool looksLikePath(const std::string& text) {
  return text.find('/') != std::string::npos || fs::path(text).extension() == ".json";
}

Error unknownExperiment(const std::string& argument) {
  const std::vector<std::string> presets = presetNames();
  std::string hint = presets.empty()
                         ? "use an experiment file"
                         : "use an experiment file, or one of the presets " + joined(presets);
  if (const std::string near = nearest(argument, presets); !near.empty()) {
    hint = "did you mean " + near + "? Otherwise, " + hint;
  }
  return {ErrorCode::Invalid, "no experiment file or preset with this name", argument, hint};
}

Status applySet(Json& document, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (text.empty() || text.front() != '/' || equals == std::string::npos) {
    return fail(ErrorCode::Usage, "malformed --set '" + text + "'", "",
                "write --set /json/pointer=VALUE, for example --set /data/batch_size=32");
  }
  return setAtPointer(document, text.substr(0, equals), text.substr(equals + 1));
}

void makeAbsolute(Json& parent, const char* key, const fs::path& base) {
  const auto member = parent.find(key);
  if (member == parent.end() || !member->is_string()) return;
  const fs::path path = member->get<std::string>();
  if (path.is_relative()) *member = (base / path).lexically_normal().string();
}

}  // namespace

fs::path presetFolder() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const fs::path& candidate :
       {program / "../share/stagelane/presets", program / "../../../resources/presets"}) {
    if (fs::is_directory(candidate, failed)) return candidate.lexically_normal();
  }
  return {};
}

std::vector<std::string> presetNames() {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator it(presetFolder(), failed), end; !failed && it != end;
       it.increment(failed)) {
    if (it->path().extension() == ".json") names.push_back(it->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<fs::path> presetFile(const std::string& name) {
  const std::vector<std::string> names = presetNames();
  if (!contains(names, name)) return std::nullopt;
  return presetFolder() / (name + ".json");
}

Result<fs::path> resolveExperiment(const std::string& argument) {
  if (!looksLikePath(argument)) {
    if (const auto preset = presetFile(argument)) return *preset;
  }
  std::error_code failed;
  if (fs::is_directory(argument, failed)) {
    const fs::path inside = fs::path(argument) / "experiment.json";
    if (fs::exists(inside, failed)) return inside;
    return fail(ErrorCode::Invalid, "the folder has no experiment.json", argument,
                "use an experiment file, a preset or a run folder");
  }
  if (fs::exists(argument, failed)) return fs::path(argument);
  return tl::make_unexpected(unknownExperiment(argument));
}

Result<ExperimentSource> loadExperiment(const std::string& argument,
                                        const std::vector<std::string>& sets) {
  STAGELANE_TRY(file, resolveExperiment(argument));
  STAGELANE_TRY(document, readJsonFile(file->string()));
  ExperimentSource source;
  source.document = std::move(*document);
  source.file = *file;
  std::error_code failed;
  source.baseFolder = fs::absolute(*file, failed).parent_path().string();
  const Json before = source.document;
  for (const std::string& text : sets) STAGELANE_CHECK(applySet(source.document, text));
  source.changed = source.document != before;
  return source;
}

plan::MachineDevices machineFor(const Json& document) {
  const auto devices = document.is_object() ? document.find("devices") : document.end();
  if (!document.is_object() || devices == document.end()) return {};
  const auto asksForAuto = [](const Json& entry) {
    return entry.is_object() && entry.contains("auto");
  };
  const bool needed =
      asksForAuto(*devices) ||
      (devices->is_array() && std::any_of(devices->begin(), devices->end(), asksForAuto));
  plan::MachineDevices machine;
  const auto host = plan::hostOfDocument(document);
  const bool isHere = host && host->empty();
  machine.cores = isHere ? static_cast<int>(std::thread::hardware_concurrency()) : 0;
  if (!needed) return machine;
  if (const auto listed = queryDevices()) {
    for (const Json& device : *listed) {
      const bool usable = flagAt(device, "usable") && textAt(device, "kind") == "gpu";
      machine.gpus += usable ? 1 : 0;
    }
  }
  return machine;
}

Result<LoadedExperiment> readExperimentArgument(const std::string& argument,
                                                const std::vector<std::string>& sets) {
  STAGELANE_TRY(source, loadExperiment(argument, sets));
  STAGELANE_TRY(experiment, plan::readExperiment(source->document, source->baseFolder,
                                                 machineFor(source->document)));
  const fs::path planFile = record::RunFolder{source->baseFolder}.plan();
  std::error_code failed;
  if (!source->changed && fs::is_directory(argument, failed) && fs::exists(planFile, failed)) {
    STAGELANE_CHECK(predict::applyPlanFile(planFile.string(), *experiment));
  }
  return LoadedExperiment{std::move(*source), std::move(*experiment)};
}

Json withAbsolutePaths(Json document, const std::string& baseFolder) {
  if (!document.is_object()) return document;
  if (const auto model = document.find("model"); model != document.end() && model->is_object()) {
    makeAbsolute(*model, "file", baseFolder);
    makeAbsolute(*model, "weights", baseFolder);
  }
  const auto variants = document.find("variants");
  if (variants == document.end() || !variants->is_array()) return document;
  for (Json& variant : *variants) {
    const auto schedule = variant.is_object() ? variant.find("schedule") : variant.end();
    if (!variant.is_object() || schedule == variant.end()) continue;
    if (schedule->is_object()) makeAbsolute(*schedule, "csv", baseFolder);
    for (std::size_t i = 0; schedule->is_array() && i < schedule->size(); ++i) {
      if ((*schedule)[i].is_object()) makeAbsolute((*schedule)[i], "csv", baseFolder);
    }
  }
  return document;
}

}  // namespace stagelane::app
