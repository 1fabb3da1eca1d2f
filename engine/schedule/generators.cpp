#include "engine/schedule/generators.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/plan/schedule_names.h"

namespace stagelane::schedule {
namespace {

void add(Schedule& schedule, ActionKind kind, int stage, int microBatch) {
  const auto row =
      static_cast<std::size_t>(schedule.deviceOfStage[static_cast<std::size_t>(stage)]);
  schedule.actions[row].push_back({kind, StageId{stage}, MicroBatchId{microBatch}});
}

/// Naive model parallelism: the stages run one after another, the backward in reverse. With several
/// micro-batches the next one starts when the one before is done (gradient accumulation); one
/// device and any number of micro-batches is `single`.
/// @source PyTorch tutorial "Single-Machine Model Parallel Best Practices"
void fillSequential(Schedule& schedule) {
  for (int k = 0; k < schedule.microBatches; ++k) {
    for (int s = 0; s < schedule.stages; ++s) add(schedule, ActionKind::Forward, s, k);
    for (int s = schedule.stages - 1; s >= 0; --s) add(schedule, ActionKind::Backward, s, k);
  }
}

/// All forwards, then all backwards, the last micro-batch first: `gpipe`, and with the outputs
/// concatenated for one loss the `tutorial`, where autograd walks the splits backwards.
/// @source GPipe, arXiv:1811.06965, figure 2c; PyTorch tutorial "Single-Machine Model Parallel Best
/// Practices", section "Speed Up by Pipelining Inputs"
void fillForwardsThenBackwards(Schedule& schedule) {
  for (int s = 0; s < schedule.stages; ++s) {
    for (int k = 0; k < schedule.microBatches; ++k) add(schedule, ActionKind::Forward, s, k);
    for (int k = schedule.microBatches - 1; k >= 0; --k) add(schedule, ActionKind::Backward, s, k);
  }
}

/// One forward, one backward: stage s of p runs min(m, p−1−s) forwards ahead, then alternates, so
/// that at most min(m, p−s) micro-batches are alive there.
/// @source PipeDream, arXiv:1806.03377, section 3.2; synchronous form ("1F1B with flush"):
/// arXiv:2006.09503, section 2.2
void fillOneForwardOneBackward(Schedule& schedule) {
  for (int s = 0; s < schedule.stages; ++s) {
    const int ahead = std::min(schedule.microBatches, schedule.stages - 1 - s);
    for (int k = 0; k < ahead; ++k) add(schedule, ActionKind::Forward, s, k);
    for (int k = 0; k < schedule.microBatches; ++k) {
      if (k + ahead < schedule.microBatches) add(schedule, ActionKind::Forward, s, k + ahead);
      add(schedule, ActionKind::Backward, s, k);
    }
  }
}

struct Generator {
  std::string_view name;
  void (*fill)(Schedule&);
  bool oneStagePerDevice;  ///< the method places one stage on each device
  bool oneDevice;
  bool oneMicroBatch;
  LossMode lossMode;
};

constexpr Generator kGenerators[]{
    {"single", fillSequential, true, true, false, LossMode::PerMicroBatch},
    {"model_parallel", fillSequential, false, false, true, LossMode::PerMicroBatch},
    {"tutorial", fillForwardsThenBackwards, true, false, false, LossMode::WholeBatch},
    {"gpipe", fillForwardsThenBackwards, true, false, false, LossMode::PerMicroBatch},
    {"1f1b", fillOneForwardOneBackward, true, false, false, LossMode::PerMicroBatch},
};

tl::unexpected<Error> invalid(std::string message, std::string hint = {}) {
  return fail(ErrorCode::Invalid, std::move(message), {}, std::move(hint));
}

Result<const Generator*> generatorNamed(std::string_view name) {
  for (const Generator& generator : kGenerators) {
    if (generator.name == name) return &generator;
  }
  std::vector<std::string> known = availableSchedules();
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  const auto& planned = plannedSchedules();
  const bool later = std::find(planned.begin(), planned.end(), name) != planned.end();
  const std::string subject = "the schedule \"" + std::string(name) + "\"";
  if (later) return invalid(subject + " is not available in this version", "Use one of: " + list);
  const std::string similar = nearest(name, known);
  return invalid("there is no schedule \"" + std::string(name) + "\"",
                 similar.empty() ? "Use one of: " + list : "Did you mean \"" + similar + "\"?");
}

/// The rows must be numbered by first use, so that row r is the r-th device.
bool numberedByFirstUse(const std::vector<int>& deviceOfStage) {
  int next = 0;
  for (const int row : deviceOfStage) {
    if (row < 0 || row > next) return false;
    if (row == next) ++next;
  }
  return true;
}

Status checkLayout(const Generator& generator, const Schedule& schedule) {
  const std::string name(generator.name);
  if (generator.oneDevice && schedule.devices != 1) {
    return invalid(name + " runs on one device, and there are " + std::to_string(schedule.devices),
                   "Use model_parallel, gpipe or 1f1b for several devices");
  }
  if (generator.oneMicroBatch && schedule.microBatches != 1) {
    return invalid(
        name + " has one micro-batch, and there are " + std::to_string(schedule.microBatches),
        "Use tutorial, gpipe or 1f1b for several micro-batches");
  }
  if (generator.oneStagePerDevice && schedule.stages != schedule.devices) {
    return invalid(name + " places one stage on each device, and here are " +
                       std::to_string(schedule.stages) + " stages on " +
                       std::to_string(schedule.devices) + " devices",
                   "Give each device one run of consecutive blocks");
  }
  return {};
}

}  // namespace

const std::vector<std::string>& availableSchedules() { return plan::availableScheduleNames(); }
const std::vector<std::string>& plannedSchedules() { return plan::plannedScheduleNames(); }

Result<Schedule> generateForStages(std::string_view name, const std::vector<int>& deviceOfStage,
                                   int microBatches) {
  const auto generator = generatorNamed(name);
  if (!generator) return tl::make_unexpected(generator.error());
  if (deviceOfStage.empty() || !numberedByFirstUse(deviceOfStage)) {
    return invalid("the rows of the stages must be numbered in the order of their first use");
  }
  if (microBatches < 1) {
    return invalid("a step has at least one micro-batch, not " + std::to_string(microBatches));
  }
  if (2 * static_cast<std::int64_t>(deviceOfStage.size()) * microBatches > kMostActions) {
    return invalid("the schedule would have more than 20000000 actions",
                   "Use fewer micro-batches or devices");
  }
  Schedule schedule;
  schedule.name = std::string(name);
  schedule.stages = static_cast<int>(deviceOfStage.size());
  schedule.devices = 1 + *std::max_element(deviceOfStage.begin(), deviceOfStage.end());
  schedule.microBatches = microBatches;
  schedule.deviceOfStage = deviceOfStage;
  schedule.lossMode = (*generator)->lossMode;
  schedule.actions.resize(static_cast<std::size_t>(schedule.devices));
  if (auto status = checkLayout(**generator, schedule); !status) {
    return tl::make_unexpected(status.error());
  }
  (*generator)->fill(schedule);
  return schedule;
}

Result<Schedule> generate(std::string_view name, const Sizes& sizes) {
  if (const auto known = generatorNamed(name); !known) return tl::make_unexpected(known.error());
  if (sizes.devices < 1 || sizes.devices > kMostDevices) {
    return invalid("the number of devices must be from 1 to " + std::to_string(kMostDevices) +
                   ", not " + std::to_string(sizes.devices));
  }
  if (sizes.chunks < 1) {
    return invalid("a device has at least one chunk, not " + std::to_string(sizes.chunks));
  }
  if (sizes.chunks > 1) {
    return invalid(
        std::string(name) + " places one stage on each device, not " + std::to_string(sizes.chunks),
        "Leave --chunks out");
  }
  std::vector<int> deviceOfStage;
  for (int row = 0; row < sizes.devices; ++row) deviceOfStage.push_back(row);
  return generateForStages(name, deviceOfStage, sizes.microBatches);
}

}  // namespace stagelane::schedule
