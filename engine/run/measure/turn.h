#pragma once

/// One turn of one variant: builds its model from the initial values, trains all batches of a
/// repeat, and measures the time as the experiment's `timing` says. Only the device's cached memory
/// remains for the next turn.

#include <optional>
#include <vector>

#include "engine/run/measure/variant_run.h"

namespace stagelane::run {

class TurnTaker {
 public:
  /// Both references outlive it.
  TurnTaker(const plan::Experiment& experiment, RunControl& control, ExecutorOptions options = {})
      : m_experiment(experiment), m_control(control), m_options(std::move(options)) {}

  /// Draws the initial values and, for `steady`, all batches. @errors OutOfMemory, EngineFailure
  [[nodiscard]] Status prepare();

  /// Trains all batches once. `repeat` is the number in the records (timed repeats count from 0, a
  /// warm-up is -1). Empty if the run was stopped. @errors OutOfMemory, EngineFailure
  [[nodiscard]] Result<std::optional<RepeatMeasurement>> take(VariantRun& run, int repeat);

 private:
  enum class Went { On, Stopped };
  [[nodiscard]] Result<Went> train(Executor& executor, int repeat, RepeatMeasurement& measured);
  [[nodiscard]] Result<Went> steady(Executor& executor, int repeat, RepeatMeasurement& measured);
  [[nodiscard]] Result<Went> tutorial(Executor& executor, int repeat, RepeatMeasurement& measured);
  [[nodiscard]] Result<Went> step(Executor& executor, const StepInput& input, StepTag tag);

  const plan::Experiment& m_experiment;
  RunControl& m_control;
  ExecutorOptions m_options;
  InitialValues m_values;
  std::vector<Batch> m_batches;                   ///< steady only
  std::vector<std::vector<at::Tensor>> m_losses;  ///< of the repeat's steps
  std::vector<std::vector<MicroBatchSizes>> m_sizes;
};

}  // namespace stagelane::run
