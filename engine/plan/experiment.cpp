#include "engine/plan/experiment.h"

#include <algorithm>

#include "engine/plan/reading.h"
#include "engine/schedule/methods.h"

namespace stagelane::plan {

std::string_view word(Precision precision) {
  switch (precision) {
    case Precision::Fp32: return "fp32";
    case Precision::Tf32: return "tf32";
    case Precision::Bf16: break;
  }
  return "bf16";
}

std::string_view word(Recompute recompute) {
  switch (recompute) {
    case Recompute::Never: return "never";
    case Recompute::ExceptLast: return "except_last";
    case Recompute::Always: break;
  }
  return "always";
}

int optimizerStates(const OptimizerSpec& optimizer) {
  if (optimizer.kind != "sgd") return 2;
  return optimizer.momentum > 0.0 ? 1 : 0;
}

double optimizerStreams(const OptimizerSpec& optimizer) {
  // Element-wise operators run one after another; each reads its operands and writes its result.
  constexpr double kSgd = 3.0, kMomentum = 5.0, kAdam = 18.0;
  constexpr double kDecayOfGradient = 3.0, kDecayInPlace = 2.0;
  double streams = optimizer.kind == "sgd" ? kSgd : kAdam;
  if (optimizer.kind == "sgd" && optimizer.momentum > 0.0) streams += kMomentum;
  if (optimizer.weightDecay > 0.0) {
    streams += optimizer.kind == "adamw" ? kDecayInPlace : kDecayOfGradient;
  }
  return streams;
}

const Variant* Experiment::variantById(const std::string& id) const {
  const auto found = std::find_if(variants.begin(), variants.end(),
                                  [&](const Variant& variant) { return variant.id == id; });
  return found == variants.end() ? nullptr : &*found;
}

Result<model::ModelShapesPtr> Experiment::shapesAt(std::int64_t samples) const {
  model::Shape whole = input;
  whole.insert(whole.begin(), samples);
  if (shapes && shapes->model() == model) return shapes->at(whole, dtype);
  return model::ShapeMemo(model).at(whole, dtype);
}

Status checkSplit(const Experiment& experiment, std::int64_t split) {
  const std::string place = "split_size " + std::to_string(split);
  STAGELANE_CHECK(detail::checkBatchNorm(experiment, split, place));
  const std::int64_t tail = experiment.data.batchSize % split;
  return tail == 0 ? Status{} : detail::checkBatchNorm(experiment, tail, place);
}

Result<Experiment> readExperiment(const Json& document, const std::string& baseFolder,
                                  const MachineDevices& machine, const model::ShapeMemoPtr& known) {
  Experiment experiment;
  experiment.source = document;
  experiment.cores = machine.cores;
  STAGELANE_CHECK(detail::readSettings(experiment));
  STAGELANE_CHECK(detail::readModel(experiment, baseFolder, known));
  STAGELANE_CHECK(detail::readDevices(experiment, machine));
  STAGELANE_CHECK(detail::checkPrecision(experiment));
  STAGELANE_TRY(variants, detail::readVariants(experiment, baseFolder));
  STAGELANE_TRY(stages, detail::readStages(experiment, *variants));
  STAGELANE_CHECK(detail::expandVariants(experiment, *variants, *stages));
  detail::addImplicitVariants(experiment);
  detail::warnOfSharedCores(experiment, machine);
  return experiment;
}

bool hasOpenOrder(const Variant& variant) {
  return variant.schedule == schedule::kAutoSchedule && variant.order.empty();
}

const DeviceSpec* findDevice(const std::vector<DeviceSpec>& devices, const DeviceId& id) {
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const DeviceSpec& device) { return device.id == id; });
  return found == devices.end() ? nullptr : &*found;
}

std::optional<Bytes> memoryLimit(const Experiment& experiment, const DeviceId& id) {
  const DeviceSpec* device = findDevice(experiment.devices, id);
  return device == nullptr ? std::nullopt : device->maxMemory;
}

std::int64_t recordedTurns(const Experiment& experiment) {
  constexpr std::int64_t kMost = 10;
  const bool deep =
      experiment.trace == TraceDepth::Operators || experiment.trace == TraceDepth::Kernels;
  return deep ? std::min(experiment.repeat, kMost) : 0;
}

Status requireIncluded(const Experiment& experiment) {
  const bool any = std::any_of(experiment.variants.begin(), experiment.variants.end(),
                               [](const Variant& variant) { return variant.include; });
  if (any) return {};
  return fail(ErrorCode::Invalid, "no variant is included", "/variants",
              "Set \"include\": true in at least one variant, or remove \"include\"");
}

}  // namespace stagelane::plan
