#include <algorithm>

#include "engine/plan/experiment_keys.h"
#include "engine/plan/reading.h"

namespace stagelane::plan::detail {
namespace {

constexpr double kMostRate = 1e6;
// Default of torch.optim.AdamW.
constexpr double kDecayOfAdamW = 0.01;

/// Rejects a key of another optimizer kind, which would have no effect.
Status checkKeysOfKind(ObjectReader& reader, const std::string& kind) {
  const bool sgd = kind == "sgd";
  for (const char* key : {"momentum", "betas", "eps"}) {
    const bool ofSgd = std::string_view(key) == "momentum";
    if (ofSgd == sgd || !reader.has(key)) continue;
    return fail(ErrorCode::Invalid, kind + " has no " + key, reader.pointerOf(key),
                sgd ? "Remove it, or use \"kind\": \"adam\" or \"adamw\""
                    : "Remove it, or use \"kind\": \"sgd\"");
  }
  return {};
}

Status readBetas(ObjectReader& reader, OptimizerSpec& optimizer) {
  const Json* betas = reader.raw("betas");
  if (betas == nullptr) return {};
  const std::string place = reader.pointerOf("betas");
  if (!betas->is_array() || betas->size() != 2) {
    return fail(ErrorCode::Invalid, "betas must be two numbers", place, "Use [0.9, 0.999]");
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& beta = (*betas)[i];
    const double value = beta.is_number() ? beta.get<double>() : -1.0;
    if (!(value >= 0.0 && value < 1.0)) {
      return fail(ErrorCode::Invalid, "a beta must be at least 0 and below 1",
                  childPointer(place, i), "The defaults are [0.9, 0.999]");
    }
    optimizer.betas[i] = value;
  }
  return {};
}

Status readOptimizer(Experiment& experiment) {
  static const Json empty = Json::object();
  const Json& source =
      experiment.source.contains("optimizer") ? experiment.source["optimizer"] : empty;
  STAGELANE_CHECK(checkKeys(source, KeysOf::Optimizer, "/optimizer"));
  ObjectReader reader(source, "/optimizer");
  OptimizerSpec& optimizer = experiment.optimizer;
  optimizer.kind = reader.oneOf("kind", {"sgd", "adam", "adamw"}, "sgd");
  optimizer.learningRate = numberWithin(reader, "lr", kMostRate, optimizer.learningRate);
  optimizer.momentum = numberWithin(reader, "momentum", 1.0, optimizer.momentum);
  optimizer.weightDecay = numberWithin(reader, "weight_decay", kMostRate,
                                       optimizer.kind == "adamw" ? kDecayOfAdamW : 0.0);
  optimizer.eps = numberWithin(reader, "eps", kMostRate, optimizer.eps);
  (void)reader.has("betas");
  STAGELANE_CHECK(reader.finish());
  STAGELANE_CHECK(checkKeysOfKind(reader, optimizer.kind));
  return readBetas(reader, optimizer);
}

Status readPrecision(ObjectReader& reader, Experiment& experiment) {
  const std::string word = reader.oneOf("precision", {"fp32", "tf32", "bf16", "fp16"}, "fp32");
  STAGELANE_CHECK(reader.finish());
  const std::string place = reader.pointerOf("precision");
  if (word == "fp16") {
    return notAvailable("precision \"fp16\"", place, "Use \"bf16\", which needs no loss scaling");
  }
  experiment.precision = word == "bf16"   ? Precision::Bf16
                         : word == "tf32" ? Precision::Tf32
                                          : Precision::Fp32;
  return {};
}

Status readClip(ObjectReader& reader, Experiment& experiment) {
  const Json* clip = reader.raw("clip_grad_norm");
  if (clip == nullptr || clip->is_null()) return {};
  const double norm = reader.number("clip_grad_norm");
  if (!(norm > 0.0)) {
    reader.problem("clip_grad_norm", "must be a number above 0",
                   "To disable clipping, remove it or use null");
  }
  experiment.clipGradNorm = norm;
  return reader.finish();
}

}  // namespace

Status readTraining(ObjectReader& reader, Experiment& experiment) {
  const bool infer = reader.oneOf("task", {"train", "infer"}, "train") == "infer";
  experiment.task = infer ? Task::Infer : Task::Train;
  const bool deferred =
      reader.oneOf("batch_norm", {"running", "deferred"}, "running") == "deferred";
  experiment.batchNorm = deferred ? BatchNormMode::Deferred : BatchNormMode::Running;
  STAGELANE_CHECK(readPrecision(reader, experiment));
  STAGELANE_CHECK(readClip(reader, experiment));
  return readOptimizer(experiment);
}

Status checkPrecision(Experiment& experiment) {
  const std::string word(plan::word(experiment.precision));
  if (experiment.precision == Precision::Fp32) return {};
  if (experiment.dtype != model::DType::Float32) {
    return fail(ErrorCode::Invalid, "precision \"" + word + "\" requires float32 tensors",
                "/precision", "Use \"fp32\", or set /input/dtype to \"float32\"");
  }
  const bool cpu = std::any_of(experiment.devices.begin(), experiment.devices.end(),
                               [](const DeviceSpec& device) { return isCpuWorker(device.id); });
  if (experiment.precision == Precision::Tf32 && cpu) {
    experiment.warnings.push_back(
        "precision \"tf32\" applies to GPUs only; CPU workers compute in "
        "float32");
  }
  return {};
}

}  // namespace stagelane::plan::detail
