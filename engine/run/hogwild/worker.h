#pragma once

/// One process (or thread) of a Hogwild variant: trains the shared parameters, round after round,
/// until it is told to quit. Forward, loss, backward and update are those of the other strategies,
/// on tensors over the shared memory. The optimizer writes straight into that memory and keeps its
/// states (momentum, Adam's means) for itself, as in PyTorch's Hogwild example. Gradients are
/// private.

#include <functional>
#include <memory>
#include <optional>

#include "engine/run/hogwild/data_order.h"
#include "engine/run/hogwild/shared_state.h"
#include "engine/run/step/stage_work.h"

namespace stagelane::run {

class HogwildWorker {
 public:
  /// The arguments outlive the worker. `orphaned`: whether nobody waits for the process any more;
  /// may be empty.
  HogwildWorker(const plan::Experiment& experiment, const plan::Variant& variant,
                SharedState& shared, int process, std::function<bool()> orphaned = {});

  /// Serves rounds until `quit`, or until orphaned. An error ends the round and is reported in the
  /// slot. Blocks. @thread one that belongs to the worker: sets its number of threads and owner
  /// @param owner of its allocations; 0: not counted
  void serve(int owner);

 private:
  /// The model over the shared memory, with an optimizer of its own.
  struct Trained;
  [[nodiscard]] Status round(std::uint32_t number);
  [[nodiscard]] bool startTogether(std::uint32_t number);
  [[nodiscard]] Status train(std::uint32_t number);
  [[nodiscard]] Status update(Trained& trained, DataOrder& order);
  void warmUp();
  void keep(std::int64_t number, std::int64_t stale, double loss, TimedUpdate& times);
  [[nodiscard]] bool ends() const;
  void beat() { m_slot.beats.fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] Status notFinite(double loss, std::int64_t number) const;

  const plan::Experiment& m_experiment;
  const plan::Variant& m_variant;
  SharedState& m_shared;
  int m_process;
  int m_owner = 0;
  std::function<bool()> m_orphaned;
  SharedHeader& m_header;
  WorkerSlot& m_slot;
  std::span<LossRecord> m_losses;
  std::span<TimedUpdate> m_timed;
  std::unique_ptr<Backend> m_backend;
  schedule::LoweredSchedule m_lowered;
  StepPlan m_plan;
  bool m_warm = false;
};

}  // namespace stagelane::run
