#pragma once

/// A schedule of two stages with two replicas each, written by hand.

#include "engine/schedule/lowering.h"

namespace stagelane::schedule::testing {

/// Rows 0 and 1 have stage 0, rows 2 and 3 stage 1. Of three micro-batches the first replicas run
/// two and the others one.
inline LoweredSchedule twoReplicas() {
  const auto f = [](int stage, int k) {
    return Action{ActionKind::Forward, StageId{stage}, MicroBatchId{k}};
  };
  const auto b = [](int stage, int k) {
    return Action{ActionKind::Backward, StageId{stage}, MicroBatchId{k}};
  };
  Schedule schedule;
  schedule.name = "by hand";
  schedule.devices = 4;
  schedule.microBatches = 3;
  schedule.stages = 2;
  schedule.rows = StageRows::ofReplicas({{0, 1}, {2, 3}});
  schedule.actions = {{f(0, 0), f(0, 2), b(0, 0), b(0, 2)},
                      {f(0, 1), b(0, 1)},
                      {f(1, 0), b(1, 0), f(1, 2), b(1, 2)},
                      {f(1, 1), b(1, 1)}};
  return lower(schedule);
}

}  // namespace stagelane::schedule::testing
