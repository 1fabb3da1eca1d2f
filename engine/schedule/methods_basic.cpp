// Methods without chunks: one stage per device, or the stages of a plan as they are.

#include <algorithm>

#include "engine/schedule/fill.h"

namespace stagelane::schedule::detail {
namespace {

/// Naive model parallelism: the stages run one after another, the backward in reverse. With several
/// micro-batches each starts when the previous one is done (gradient accumulation); one device and
/// any number of micro-batches is `single`.
/// @source PyTorch tutorial "Single-Machine Model Parallel Best Practices"
void fillSequential(Schedule& schedule) {
  for (int k = 0; k < schedule.microBatches; ++k) {
    for (int s = 0; s < schedule.stages; ++s) add(schedule, ActionKind::Forward, s, k);
    for (int s = schedule.stages - 1; s >= 0; --s) add(schedule, ActionKind::Backward, s, k);
  }
}

/// One forward, one backward: stage s of p runs min(m, p−1−s) forwards ahead, then alternates.
/// Bubble (p−1)(F+B), peak min(m, p−s)·A at stage s.
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

Status oneDevice(const Schedule& schedule) {
  if (schedule.devices == 1) return {};
  return invalid(
      schedule.name + " runs on one device, but there are " + std::to_string(schedule.devices),
      "Use model_parallel, gpipe or 1f1b for several devices");
}

Status oneMicroBatch(const Schedule& schedule) {
  if (schedule.microBatches == 1) return {};
  return invalid(schedule.name + " has one micro-batch, but there are " +
                     std::to_string(schedule.microBatches),
                 "Use tutorial, gpipe or 1f1b for several micro-batches");
}

}  // namespace

void fillForwardsThenBackwards(Schedule& schedule) {
  for (int s = 0; s < schedule.stages; ++s) {
    for (int k = 0; k < schedule.microBatches; ++k) add(schedule, ActionKind::Forward, s, k);
  }
  for (int s = schedule.stages - 1; s >= 0; --s) {
    for (int k = schedule.microBatches - 1; k >= 0; --k) add(schedule, ActionKind::Backward, s, k);
  }
}

std::vector<Method> basicMethods() {
  constexpr ScheduleLayout kOneStage{StageLayout::OnePerDevice, 1};
  return {
      {.name = "single",
       .description = "One device; several micro-batches accumulate gradients",
       .paper = {},
       .layout = kOneStage,
       .fill = fillSequential,
       .check = oneDevice,
       .pipeline = false,
       .torchClass = "ScheduleGPipe"},
      {.name = "model_parallel",
       .description = "One stage after another, with the whole batch",
       .paper = {},
       .fill = fillSequential,
       .check = oneMicroBatch,
       .pipeline = false,
       .torchClass = "ScheduleGPipe"},
      {.name = "tutorial",
       .description = "All forwards, one loss of the whole batch, all backwards, as in the PyTorch "
                      "tutorial",
       .paper = {},
       .layout = kOneStage,
       .fill = fillForwardsThenBackwards,
       .lossMode = LossMode::WholeBatch,
       .keeps = Keeps::All,
       .torchClass = "ScheduleGPipe"},
      {.name = "gpipe",
       .description = "All forwards, then all backwards",
       .paper = "arXiv:1811.06965",
       .layout = kOneStage,
       .fill = fillForwardsThenBackwards,
       .keeps = Keeps::All,
       .torchClass = "ScheduleGPipe"},
      {.name = "1f1b",
       .description = "One forward, one backward: like GPipe, with fewer micro-batches in memory",
       .paper = "arXiv:1806.03377",
       .layout = kOneStage,
       .fill = fillOneForwardOneBackward,
       .keeps = Keeps::Share,
       .comparesCuts = true,
       .torchClass = "Schedule1F1B"},
  };
}

}  // namespace stagelane::schedule::detail
