#pragma once

/// The steps of reading an experiment, in the order in which `readExperiment` calls them. Each
/// fills its part of the Experiment from `experiment.source`. Internal to engine/plan.

#include <optional>
#include <string>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/plan/stage_layout.h"

namespace stagelane::plan::detail {

/// "WHAT is not available in this version", at a JSON pointer.
[[nodiscard]] tl::unexpected<Error> notAvailable(const std::string& what,
                                                 const std::string& pointer,
                                                 const std::string& hint = {});

/// Smallest and largest value of a number.
struct Range {
  std::int64_t least = 0;
  std::int64_t most = 0;
};
/// Reads an integer within a range; a problem is recorded in the reader.
[[nodiscard]] std::int64_t integerWithin(ObjectReader& reader, const std::string& key, Range range,
                                         std::optional<std::int64_t> fallback);
/// Reads a number from 0 to `most`; a problem is recorded in the reader.
[[nodiscard]] double numberWithin(ObjectReader& reader, const std::string& key, double most,
                                  double fallback);

/// Reads everything but model, devices and variants.
[[nodiscard]] Status readSettings(Experiment& experiment);
/// Reads how to train: optimizer, clipping, precision, batch norm, task. `reader` reads the whole
/// document. Part of readSettings.
[[nodiscard]] Status readTraining(ObjectReader& reader, Experiment& experiment);
/// Checks the precision against dtype and devices, which are read later. Warns of devices without
/// it.
[[nodiscard]] Status checkPrecision(Experiment& experiment);
/// Reads `input`, and checks that it suits the model and that the output suits labels and loss.
/// `known` comes from an earlier reading; may be null.
[[nodiscard]] Status readModel(Experiment& experiment, const std::string& baseFolder,
                               const model::ShapeMemoPtr& known);
/// Reads `devices`, and writes the resolved names, also for `#N` in variants, back into the source.
[[nodiscard]] Status readDevices(Experiment& experiment, const MachineDevices& machine);

/// One item of `variants` as in the file, before placement and sweeps are resolved.
struct FileVariant {
  std::string pointer;
  std::string name;
  std::string id;
  Strategy strategy{};
  bool include = true;
  Recompute recompute = Recompute::Never;
  std::vector<std::string> schedules;  ///< names, or `csv:PATH`
  bool scheduleIsList = false;
  std::vector<std::int64_t> splits;  ///< none exceeds the batch
  bool splitIsList = false;
  std::optional<int> chunks;  ///< stages per device; empty: the default of each schedule
  int replicas = 1;           ///< of each stage of a pipeline
  ReduceSpec reduce;
  HogwildSpec hogwild;
  const Json* device = nullptr;
  const Json* placement = nullptr;
  const Json* stages = nullptr;
};
[[nodiscard]] Result<std::vector<FileVariant>> readVariants(Experiment& experiment,
                                                            const std::string& baseFolder);
/// @errors Invalid at `chunks` if the schedule does not allow the number
[[nodiscard]] Result<WantedStages> wantedStages(const FileVariant& variant,
                                                const std::string& schedule);
/// With `chunks` given, checks that each device has that many stages.
/// @errors Invalid at `chunks`
[[nodiscard]] Status checkCount(const FileVariant& variant, const WantedStages& wanted,
                                const std::vector<Stage>& stages);

/// Stages for one schedule, and their parts that are still open.
struct ReadStages {
  std::vector<Stage> stages;
  std::optional<OpenStages> open;
  std::vector<DeviceGroup> groups{};  ///< as in Variant
};
/// One entry per schedule of a file variant, in the same order.
using StagesOfSchedules = std::vector<ReadStages>;
/// One entry per file variant, in the same order.
[[nodiscard]] Result<std::vector<StagesOfSchedules>> readStages(
    const Experiment& experiment, const std::vector<FileVariant>& variants);
/// Expands sweeps into `experiment.variants`.
[[nodiscard]] Status expandVariants(Experiment& experiment,
                                    const std::vector<FileVariant>& variants,
                                    const std::vector<StagesOfSchedules>& stages);
/// Adds a warning if a variant's CPU workers have more threads than the machine has cores.
void warnOfSharedCores(Experiment& experiment, const MachineDevices& machine);
/// Adds `single-all-cores` and `baseline-mbN`.
void addImplicitVariants(Experiment& experiment);

/// Rejects batch norm over one value per channel, as PyTorch does in training. Inference uses the
/// running statistics.
/// @errors Invalid naming the layer
[[nodiscard]] Status checkBatchNorm(const Experiment& experiment, std::int64_t samples,
                                    const std::string& pointer);

}  // namespace stagelane::plan::detail
