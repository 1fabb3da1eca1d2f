#pragma once

/// The moment at which the tests of faults break a run.

#include <atomic>
#include <memory>

#include "engine/schedule/lowering.h"
#include "tests/support/fault_clock.h"

namespace stagelane::run::test {

/// True for one action of the second repeat's first step, when `clock` strikes: the experiments of
/// these tests have two batches a repeat. A function for ExecutorOptions.
class AtTheThirdStep {
 public:
  AtTheThirdStep(const stagelane::test::FaultClock& clock, ActionKind kind, int stage,
                 int microBatch)
      : m_clock(clock), m_kind(kind), m_stage(stage), m_microBatch(microBatch) {}
  bool operator()(const schedule::LoweredAction& action) {
    const bool here = action.kind == m_kind && action.stage.value == m_stage &&
                      action.microBatch.value == m_microBatch && ++*m_seen == 3;
    if (here) m_clock.strike();
    return here;
  }

 private:
  stagelane::test::FaultClock m_clock;
  ActionKind m_kind;
  int m_stage;
  int m_microBatch;
  /// Every turn has a copy of the options.
  std::shared_ptr<std::atomic<int>> m_seen = std::make_shared<std::atomic<int>>(0);
};

}  // namespace stagelane::run::test
