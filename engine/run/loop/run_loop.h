#pragma once

/// A whole run: announces it, lets the variants take turns, checks gradients, computes results, and
/// emits events for each step. One object per run; the ports decide where events and traces go.

#include <string>
#include <vector>

#include "engine/run/hogwild/hogwild_turns.h"
#include "engine/run/measure/results.h"
#include "engine/run/measure/turn.h"
#include "engine/run/proof/gradient_checks.h"

namespace stagelane::run {

class RunLoop {
 public:
  /// What `ports` refers to outlives it. `executorOptions` are for tests.
  RunLoop(const plan::Experiment& experiment, const RunPorts& ports,
          ExecutorOptions executorOptions = {});

  /// Blocks until done. @errors as runExperiment
  [[nodiscard]] Result<RunOutcome> run();

  /// A worker's thread was abandoned: this object must not be destroyed.
  [[nodiscard]] bool threadsLeft() const {
    return m_pool.anyAbandoned() || m_asynchronousTurns.threadsLeft();
  }

 private:
  [[nodiscard]] Result<RunOutcome> runHere();
  [[nodiscard]] Status meetRanks() const;
  [[nodiscard]] Status compareClocks();
  void fillRanks(record::RunStatus status);
  [[nodiscard]] Status prepare();
  [[nodiscard]] bool anyActive() const;
  [[nodiscard]] Status announce();
  [[nodiscard]] Status repeats();
  /// Whether the variant takes part in this round of turns.
  [[nodiscard]] bool lacks(const VariantRun& run, std::int64_t round) const;
  /// Whether a variant of a sweep that runs out of memory ends without ending the run, because
  /// another one is pending or has results.
  [[nodiscard]] bool endsAlone(const VariantRun& run, const Error& error) const;
  [[nodiscard]] Status endAlone(VariantRun& run, const Error& error);
  [[nodiscard]] Status traceAgain();
  [[nodiscard]] Status turn(VariantRun& run, std::int64_t round);
  /// A turn by whoever takes those of the variant's strategy.
  [[nodiscard]] Result<std::optional<RepeatMeasurement>> take(VariantRun& run, int repeat);
  [[nodiscard]] Status timedTurn(VariantRun& run, std::int64_t repeat);
  [[nodiscard]] Status saySizes(const VariantRun& run, const RepeatMeasurement& measured);
  [[nodiscard]] bool recordsTurn(const VariantRun& run, std::int64_t repeat) const;
  [[nodiscard]] Status recordedTurn(VariantRun& run);
  /// Sets the final status and results of every variant, stores traces, and emits variant_done.
  /// `failure`: why variants lack repeats; null if nothing failed.
  [[nodiscard]] Status publish(record::RunStatus status, const std::string& reason,
                               const Failure* failure = nullptr);
  [[nodiscard]] Status publishOne(VariantRun& run);
  [[nodiscard]] Result<RunOutcome> cancel();
  [[nodiscard]] Error failed(Error error);

  [[nodiscard]] Status say(const std::string& event, Json members) const;
  [[nodiscard]] Status warn(const std::string& code, const std::string& message) const;
  [[nodiscard]] double secondsLeft() const;

  // Copies, which an abandoned thread may use until the process ends.
  const plan::Experiment m_experiment;
  const RunPorts m_ports;
  ExecutorOptions m_executorOptions;
  RunControl m_control;
  WorkerPool m_pool;
  TurnTaker m_turns;
  HogwildTurns m_asynchronousTurns;
  std::vector<VariantRun> m_runs;
  VariantRun* m_current = nullptr;  ///< the variant in its turn or check
  GradientChecks m_checks;
  TimeNs m_startNs = 0;     ///< start of the run
  TimeNs m_comparedNs = 0;  ///< when the ranks' clocks were last compared
  bool m_captures = false;  ///< recording in depth has worked so far
  std::string m_captureProblem;
  TimeNs m_turnsStartNs = 0;
  std::size_t m_turnsDone = 0;
  std::size_t m_turnsInAll = 0;
};

}  // namespace stagelane::run
