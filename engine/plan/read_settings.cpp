#include "engine/plan/experiment_keys.h"
#include "engine/plan/reading.h"

namespace stagelane::plan::detail {
namespace {

constexpr Range kCount{1, 1'000'000};
constexpr std::int64_t kLargestSeed = std::int64_t{1} << 53;  // exact in every JSON reader

/// `samples` gives the number of batches, the last of which may be smaller.
void readSamples(ObjectReader& reader, DataSpec& data) {
  data.samples = data.batchSize * data.batches;
  if (!reader.has("samples")) return;
  data.samples = integerWithin(reader, "samples", {1, kCount.most * kCount.most}, {});
  if (data.samples < 1 || data.batchSize < 1) return;
  const std::int64_t batches = (data.samples + data.batchSize - 1) / data.batchSize;
  if (data.samples < data.batchSize || batches > kCount.most) {
    reader.problem("samples", "must be at least batch_size, in at most 1000000 batches");
  } else if (reader.has("batches") && data.batches != batches) {
    reader.problem("samples",
                   std::to_string(data.samples) + " samples are " + std::to_string(batches) +
                       " batches of " + std::to_string(data.batchSize),
                   "Remove \"batches\" or \"samples\"");
  }
  data.batches = batches;
}

Status readData(Experiment& experiment) {
  static const Json empty = Json::object();
  const Json& source = experiment.source.contains("data") ? experiment.source["data"] : empty;
  STAGELANE_CHECK(checkKeys(source, KeysOf::Data, "/data"));
  ObjectReader reader(source, "/data");
  (void)reader.oneOf("kind", {"synthetic"}, "synthetic");
  const std::string labels = reader.oneOf("labels", {"one_hot", "class", "normal"}, "one_hot");
  DataSpec& data = experiment.data;
  data.labels = labels == "class"    ? Labels::ClassIndex
                : labels == "normal" ? Labels::Normal
                                     : Labels::OneHot;
  data.batchSize = integerWithin(reader, "batch_size", kCount, {});
  data.batches = integerWithin(reader, "batches", kCount, 1);
  readSamples(reader, data);
  data.seed = static_cast<std::uint64_t>(integerWithin(reader, "seed", {0, kLargestSeed}, 0));
  return reader.finish();
}

void readRepeats(ObjectReader& reader, Experiment& experiment) {
  experiment.threadsPerCpuWorker =
      static_cast<int>(integerWithin(reader, "threads_per_cpu_worker", {1, 1024}, 1));
  experiment.repeat = integerWithin(reader, "repeat", {1, 100'000}, 10);
  const bool tutorial = reader.oneOf("timing", {"steady", "tutorial"}, "steady") == "tutorial";
  experiment.timing = tutorial ? Timing::Tutorial : Timing::Steady;
  experiment.warmup = integerWithin(reader, "warmup", {0, 100'000}, tutorial ? 0 : 1);
  if (tutorial && experiment.warmup != 0) {
    reader.problem("warmup", "timing \"tutorial\" has no warm-up", "Use 0, or remove the key");
  }
  experiment.verifyGradients = reader.boolean("verify_gradients", true);
  experiment.baselineSweep = reader.boolean("baseline_sweep", false);
  // The engine reads these from the source; here only their type is checked.
  static_cast<void>(reader.boolean("early_stop", false));
  static_cast<void>(reader.boolean("skip_out_of_memory", false));
  static_cast<void>(reader.boolean("print_sizes", false));
  if (const Json* stall = reader.raw("stall_timeout_s"); stall != nullptr && !stall->is_null()) {
    const double seconds = reader.number("stall_timeout_s");
    if (!(seconds > 0.0) || seconds > 1e6) {
      reader.problem("stall_timeout_s", "must be above 0 and at most 1000000 seconds");
    }
    experiment.stallTimeoutS = seconds;
  }
}

void readModes(ObjectReader& reader, Experiment& experiment) {
  experiment.loss = reader.oneOf("loss", {"mse", "cross_entropy"}, "mse") == "mse"
                        ? LossKind::MeanSquaredError
                        : LossKind::CrossEntropy;
  experiment.memoryFormat =
      reader.oneOf("memory_format", {"contiguous", "channels_last"}, "contiguous") == "contiguous"
          ? MemoryFormat::Contiguous
          : MemoryFormat::ChannelsLast;
  experiment.allocator = reader.oneOf("allocator", {"caching", "system"}, "caching") == "caching"
                             ? AllocatorKind::Caching
                             : AllocatorKind::System;
  const std::string depth = reader.oneOf("trace", {"none", "actions", "ops", "kernels"}, "actions");
  static const std::map<std::string, TraceDepth> depths{{"none", TraceDepth::None},
                                                        {"actions", TraceDepth::Actions},
                                                        {"ops", TraceDepth::Operators},
                                                        {"kernels", TraceDepth::Kernels}};
  const auto known = depths.find(depth);
  experiment.trace = known == depths.end() ? TraceDepth::Actions : known->second;
}

}  // namespace

tl::unexpected<Error> notAvailable(const std::string& what, const std::string& pointer,
                                   const std::string& hint) {
  return fail(ErrorCode::Invalid, what + " is not available in this version", pointer, hint);
}

std::int64_t integerWithin(ObjectReader& reader, const std::string& key, Range range,
                           std::optional<std::int64_t> fallback) {
  const bool present = reader.has(key);
  const std::int64_t value = reader.integer(key, fallback);
  if (present && (value < range.least || value > range.most)) {
    reader.problem(key, "must be an integer from " + std::to_string(range.least) + " to " +
                            std::to_string(range.most));
  }
  return value;
}

double numberWithin(ObjectReader& reader, const std::string& key, double most, double fallback) {
  const double value = reader.number(key, fallback);
  if (!(value >= 0.0) || value > most) {
    reader.problem(key, "must be a number from 0 to " + Json(most).dump());
  }
  return value;
}

Status readSettings(Experiment& experiment) {
  const Json& source = experiment.source;
  STAGELANE_CHECK(checkKeys(source, KeysOf::Experiment, ""));
  ObjectReader reader(source, "");
  for (const std::string& key : knownKeys(KeysOf::Experiment)) (void)reader.has(key);
  if (const std::int64_t version = reader.integer("stagelane"); version != 1) {
    reader.problem("stagelane", "this version reads only format 1", "Use \"stagelane\": 1");
  }
  experiment.name = reader.text("name", "experiment");
  readRepeats(reader, experiment);
  readModes(reader, experiment);
  STAGELANE_CHECK(readTraining(reader, experiment));
  STAGELANE_CHECK(readData(experiment));
  const bool isClass = experiment.data.labels == Labels::ClassIndex;
  const bool isEntropy = experiment.loss == LossKind::CrossEntropy;
  if (isClass != isEntropy && (isClass || experiment.data.labels == Labels::Normal)) {
    return fail(
        ErrorCode::Invalid,
        isEntropy ? "cross_entropy needs class labels" : "mse needs labels with the output's shape",
        "/data/labels",
        isEntropy ? "Use \"class\" or \"one_hot\"" : "Use \"one_hot\" or \"normal\"");
  }
  return {};
}

}  // namespace stagelane::plan::detail
