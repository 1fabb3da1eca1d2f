#pragma once

/// The parts of reading an experiment, in the order in which `readExperiment` calls them. Each
/// fills its share of the Experiment from `experiment.source`. Internal to engine/plan.

#include <optional>
#include <string>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/plan/stage_layout.h"

namespace stagelane::plan::detail {

/// "WHAT is not available in this version", at a place.
[[nodiscard]] tl::unexpected<Error> notAvailable(const std::string& what,
                                                 const std::string& pointer,
                                                 const std::string& hint = {});

/// Least and largest value of a number.
struct Range {
  std::int64_t least = 0;
  std::int64_t most = 0;
};
/// Reads a whole number within a range; a problem is left in the reader.
[[nodiscard]] std::int64_t integerWithin(ObjectReader& reader, const std::string& key, Range range,
                                         std::optional<std::int64_t> fallback);
/// Reads a number from 0 to `most`; a problem is left in the reader.
[[nodiscard]] double numberWithin(ObjectReader& reader, const std::string& key, double most,
                                  double fallback);

/// Everything but model, devices and variants.
[[nodiscard]] Status readSettings(Experiment& experiment);
/// How to train: optimizer, clipping, precision, batch norm, task. `reader` reads the whole
/// document. Part of readSettings.
[[nodiscard]] Status readTraining(ObjectReader& reader, Experiment& experiment);
/// That the precision suits dtype and devices, which are read later. Warns where a device cannot.
[[nodiscard]] Status checkPrecision(Experiment& experiment);
/// `input`, and that the model takes it and that its output suits the labels and the loss.
/// `known` is of an earlier reading; null: none.
[[nodiscard]] Status readModel(Experiment& experiment, const std::string& baseFolder,
                               const model::ShapeMemoPtr& known);
/// `devices`; writes the resolved names, also for `#N` in variants, back into the source.
[[nodiscard]] Status readDevices(Experiment& experiment, const MachineDevices& machine);

/// One item of `variants` as the file says it, before placement and sweeps are resolved.
struct FileVariant {
  std::string pointer;
  std::string name;
  std::string id;
  Strategy strategy{};
  bool include = true;
  Recompute recompute = Recompute::Never;
  std::vector<std::string> schedules;  ///< names, or `csv:PATH`
  bool scheduleIsList = false;
  std::vector<std::int64_t> splits;  ///< none above the batch
  bool splitIsList = false;
  std::optional<int> chunks;  ///< stages a device; nothing: what each schedule has by itself
  const Json* device = nullptr;
  const Json* placement = nullptr;
  const Json* stages = nullptr;
};
[[nodiscard]] Result<std::vector<FileVariant>> readVariants(Experiment& experiment,
                                                            const std::string& baseFolder);
/// @errors Invalid at `chunks` when the schedule does not have so many
[[nodiscard]] Result<WantedStages> wantedStages(const FileVariant& variant,
                                                const std::string& schedule);
/// With `chunks` given, that the stages are as many on each device.
/// @errors Invalid at `chunks`
[[nodiscard]] Status checkCount(const FileVariant& variant, const WantedStages& wanted,
                                const std::vector<Stage>& stages);

/// Stages for one schedule, and what of them is still to be found.
struct ReadStages {
  std::vector<Stage> stages;
  std::optional<OpenStages> open;
};
/// For every schedule of a file variant, in the same order.
using StagesOfSchedules = std::vector<ReadStages>;
/// For every file variant, in the same order.
[[nodiscard]] Result<std::vector<StagesOfSchedules>> readStages(
    const Experiment& experiment, const std::vector<FileVariant>& variants);
/// Expands sweeps into `experiment.variants`.
[[nodiscard]] Status expandVariants(Experiment& experiment,
                                    const std::vector<FileVariant>& variants,
                                    const std::vector<StagesOfSchedules>& stages);
/// Adds a warning where a variant's CPU workers have more threads than the machine has cores.
void warnOfSharedCores(Experiment& experiment, const MachineDevices& machine);
/// Adds `single-all-cores` and `baseline-mbN`.
void addImplicitVariants(Experiment& experiment);

/// Batch norm over one value per channel, as PyTorch refuses it in training. Inference takes the
/// running statistics.
/// @errors Invalid naming the layer
[[nodiscard]] Status checkBatchNorm(const Experiment& experiment, std::int64_t samples,
                                    const std::string& pointer);

}  // namespace stagelane::plan::detail
