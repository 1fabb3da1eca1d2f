#pragma once

/// Turns of Hogwild variants, which have no common step: a repeat is as many updates as the variant
/// asks for, by whichever process is next. TurnTaker takes the turns of all other variants. Watches
/// the processes: one that ended, or that shows no progress, fails the run within two seconds (or
/// the stall limit), and the others end with it.

#include <map>
#include <memory>
#include <string>

#include "engine/run/hogwild/collected.h"
#include "engine/run/hogwild/crew.h"
#include "engine/run/measure/variant_run.h"

namespace stagelane::run {

class HogwildTurns {
 public:
  /// Both references outlive it. `program` is that of the processes.
  HogwildTurns(const plan::Experiment& experiment, RunControl& control,
               std::string program = "/proc/self/exe")
      : m_experiment(experiment), m_control(control), m_program(std::move(program)) {}

  /// Trains one repeat from the initial values; `repeat` as in TurnTaker::take. Empty if the run
  /// was stopped. If a stop or a failure ends the variant's first repeat, its result has what was
  /// measured until then. Processes start with the variant's first turn and stay.
  /// @thread always the same one, which outlives this object; blocks
  /// @errors OutOfMemory, EngineFailure (the loss is not finite; RankLost: a process was lost)
  [[nodiscard]] Result<std::optional<RepeatMeasurement>> take(VariantRun& run, int repeat);

  /// A thread that cannot be ended was left behind: the engine has to end without destroying this.
  [[nodiscard]] bool threadsLeft() const { return m_threadsLeft; }

 private:
  /// The workers of a variant and what they share.
  struct Session {
    std::shared_ptr<SharedState> shared;
    std::unique_ptr<Crew> crew;
    InitialValues values;
  };
  class Watch;
  [[nodiscard]] Result<Session*> sessionOf(const VariantRun& run);
  [[nodiscard]] Result<Session> begin(const plan::Variant& variant) const;
  [[nodiscard]] Result<TimeNs> startRound(Session& session, Watch& watch, int repeat);
  void endSession(const VariantRun& run);

  const plan::Experiment& m_experiment;
  RunControl& m_control;
  std::string m_program;
  std::map<std::string, Session> m_sessions;  ///< by variant
  bool m_threadsLeft = false;
};

}  // namespace stagelane::run
