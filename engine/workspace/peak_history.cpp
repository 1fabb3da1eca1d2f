#include "engine/workspace/peak_history.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "engine/base/find.h"
#include "engine/record/run_record.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFolders = 200;
constexpr int kMostRuns = 20;

/// Compares the experiment keys that peaks depend on, besides the plan.
bool sameTraining(const Json& a, const Json& b) {
  const auto at = [](const Json& document, const char* key) {
    const auto found = document.find(key);
    return found == document.end() ? Json() : *found;
  };
  const auto members = {"model", "input", "dtype", "precision", "task", "allocator"};
  return a.is_object() && b.is_object() &&
         std::all_of(members.begin(), members.end(),
                     [&](const char* key) { return at(a, key) == at(b, key); });
}

/// Newest first: the names begin with the time.
std::vector<fs::path> runFolders(const fs::path& workspace) {
  std::vector<fs::path> folders;
  std::error_code failed;
  for (fs::directory_iterator it(workspace / "runs", failed), end; !failed && it != end;
       it.increment(failed)) {
    folders.push_back(it->path());
  }
  std::sort(folders.begin(), folders.end(), std::greater<>());
  folders.resize(std::min(folders.size(), kMostFolders));
  return folders;
}

std::optional<predict::Basis> basisOf(const std::string& word) {
  for (const predict::Basis basis : {predict::Basis::Estimate, predict::Basis::Calibrated,
                                     predict::Basis::Stale, predict::Basis::File}) {
    if (predict::word(basis) == word) return basis;
  }
  return std::nullopt;
}

void add(const record::DeviceResult& measured, const record::PredictedResult& predicted,
         PeakHistory& history, PeakHistory& run) {
  const auto basis = basisOf(predicted.basis);
  const auto device = plan::parseDevice(DeviceId{measured.id});
  const auto* same = findBy(predicted.devices, &record::DeviceResult::id, measured.id);
  if (!basis || !device || same == nullptr || same->peakBytes <= 0 || measured.peakBytes <= 0) {
    return;
  }
  const double ratio =
      static_cast<double>(measured.peakBytes) / static_cast<double>(same->peakBytes);
  PeakRatios& ratios = history.of(*basis, device->kind);
  ratios.low = ratios.devices == 0 ? ratio : std::min(ratios.low, ratio);
  ratios.high = ratios.devices == 0 ? ratio : std::max(ratios.high, ratio);
  ++ratios.devices;
  PeakRatios& ofRun = run.of(*basis, device->kind);
  ratios.runs += ofRun.devices == 0 ? 1 : 0;
  ++ofRun.devices;
}

/// @returns whether the folder is a run of the same model
bool addRun(const fs::path& folder, const Json& document, PeakHistory& history) {
  const record::RunFolder files{folder};
  const auto experiment = readJsonFile(files.experiment().string());
  if (!experiment || !sameTraining(*experiment, document)) return false;
  const auto json = readJsonFile(files.result().string());
  const auto result = json ? record::runResultFromJson(*json)
                           : Result<record::RunResult>(tl::make_unexpected(json.error()));
  if (!result) return false;
  PeakHistory run;
  for (const record::VariantResult& variant : result->variants) {
    if (variant.status != record::RunStatus::Done || !variant.predicted) continue;
    for (const record::DeviceResult& device : variant.devices) {
      add(device, *variant.predicted, history, run);
    }
  }
  return true;
}

}  // namespace

PeakHistory readPeakHistory(const fs::path& workspace, const plan::Experiment& experiment) {
  PeakHistory history;
  int runs = 0;
  for (const fs::path& folder : runFolders(workspace)) {
    runs += addRun(folder, experiment.source, history) ? 1 : 0;
    if (runs == kMostRuns) break;
  }
  return history;
}

}  // namespace stagelane::workspace
