#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "engine/base/text.h"
#include "engine/plan/baselines.h"
#include "engine/plan/experiment_keys.h"
#include "engine/plan/reading.h"
#include "engine/schedule/methods.h"

namespace stagelane::plan::detail {
namespace {

std::string useAPipeline() {
  return "use \"strategy\": \"" + std::string(pipelineStrategy().name) + "\"";
}

constexpr std::int64_t kMostMicroBatches = 100'000;

struct VariantReader {
  Experiment& experiment;
  const Json& source;
  FileVariant variant;

  [[nodiscard]] std::string at(const char* key) const { return childPointer(variant.pointer, key); }
  Status read();
  Status readStrategy(ObjectReader& reader);
  Status readLaterKeys(ObjectReader& reader);
  Status readReplicas(ObjectReader& reader);
  Status requireFor(const char* key, bool StrategyRow::*property) const;
  [[nodiscard]] std::int64_t share() const;
  Status checkPlaces();
  Status readSchedule();
  Status addSchedule(const Json& value, const std::string& place);
  Status readSplits();
  Status addSplit(const Json& value, const std::string& place);
};

Status VariantReader::readStrategy(ObjectReader& reader) {
  const std::vector<std::string> available = strategyNames(&StrategyRow::available);
  if (!source.contains("strategy")) {
    return fail(ErrorCode::Invalid, "\"strategy\" is missing", variant.pointer,
                "Use one of: " + joined(available));
  }
  const std::string name = reader.text("strategy");
  const StrategyRow& row = strategyRow(name);
  if (row.name.empty()) {
    const std::vector<std::string> later = strategyNames(&StrategyRow::available, false);
    reader.problem("strategy", "unknown strategy \"" + name + "\"",
                   "Use one of: " + joined(available) + ", " + joined(later));
  }
  STAGELANE_CHECK(reader.finish());
  variant.strategy = row.strategy;
  if (row.asynchronous && experiment.task == Task::Infer) {
    return fail(ErrorCode::Invalid,
                "the strategy " + name + " only trains: its processes share nothing but updates",
                at("strategy"), "Use " + std::string(singleStrategy().name) + " for inference");
  }
  if (row.available) return {};
  return notAvailable("the strategy \"" + name + "\"", at("strategy"),
                      "Write " + inWords(available));
}

Status VariantReader::readLaterKeys(ObjectReader& reader) {
  const std::int64_t chunks = integerWithin(reader, "chunks", {1, schedule::kMostChunks}, 1);
  const std::string recompute =
      reader.oneOf("recompute", {"never", "except_last", "always"}, "never");
  STAGELANE_CHECK(reader.finish());
  if (source.contains("chunks")) variant.chunks = static_cast<int>(chunks);
  if (chunks > 1 && !strategyRow(variant.strategy).pipelined) {
    return fail(
        ErrorCode::Invalid,
        "only the strategy " + inWords(strategyNames(&StrategyRow::pipelined)) + " supports chunks",
        at("chunks"), "Remove \"chunks\"");
  }
  variant.recompute = recompute == "always"        ? Recompute::Always
                      : recompute == "except_last" ? Recompute::ExceptLast
                                                   : Recompute::Never;
  return {};
}

/// Rejects a key that strategies without the property do not have.
Status VariantReader::requireFor(const char* key, bool StrategyRow::*property) const {
  if (!source.contains(key) || strategyRow(variant.strategy).*property) return {};
  return fail(ErrorCode::Invalid,
              "only the strategy " + inWords(strategyNames(property)) + " has \"" + key + "\"",
              at(key), "Remove \"" + std::string(key) + "\"");
}

Status VariantReader::readReplicas(ObjectReader& reader) {
  constexpr double kMostMb = 1 << 20;
  constexpr std::int64_t kMostReplicas = 4096;
  constexpr std::int64_t kMostUpdates = 1'000'000'000;
  variant.replicas = static_cast<int>(integerWithin(reader, "replicas", {1, kMostReplicas}, 1));
  ReduceSpec& reduce = variant.reduce;
  reduce.bucketMb = numberWithin(reader, "bucket_mb", kMostMb, reduce.bucketMb);
  reduce.firstBucketMb = numberWithin(reader, "first_bucket_mb", kMostMb, reduce.firstBucketMb);
  reduce.gradientAsBucketView = reader.boolean("gradient_as_bucket_view", false);
  reduce.findUnused = reader.boolean("find_unused", false);
  HogwildSpec& hogwild = variant.hogwild;
  hogwild.processes = integerWithin(reader, "processes", {1, 256}, hogwild.processes);
  hogwild.threads = reader.boolean("threads", false);
  hogwild.updates = integerWithin(reader, "updates", {1, kMostUpdates}, 0);
  STAGELANE_CHECK(reader.finish());
  STAGELANE_CHECK(requireFor("replicas", &StrategyRow::pipelined));
  for (const char* key : {"processes", "threads", "updates"})
    STAGELANE_CHECK(requireFor(key, &StrategyRow::asynchronous));
  if (variant.replicas > 1) return {};
  for (const char* key :
       {"bucket_mb", "first_bucket_mb", "gradient_as_bucket_view", "find_unused"}) {
    STAGELANE_CHECK(requireFor(key, &StrategyRow::replicates));
  }
  return {};
}

/// A replica's part of the batch without `split_size`. @source torch.chunk
std::int64_t VariantReader::share() const {
  const auto devices = static_cast<std::int64_t>(experiment.devices.size());
  return (experiment.data.batchSize + devices - 1) / devices;
}

/// Checks which of `device`, `placement` and `stages` the strategy allows.
Status VariantReader::checkPlaces() {
  const auto member = [&](const char* key) {
    return source.contains(key) ? &source[key] : nullptr;
  };
  variant.device = member("device");
  variant.placement = member("placement");
  variant.stages = member("stages");
  if (variant.placement != nullptr && variant.stages != nullptr) {
    return fail(ErrorCode::Invalid, "a variant cannot have both placement and stages", at("stages"),
                "Remove one of them");
  }
  if (strategyRow(variant.strategy).oneDevice) {
    const char* wrong = variant.placement != nullptr ? "placement"
                        : variant.stages != nullptr  ? "stages"
                                                     : nullptr;
    if (wrong == nullptr) return {};
    return fail(ErrorCode::Invalid,
                "the strategy " + std::string(word(variant.strategy)) + " runs on one device",
                at(wrong),
                "Use \"device\": \"" + experiment.devices.front().id.value + "\" instead");
  }
  if (strategyRow(variant.strategy).replicates) {
    for (const char* key : {"device", "placement", "stages"}) {
      if (!source.contains(key)) continue;
      return fail(ErrorCode::Invalid,
                  "the strategy " + std::string(word(variant.strategy)) +
                      " has the whole model on every device",
                  at(key), "Remove \"" + std::string(key) + "\"");
    }
    return {};
  }
  if (variant.device != nullptr) {
    return fail(
        ErrorCode::Invalid,
        "only the strategy " + inWords(strategyNames(&StrategyRow::oneDevice)) + " has \"device\"",
        at("device"), "Use \"placement\" or \"stages\" instead");
  }
  return {};
}

Status VariantReader::addSchedule(const Json& value, const std::string& place) {
  std::string name;
  if (value.is_object() && value.size() == 1 && value.contains("csv") && value["csv"].is_string()) {
    const std::filesystem::path path = value["csv"].get<std::string>();
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
      return fail(ErrorCode::Invalid, "file not found: " + path.string(),
                  childPointer(place, "csv"), "Use the path of a CSV file with one row per device");
    }
    name = std::string(schedule::kCsvPrefix) + path.string();
  } else if (value.is_string()) {
    name = value.get<std::string>();
    const auto& available = schedule::allScheduleNames();
    if (std::find(available.begin(), available.end(), name) == available.end()) {
      return fail(ErrorCode::Invalid, "unknown schedule \"" + name + "\"", place,
                  "Use one of: " + joined(available));
    }
  } else {
    return fail(ErrorCode::Invalid, "a schedule must be a name or {\"csv\": PATH}", place,
                "Use for example \"1f1b\"");
  }
  const auto& known = variant.schedules;
  if (std::find(known.begin(), known.end(), name) != known.end()) {
    return fail(ErrorCode::Invalid, "the schedule is listed twice", place, "Remove one");
  }
  const StrategyRow& row = strategyRow(variant.strategy);
  const bool suits = row.pipelined ? schedule::isPipelineSchedule(name) : name == row.schedule;
  if (!suits) {
    return fail(ErrorCode::Invalid,
                "the strategy " + std::string(row.name) + " has no schedule \"" + name + "\"",
                place,
                row.pipelined ? "Use a schedule such as gpipe or 1f1b, or change the strategy"
                              : "Remove the schedule, or " + useAPipeline());
  }
  variant.schedules.push_back(std::move(name));
  return {};
}

Status VariantReader::readSchedule() {
  if (!source.contains("schedule")) {
    variant.schedules.emplace_back(strategyRow(variant.strategy).schedule);
    return {};
  }
  const Json& value = source["schedule"];
  variant.scheduleIsList = value.is_array();
  if (!variant.scheduleIsList) return addSchedule(value, at("schedule"));
  if (value.empty()) {
    return fail(ErrorCode::Invalid, "the list of schedules is empty", at("schedule"),
                "Add at least one");
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto status = addSchedule(value[i], childPointer(at("schedule"), i));
    if (!status) return status;
  }
  return {};
}

Status VariantReader::addSplit(const Json& value, const std::string& place) {
  const std::int64_t batch = experiment.data.batchSize;
  // The JSON parser stores a number above int64 as unsigned.
  constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
  const bool huge = value.is_number_unsigned() &&
                    value.get<std::uint64_t>() > static_cast<std::uint64_t>(kLargest);
  const std::int64_t split = huge                        ? kLargest
                             : value.is_number_integer() ? value.get<std::int64_t>()
                                                         : 0;
  if (split < 1) {
    return fail(ErrorCode::Invalid,
                "split_size must be an integer of at least 1, found " + value.dump().substr(0, 60),
                place, "Use 1 to " + std::to_string(batch) + " samples per micro-batch");
  }
  if (split > batch) {
    const std::string message =
        "split_size " + value.dump() + " is above the batch size " + std::to_string(batch);
    if (!variant.splitIsList) {
      return fail(ErrorCode::Invalid, message, place, "Use 1 to " + std::to_string(batch));
    }
    experiment.warnings.push_back(place + ": " + message + "; skipped");
    return {};
  }
  if ((batch + split - 1) / split > kMostMicroBatches) {
    return fail(ErrorCode::Invalid,
                "split_size " + std::to_string(split) +
                    " splits the batch into "
                    "more than 100000 micro-batches",
                place, "Use a larger split_size");
  }
  const StrategyRow& row = strategyRow(variant.strategy);
  if (row.replicates && split > share()) {
    return fail(ErrorCode::Invalid,
                "split_size " + std::to_string(split) + " leaves a replica without samples", place,
                "Use 1 to " + std::to_string(share()));
  }
  if (!row.splits && split != batch) {
    return fail(ErrorCode::Invalid, std::string(row.name) + " has one micro-batch: the whole batch",
                place, "Remove split_size, or " + useAPipeline());
  }
  if (std::find(variant.splits.begin(), variant.splits.end(), split) != variant.splits.end()) {
    return fail(ErrorCode::Invalid, "split_size " + std::to_string(split) + " is listed twice",
                place, "Remove one");
  }
  STAGELANE_CHECK(checkBatchNorm(experiment, split, place));
  const std::int64_t tail = batch % split;
  if (tail != 0) STAGELANE_CHECK(checkBatchNorm(experiment, tail, place));
  variant.splits.push_back(split);
  return {};
}

Status VariantReader::readSplits() {
  if (!source.contains("split_size")) {
    if (strategyRow(variant.strategy).pipelined) {
      return fail(ErrorCode::Invalid, "a pipeline needs \"split_size\"", variant.pointer,
                  "Use 1 to " + std::to_string(experiment.data.batchSize) +
                      " samples per micro-batch, for example " +
                      std::to_string(std::max<std::int64_t>(1, experiment.data.batchSize / 4)));
    }
    if (strategyRow(variant.strategy).replicates) {
      return addSplit(Json(share()), "/data/batch_size");
    }
    variant.splits.push_back(experiment.data.batchSize);
    return checkBatchNorm(experiment, experiment.data.batchSize, "/data/batch_size");
  }
  const Json& value = source["split_size"];
  variant.splitIsList = value.is_array();
  if (!variant.splitIsList) return addSplit(value, at("split_size"));
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto status = addSplit(value[i], childPointer(at("split_size"), i));
    if (!status) return status;
  }
  if (variant.splits.empty()) {
    return fail(ErrorCode::Invalid, "no split_size in the list is valid", at("split_size"),
                "Use 1 to " + std::to_string(experiment.data.batchSize));
  }
  return {};
}

Status VariantReader::read() {
  STAGELANE_CHECK(checkKeys(source, KeysOf::Variant, variant.pointer));
  ObjectReader reader(source, variant.pointer);
  for (const std::string& key : knownKeys(KeysOf::Variant)) (void)reader.has(key);
  STAGELANE_CHECK(readStrategy(reader));
  variant.include = reader.boolean("include", true);
  variant.id = reader.text("id", "");
  variant.name = reader.text("name", "");
  if (source.contains("id") && (variant.id.empty() || slug(variant.id) != variant.id)) {
    reader.problem("id", "an id may contain only lowercase letters, digits and single hyphens",
                   "Use \"" + slug(variant.id) + "\"");
  }
  if (isImplicitId(variant.id)) {
    reader.problem("id", "the id \"" + variant.id + "\" is reserved for an implicit variant",
                   "Use another id");
  }
  STAGELANE_CHECK(readLaterKeys(reader));
  STAGELANE_CHECK(readReplicas(reader));
  STAGELANE_CHECK(checkPlaces());
  STAGELANE_CHECK(readSchedule());
  return readSplits();
}

/// Checks that explicit names and ids are unique, and creates the missing ones.
Status nameVariants(std::vector<FileVariant>& variants) {
  std::set<std::string> ids;
  std::set<std::string> names;
  for (const FileVariant& variant : variants) {
    if (!variant.id.empty() && !ids.insert(variant.id).second) {
      return fail(ErrorCode::Invalid, "the id \"" + variant.id + "\" is used twice",
                  childPointer(variant.pointer, "id"), "Use a unique id for each variant");
    }
    if (!variant.name.empty() && !names.insert(variant.name).second) {
      return fail(ErrorCode::Invalid, "the name \"" + variant.name + "\" is used twice",
                  childPointer(variant.pointer, "name"), "Use a unique name for each variant");
    }
  }
  for (FileVariant& variant : variants) {
    if (variant.name.empty()) {
      const std::string base =
          variant.id.empty() ? std::string(word(variant.strategy)) : variant.id;
      variant.name = base;
      for (int n = 2; !names.insert(variant.name).second; ++n) {
        variant.name = base + " " + std::to_string(n);
      }
    }
    if (!variant.id.empty()) continue;
    if (isImplicitId(slug(variant.name))) ids.insert(slug(variant.name));
    variant.id = uniqueSlug(variant.name, ids);
  }
  return {};
}

/// Makes the paths of CSV files in the source absolute, so that it works from any folder.
void makePathsAbsolute(Json& variants, const std::string& baseFolder) {
  const auto mend = [&](Json& schedule) {
    if (!schedule.is_object() || !schedule.contains("csv") || !schedule["csv"].is_string()) return;
    const std::filesystem::path base = baseFolder.empty() ? "." : baseFolder;
    const std::filesystem::path path = base / schedule["csv"].get<std::string>();
    schedule["csv"] = std::filesystem::absolute(path).lexically_normal().string();
  };
  for (Json& variant : variants) {
    if (!variant.is_object() || !variant.contains("schedule")) continue;
    Json& schedule = variant["schedule"];
    mend(schedule);
    if (!schedule.is_array()) continue;
    for (Json& item : schedule) mend(item);
  }
}

}  // namespace

Result<std::vector<FileVariant>> readVariants(Experiment& experiment,
                                              const std::string& baseFolder) {
  Json* items = experiment.source.contains("variants") ? &experiment.source["variants"] : nullptr;
  if (items == nullptr || !items->is_array() || items->empty()) {
    return fail(ErrorCode::Invalid, "variants must list at least one variant",
                items == nullptr ? "/" : "/variants",
                "Use \"variants\": [{\"name\": \"single\", \"strategy\": \"single\"}]");
  }
  makePathsAbsolute(*items, baseFolder);
  std::vector<FileVariant> variants;
  for (std::size_t i = 0; i < items->size(); ++i) {
    VariantReader reader{experiment, (*items)[i], {}};
    reader.variant.pointer = childPointer("/variants", i);
    STAGELANE_CHECK(reader.read());
    variants.push_back(std::move(reader.variant));
  }
  STAGELANE_CHECK(nameVariants(variants));
  return variants;
}

}  // namespace stagelane::plan::detail
