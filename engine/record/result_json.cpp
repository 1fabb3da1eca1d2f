// Writes and reads result.json. Numbers that JSON cannot represent (a NaN loss) are null.

#include "engine/record/failure_json.h"
#include "engine/record/json_numbers.h"
#include "engine/record/older_versions.h"
#include "engine/record/run_record.h"
#include "engine/trace/cause.h"

namespace stagelane::record {
namespace {

constexpr const char* kHogwildKey = "hogwild";

Json numbers(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(numberOrNull(value));
  return array;
}

Json idleJson(const std::map<std::string, TimeNs>& idle) {
  Json json = Json::object();
  for (const trace::Cause cause : trace::kIdleCauses) {
    const std::string name(word(cause));
    const auto found = idle.find(name);
    json[name] = found == idle.end() ? TimeNs{0} : found->second;
  }
  return json;
}

Json devicesJson(const std::vector<DeviceResult>& devices) {
  Json array = Json::array();
  for (const DeviceResult& device : devices) array.push_back(toJson(device));
  return array;
}

Json toJson(const BoundResult& bound) {
  Json json{{"step_ns", bound.stepNs}, {"perfect_cut_step_ns", bound.perfectCutStepNs}};
  if (bound.speedup > 0.0) {  // 0 without a base
    json["speedup"] = numberOrNull(bound.speedup);
  }
  return json;
}

Json toJson(const PredictedResult& predicted) {
  return {{"basis", predicted.basis},
          {"step_ns", predicted.stepNs},
          {"devices", devicesJson(predicted.devices)},
          {"error", numberOrNull(predicted.error)}};
}

Json toJson(const GradientCheckResult& check) {
  Json json{{"bit_equal", check.bitEqual},
            {"max_rel_error", numberOrNull(check.maxRelError)},
            {"reference", check.reference}};
  if (check.fullBatchError) json["full_batch_error"] = numberOrNull(*check.fullBatchError);
  if (check.ownPrecisionError) json["own_precision_error"] = numberOrNull(*check.ownPrecisionError);
  return json;
}

Json toJson(const CaptureResult& capture) {
  Json json{{"events", capture.events}, {"dropped", capture.dropped}};
  if (capture.overheadPct) json["overhead_pct"] = numberOrNull(*capture.overheadPct);
  if (capture.overheadCiPct) {
    json["overhead_ci_pct"] =
        numbers({capture.overheadCiPct->first, capture.overheadCiPct->second});
  }
  return json;
}

void addReplicas(Json& json, const VariantResult& result) {
  if (result.replicas > 1) json["replicas"] = result.replicas;
  for (const RankResult& rank : result.ranks) json["ranks"].push_back(toJson(rank));
  if (result.allReduce) json["all_reduce"] = toJson(*result.allReduce);
  if (result.hogwild) json[kHogwildKey] = toJson(*result.hogwild);
}

/// The reason why there is no measurement, or no complete one.
void addReason(Json& json, const VariantResult& result) {
  if (!result.included) json["included"] = false;
  if (!result.reason.empty()) json["reason"] = result.reason;
  if (result.failure) json["failure"] = failureToJson(*result.failure);
  if (result.earlyStop) {
    json["early_stop"] = {{"repeats", result.earlyStop->repeats},
                          {"seconds", numberOrNull(result.earlyStop->seconds)},
                          {"best_seconds", numberOrNull(result.earlyStop->bestSeconds)},
                          {"best", result.earlyStop->best}};
  }
}

void addMeasured(Json& json, const VariantResult& result) {
  json["seconds"] = numbers(result.seconds);
  if (!result.seconds.empty()) {
    json["mean_s"] = numberOrNull(result.meanS);
    json["std_s"] = numberOrNull(result.stdS);
    json["median_s"] = numberOrNull(result.medianS);
  }
  if (result.stepNs > 0) json["step_ns"] = result.stepNs;
  if (result.latency) {
    json["latency"] = {{"p50_s", numberOrNull(result.latency->p50S)},
                       {"p99_s", numberOrNull(result.latency->p99S)}};
  }
  if (result.throughput) json["throughput"] = numberOrNull(*result.throughput);
  if (result.speedup) {
    json["speedup"] = numberOrNull(*result.speedup);
    json["speedup_base"] = result.speedupBase;
  }
  if (result.speedupAllCores) json["speedup_all_cores"] = numberOrNull(*result.speedupAllCores);
}

// Reading. Every accessor throws a nlohmann exception on a wrong type, which the public functions
// turn into an Error. An absent or null member keeps its default.

const Json* member(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

template <class T>
void read(const Json& json, const char* key, T& value) {
  if (const Json* found = member(json, key)) value = found->get<T>();
}

template <class T>
void read(const Json& json, const char* key, std::optional<T>& value) {
  if (const Json* found = member(json, key)) value = found->get<T>();
}

void readNumbers(const Json& json, const char* key, std::vector<double>& values) {
  if (const Json* found = member(json, key)) {
    values.clear();
    for (const Json& value : *found) values.push_back(numberOrNaN(value));
  }
}

void readTimes(const Json& json, const char* key, std::map<std::string, TimeNs>& times) {
  if (const Json* found = member(json, key)) {
    for (const auto& [name, value] : found->items()) times[name] = value.get<TimeNs>();
  }
}

DeviceResult readDevice(const Json& json) {
  DeviceResult device;
  device.id = json.at("id").get<std::string>();
  read(json, "busy_ns", device.busyNs);
  readTimes(json, "busy", device.busy);
  read(json, "utilisation", device.utilisation);
  readTimes(json, "idle", device.idle);
  readTimes(json, "starved_by", device.starvedBy);
  read(json, "transfer_bytes", device.transferBytes);
  read(json, "peak_bytes", device.peakBytes);
  read(json, "parameters", device.parameters);
  read(json, "layers", device.layers);
  return device;
}

void readDevices(const Json& json, std::vector<DeviceResult>& devices) {
  if (const Json* found = member(json, "devices")) {
    for (const Json& device : *found) devices.push_back(readDevice(device));
  }
}

void readBound(const Json& json, VariantResult& result) {
  if (const Json* found = member(json, "bound")) {
    BoundResult& bound = result.bound.emplace();
    read(*found, "step_ns", bound.stepNs);
    read(*found, "perfect_cut_step_ns", bound.perfectCutStepNs);
    read(*found, "speedup", bound.speedup);
  }
}

void readPredicted(const Json& json, VariantResult& result) {
  if (const Json* found = member(json, "predicted")) {
    PredictedResult& predicted = result.predicted.emplace();
    read(*found, "basis", predicted.basis);
    read(*found, "step_ns", predicted.stepNs);
    read(*found, "error", predicted.error);
    readDevices(*found, predicted.devices);
  }
  if (const Json* found = member(json, "explanation")) result.explanation = *found;
}

void readCheck(const Json& json, const char* key, std::optional<GradientCheckResult>& result) {
  if (const Json* found = member(json, key)) {
    GradientCheckResult& check = result.emplace();
    read(*found, "bit_equal", check.bitEqual);
    const auto error = found->find("max_rel_error");
    check.maxRelError = error == found->end() ? 0.0 : numberOrNaN(*error);
    read(*found, "reference", check.reference);
    read(*found, "full_batch_error", check.fullBatchError);
    read(*found, "own_precision_error", check.ownPrecisionError);
  }
}

void readLatency(const Json& json, VariantResult& result) {
  if (const Json* found = member(json, "latency")) {
    LatencyResult& latency = result.latency.emplace();
    read(*found, "p50_s", latency.p50S);
    read(*found, "p99_s", latency.p99S);
  }
  read(json, "throughput", result.throughput);
}

void readCapture(const Json& json, VariantResult& result) {
  if (const Json* found = member(json, "capture")) {
    CaptureResult& capture = result.capture.emplace();
    read(*found, "events", capture.events);
    read(*found, "dropped", capture.dropped);
    read(*found, "overhead_pct", capture.overheadPct);
    read(*found, "overhead_ci_pct", capture.overheadCiPct);
  }
}

void readReplicas(const Json& json, VariantResult& result) {
  read(json, "replicas", result.replicas);
  if (const Json* ranks = member(json, "ranks")) {
    for (const Json& rank : *ranks) result.ranks.push_back(rankFromJson(rank));
  }
  if (const Json* found = member(json, "all_reduce")) result.allReduce = allReduceFromJson(*found);
  if (const Json* found = member(json, kHogwildKey)) result.hogwild = hogwildFromJson(*found);
}

/// Removes the library's prefix from a message: "[json.exception.out_of_range.403] key …".
std::string plainWords(const std::string& words) {
  const std::size_t end =
      words.rfind("[json.exception", 0) == 0 ? words.find("] ") : std::string::npos;
  return end == std::string::npos ? words : words.substr(end + 2);
}

void readWhy(const Json& json, VariantResult& result) {
  read(json, "included", result.included);
  read(json, "reason", result.reason);
  if (const Json* failure = member(json, "failure")) result.failure = failureFromJson(*failure);
  if (const Json* found = member(json, "early_stop")) {
    EarlyStop& stop = result.earlyStop.emplace();
    read(*found, "repeats", stop.repeats);
    read(*found, "seconds", stop.seconds);
    read(*found, "best_seconds", stop.bestSeconds);
    read(*found, "best", stop.best);
  }
  readReason(result);
}

RunStatus readStatus(const Json& json) {
  const std::string text = json.at("status").get<std::string>();
  const auto status = runStatusFromWord(text);
  // Not a nlohmann error, but reported in the same way.
  return status ? *status
                : throw std::invalid_argument("'" + text + "' is not a status of a run or variant");
}

VariantResult readVariant(const Json& json) {
  VariantResult result;
  result.id = json.at("id").get<std::string>();
  read(json, "name", result.name);
  read(json, "strategy", result.strategy);
  read(json, "schedule", result.schedule);
  read(json, "split_size", result.splitSize);
  if (const Json* placement = member(json, "placement")) result.placement = *placement;
  result.status = readStatus(json);
  readWhy(json, result);
  readNumbers(json, "seconds", result.seconds);
  read(json, "mean_s", result.meanS);
  read(json, "std_s", result.stdS);
  read(json, "median_s", result.medianS);
  read(json, "speedup", result.speedup);
  read(json, "speedup_base", result.speedupBase);
  read(json, "speedup_all_cores", result.speedupAllCores);
  readBound(json, result);
  readNumbers(json, "loss", result.loss);
  read(json, "step_ns", result.stepNs);
  readDevices(json, result.devices);
  readPredicted(json, result);
  readCheck(json, "gradient_check", result.gradientCheck);
  readCheck(json, "output_check", result.outputCheck);
  readLatency(json, result);
  readCapture(json, result);
  readReplicas(json, result);
  read(json, "noisy", result.noisy);
  return result;
}

RunResult readRun(const Json& json) {
  RunResult result;
  read(json, "name", result.name);
  result.status = readStatus(json);
  read(json, "reason", result.reason);
  if (const Json* failure = member(json, "failure")) {
    result.failure = failureFromJson(*failure);
  } else if (result.status == RunStatus::Failed) {
    result.failure = failureInSentence(result.reason);
  }
  read(json, "timing", result.timing);
  read(json, "folder", result.folder);
  read(json, "devices", result.devices);
  read(json, "ranks", result.ranks);
  if (const Json* variants = member(json, "variants")) {
    for (const Json& variant : *variants) result.variants.push_back(readVariant(variant));
  }
  return result;
}

}  // namespace

std::string_view word(RunStatus status) {
  switch (status) {
    case RunStatus::Running: return "running";
    case RunStatus::Done: return "done";
    case RunStatus::Failed: return "failed";
    case RunStatus::Canceled: return "canceled";
    case RunStatus::NotRun: return "not_run";
  }
  return "failed";
}

std::optional<RunStatus> runStatusFromWord(std::string_view text) {
  for (const RunStatus status : {RunStatus::Running, RunStatus::Done, RunStatus::Failed,
                                 RunStatus::Canceled, RunStatus::NotRun}) {
    if (word(status) == text) return status;
  }
  return std::nullopt;
}

Json toJson(const DeviceResult& result) {
  Json json{{"id", result.id}, {"busy_ns", result.busyNs}};
  if (!result.busy.empty()) json["busy"] = Json(result.busy);
  json["utilisation"] = numberOrNull(result.utilisation);
  json["idle"] = idleJson(result.idle);
  json["starved_by"] = Json(result.starvedBy);
  json["transfer_bytes"] = result.transferBytes;
  json["peak_bytes"] = result.peakBytes;
  if (result.parameters > 0) {
    json["parameters"] = result.parameters;
    json["layers"] = result.layers;
  }
  return json;
}

Json toJson(const VariantResult& result) {
  Json json{{"id", result.id},
            {"name", result.name},
            {"strategy", result.strategy},
            {"schedule", result.schedule},
            {"split_size", result.splitSize},
            {"placement", result.placement},
            {"status", word(result.status)}};
  addReason(json, result);
  addMeasured(json, result);
  if (result.bound) json["bound"] = toJson(*result.bound);
  json["loss"] = numbers(result.loss);
  json["devices"] = devicesJson(result.devices);
  if (result.predicted) json["predicted"] = toJson(*result.predicted);
  if (!result.explanation.is_null()) json["explanation"] = result.explanation;
  if (result.gradientCheck) json["gradient_check"] = toJson(*result.gradientCheck);
  if (result.outputCheck) json["output_check"] = toJson(*result.outputCheck);
  if (result.capture) json["capture"] = toJson(*result.capture);
  addReplicas(json, result);
  json["noisy"] = result.noisy;
  return json;
}

Json toJson(const RunResult& result) {
  Json json{{"stagelane", 1}, {"name", result.name}, {"status", word(result.status)}};
  if (!result.reason.empty()) json["reason"] = result.reason;
  if (result.failure) json["failure"] = failureToJson(*result.failure);
  json["timing"] = result.timing;
  json["folder"] = result.folder;
  json["devices"] = result.devices;
  if (result.ranks > 0) json["ranks"] = result.ranks;
  Json variants = Json::array();
  for (const VariantResult& variant : result.variants) variants.push_back(toJson(variant));
  json["variants"] = std::move(variants);
  return json;
}

Result<VariantResult> variantResultFromJson(const Json& json) {
  try {
    return readVariant(json);
  } catch (const std::exception& problem) {
    return fail(ErrorCode::Invalid, "not a variant of a result: " + plainWords(problem.what()));
  }
}

Result<RunResult> runResultFromJson(const Json& json) {
  try {
    return readRun(json);
  } catch (const std::exception& problem) {
    return fail(ErrorCode::Invalid, "not a result of a run: " + plainWords(problem.what()), "",
                "restore the file from a backup, or delete it to rebuild it from events.jsonl");
  }
}

}  // namespace stagelane::record
