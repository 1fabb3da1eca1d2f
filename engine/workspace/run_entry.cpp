#include "engine/workspace/run_entry.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <ctime>
#include <set>
#include <system_error>

#include "engine/base/text_member.h"
#include "engine/record/failure_json.h"
#include "engine/record/fastest.h"
#include "engine/record/left_out.h"
#include "engine/workspace/run_start.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

std::int64_t modifiedNs(const fs::path& path) {
  std::error_code failed;
  const fs::file_time_type time = fs::last_write_time(path, failed);
  if (failed) return 0;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

std::string isoTime(std::time_t time) {
  std::tm local{};
  localtime_r(&time, &local);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &local);
  return text.data();
}

// `20261121-113544-toy` → `2026-11-21T11:35:44`; "" for another name.
std::string startFromName(const std::string& name) {
  constexpr std::size_t kStampLength = 15;
  if (name.size() < kStampLength || name[8] != '-') return {};
  for (std::size_t i = 0; i < kStampLength; ++i) {
    if (i != 8 && std::isdigit(static_cast<unsigned char>(name[i])) == 0) return {};
  }
  return name.substr(0, 4) + "-" + name.substr(4, 2) + "-" + name.substr(6, 2) + "T" +
         name.substr(9, 2) + ":" + name.substr(11, 2) + ":" + name.substr(13, 2);
}

Bytes sizeOf(const fs::path& folder) {
  Bytes sum = 0;
  std::error_code failed;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end;
       it.increment(failed)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored)) {
      const std::uintmax_t size = it->file_size(ignored);
      sum += ignored ? 0 : static_cast<Bytes>(size);
    }
  }
  return sum;
}

// "resnet50", or the name of the model's file; "" for inline layers.
std::string modelOf(const Json& experiment) {
  const auto model = experiment.find("model");
  if (model == experiment.end()) return {};
  if (std::string zoo = textMember(*model, "zoo"); !zoo.empty()) return zoo;
  return fs::path(textMember(*model, "file")).filename().string();
}

void fillExperiment(const record::RunFolder& folder, RunEntry& entry) {
  const auto experiment = readJsonFile(folder.experiment().string());
  if (!experiment || !experiment->is_object()) return;
  entry.model = modelOf(*experiment);
  entry.repeatsAsked = record::repeatsAsked(&*experiment);
}

void fillBest(const record::RunResult& run, RunEntry& entry) {
  const record::VariantResult* best = record::fastestWhole(run, entry.repeatsAsked);
  if (best == nullptr) return;
  entry.best.id = best->id;
  entry.best.name = best->name.empty() ? best->id : best->name;
  entry.best.speedup = best->speedup.value_or(0.0);
  entry.best.meanS = best->meanS;
  entry.best.stdS = best->stdS;
  entry.best.repeats = static_cast<int>(best->seconds.size());
  entry.best.devices = static_cast<int>(best->devices.size());
  if (best->predicted) entry.best.predictionError = best->predicted->error;
  entry.noisy = best->noisy;
}

void fillGradients(const record::RunResult& run, RunEntry& entry) {
  bool checked = false;
  bool equal = true;
  bool close = true;
  for (const record::VariantResult& variant : run.variants) {
    const auto& check = variant.gradientCheck ? variant.gradientCheck : variant.outputCheck;
    if (check) {
      checked = true;
      equal = equal && check->bitEqual;
      close = close && check->isClose();
    }
  }
  if (checked) entry.gradients = equal ? "bit-equal" : close ? "match" : "differ";
}

}  // namespace

std::string startOf(const record::RunFolder& folder) {
  if (std::string start = startFromName(folder.root.filename().string()); !start.empty()) {
    return start;
  }
  std::error_code failed;
  fs::file_time_type time = fs::last_write_time(folder.experiment(), failed);
  if (failed) time = fs::last_write_time(folder.root, failed);
  if (failed) return {};
  const auto system = std::chrono::file_clock::to_sys(time);
  return isoTime(std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(system)));
}

std::int64_t stampOf(const record::RunFolder& folder, bool running) {
  if (running) return 0;
  return std::max({modifiedNs(folder.events()), modifiedNs(folder.result()),
                   modifiedNs(labelsFile(folder.root))});
}

RunEntry entryOf(const record::RunFolder& folder, const record::RunResult& run) {
  RunEntry entry;
  entry.folder = folder.root.string();
  entry.name = run.name;
  entry.status = record::word(run.status);
  entry.reason = run.reason;
  entry.failure = run.failure;
  entry.startedAt = startOf(folder);
  for (const std::string& device : run.devices) {
    entry.devices += (entry.devices.empty() ? "" : ",") + device;
  }
  std::set<std::string> words;
  for (const record::VariantResult& variant : run.variants) {
    words.insert({variant.id, variant.name, variant.schedule, variant.strategy});
    entry.repeatsDone = std::max(entry.repeatsDone, static_cast<int>(variant.seconds.size()));
  }
  for (const std::string& word : words) entry.words += (entry.words.empty() ? "" : "\n") + word;
  entry.variants = record::includedVariants(run);
  fillExperiment(folder, entry);
  fillBest(run, entry);
  fillGradients(run, entry);
  entry.sizeBytes = sizeOf(folder.root);
  entry.labels = readLabels(folder.root);
  return entry;
}

Json toJson(const RunEntry& entry) {
  Json json{{"number", entry.number},       {"folder", entry.folder},
            {"name", entry.name},           {"model", entry.model},
            {"status", entry.status},       {"started_at", entry.startedAt},
            {"devices", entry.devices},     {"variants", entry.variants},
            {"repeats", entry.repeatsDone}, {"repeats_asked", entry.repeatsAsked},
            {"noisy", entry.noisy},         {"size_bytes", entry.sizeBytes}};
  if (!entry.reason.empty()) json["reason"] = entry.reason;
  if (entry.failure) json["failure"] = record::failureToJson(*entry.failure);
  if (!entry.best.id.empty()) {
    json["best_variant"] = entry.best.id;
    if (entry.best.speedup > 0.0) json["best_speedup"] = entry.best.speedup;
    json["best_mean_s"] = entry.best.meanS;
    json["best_std_s"] = entry.best.stdS;
    if (entry.best.predictionError) json["prediction_error"] = *entry.best.predictionError;
  }
  if (!entry.gradients.empty()) json["gradients"] = entry.gradients;
  if (!entry.unreadable.empty()) json["unreadable"] = entry.unreadable;
  json["favourite"] = entry.labels.favourite;
  json["tags"] = entry.labels.tags;
  json["note"] = entry.labels.note;
  return json;
}

RunEntry entryOfText(const std::string& text) {
  const Json json = Json::parse(text);
  RunEntry entry;
  entry.number = json.value("number", 0);
  entry.folder = json.value("folder", "");
  entry.name = json.value("name", "");
  entry.model = json.value("model", "");
  entry.status = json.value("status", "");
  entry.reason = json.value("reason", "");
  entry.failure = record::failureFromJson(json.value("failure", Json()));
  entry.startedAt = json.value("started_at", "");
  entry.devices = json.value("devices", "");
  entry.variants = json.value("variants", 0);
  entry.repeatsDone = json.value("repeats", 0);
  entry.repeatsAsked = json.value("repeats_asked", 0);
  entry.noisy = json.value("noisy", false);
  entry.sizeBytes = json.value("size_bytes", Bytes{0});
  entry.best.id = json.value("best_variant", "");
  entry.best.name = json.value("best_name", entry.best.id);
  entry.best.speedup = json.value("best_speedup", 0.0);
  entry.best.meanS = json.value("best_mean_s", 0.0);
  entry.best.stdS = json.value("best_std_s", 0.0);
  entry.best.repeats = json.value("best_repeats", 0);
  entry.best.devices = json.value("best_devices", 0);
  if (json.contains("prediction_error")) {
    entry.best.predictionError = json.value("prediction_error", 0.0);
  }
  entry.gradients = json.value("gradients", "");
  entry.labels = labelsFromJson(json);
  return entry;
}

// A name may contain any bytes, but a JSON text must be valid UTF-8.
std::string textOf(const RunEntry& entry) {
  Json json = toJson(entry);
  json["best_repeats"] = entry.best.repeats;
  json["best_name"] = entry.best.name;
  json["best_devices"] = entry.best.devices;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace stagelane::workspace
