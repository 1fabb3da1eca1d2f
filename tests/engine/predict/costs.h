#pragma once

/// Hand-made costs for tests of the simulator.

#include <gtest/gtest.h>

#include <vector>

#include "engine/predict/simulator.h"
#include "engine/schedule/generators.h"

namespace stagelane::predict::testing {

struct Unit {
  TimeNs forward = 10;
  TimeNs backward = 20;
  TimeNs transfer = 0;
  Bytes savedBytes = 1;
};

inline PlanCosts costs(int stages, int microBatches, const Unit& unit = {}) {
  StageCost cost;
  cost.forward = unit.forward;
  cost.backward = unit.backward;
  cost.backwardInput = unit.backward / 2;
  cost.backwardWeight = unit.backward - cost.backwardInput;
  cost.sendForward = cost.sendBackward = unit.transfer;
  cost.savedBytes = unit.savedBytes;
  cost.boundaryBytes = 100;
  PlanCosts plan;
  plan.stage.assign(static_cast<std::size_t>(stages),
                    std::vector<StageCost>(static_cast<std::size_t>(microBatches), cost));
  plan.residentBytes.assign(static_cast<std::size_t>(stages), 0);
  return plan;
}

inline schedule::LoweredSchedule lowered(const char* name, int devices, int microBatches) {
  return schedule::lower(*schedule::generate(name, {devices, microBatches, 1}));
}

/// Start and end of one action; `microBatch` is -1 for OPT and REDUCE.
inline Played startsAndEnds(const schedule::LoweredSchedule& list, const Simulation& simulation,
                            std::size_t row, ActionKind kind, int microBatch) {
  for (std::size_t i = 0; i < list.actions[row].size(); ++i) {
    const schedule::LoweredAction& action = list.actions[row][i];
    if (action.kind == kind && action.microBatch.value == microBatch) {
      return simulation.actions[row][i];
    }
  }
  ADD_FAILURE() << "no such action";
  return {};
}

}  // namespace stagelane::predict::testing
