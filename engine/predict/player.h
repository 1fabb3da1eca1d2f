#pragma once

/// Two ways to play a lowered schedule by the same rules: row by row if durations are fixed, and
/// event by event if CPU workers slow each other down.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/result.h"
#include "engine/predict/memory_ledger.h"
#include "engine/predict/plan_costs.h"
#include "engine/predict/simulator.h"
#include "engine/predict/step_simulator.h"
#include "engine/schedule/dependencies.h"

namespace stagelane::predict::detail {

inline constexpr TimeNs kNotYet = -1;

/// The recorded timeline of each row.
using Timeline = std::vector<std::vector<Played>>;

/// Every link has one sending row, which fills it in order, and no row's actions depend on when
/// another row was played. Hence fixed durations need no event queue. Reusable.
class Player {
 public:
  /// `timeline` may be null.
  [[nodiscard]] Status play(const schedule::LoweredSchedule& lowered, const PlanCosts& costs,
                            Timeline* timeline);
  [[nodiscard]] const StepFigures& figures() const { return m_figures; }

 private:
  using LoweredAction = schedule::LoweredAction;
  using ResultKind = schedule::ResultKind;

  void reset(Timeline* timeline);
  [[nodiscard]] Status outcome() const;

  // Both modes.
  /// When the inputs of the action are available; kNotYet, with the row registered, if unknown.
  [[nodiscard]] TimeNs readyAt(std::size_t row, const LoweredAction& action);
  [[nodiscard]] TimeNs weightsReadyAt(std::size_t row, const LoweredAction& action);
  [[nodiscard]] TimeNs replicasReadyAt(std::size_t row, const LoweredAction& action);
  /// When the link to another row has moved what was sent over it so far.
  [[nodiscard]] TimeNs& linkFree(std::size_t row, int peer);
  [[nodiscard]] TimeNs durationOf(const LoweredAction& action, const StageCost& cost) const;
  void transfer(std::size_t row, const LoweredAction& action, TimeNs ready);
  void send(std::size_t row, const LoweredAction& action, TimeNs ready);
  void receive(std::size_t row, const LoweredAction& action);
  void hold(std::size_t row, const LoweredAction& action, const StageCost& cost);
  /// Ends the action: updates busy time, results and the end of the step.
  void finish(std::size_t row, const LoweredAction& action, Played played);
  void publish(const LoweredAction& action, TimeNs time);
  void weightDone(const LoweredAction& action, TimeNs time);
  void wakeReduces() {
    m_ready.insert(m_ready.end(), m_awaitWeights.begin(), m_awaitWeights.end());
    m_awaitWeights.clear();
  }

  // Mode with fixed durations.
  void playFree();
  [[nodiscard]] bool playNext(std::size_t row, const LoweredAction& action);

  // Mode with contention.
  enum class State : std::uint8_t { Free, Waiting, Timed, Running, Done };
  struct RowClock {
    State state = State::Free;
    TimeNs until = 0;         ///< Timed
    TimeNs start = 0;         ///< Running
    double endsAtWork = 0.0;  ///< Running: work clock at its end
  };
  void playContended();
  void advance(std::size_t row);
  [[nodiscard]] bool begin(std::size_t row, const LoweredAction& action);
  [[nodiscard]] bool nextEvent();
  void end(std::size_t row);
  [[nodiscard]] bool contends(std::size_t row) const {
    return m_costs->contends.empty() || m_costs->contends[row];
  }
  void fillFactors();

  void set(ResultKind kind, const LoweredAction& action, TimeNs time) {
    setAt(m_index->of(kind, action.stage.value, action.microBatch.value), time);
  }
  void setAt(std::size_t result, TimeNs time) {
    m_times[result] = time;
    if (m_waiting[result] < 0) return;
    m_ready.push_back(static_cast<std::size_t>(m_waiting[result]));
    m_waiting[result] = -1;
  }
  void write(std::size_t row, Played played) {
    if (m_timeline != nullptr) (*m_timeline)[row][m_next[row]] = played;
  }
  [[nodiscard]] const StageCost& costOf(std::size_t row, const LoweredAction& action) const {
    return detail::costOf(*m_costs, m_lowered->source.rows, row, action);
  }

  const schedule::LoweredSchedule* m_lowered = nullptr;
  const PlanCosts* m_costs = nullptr;
  Timeline* m_timeline = nullptr;
  std::optional<schedule::ResultIndex> m_index;
  std::size_t m_rows = 0;
  std::vector<TimeNs> m_times;          ///< per result, kNotYet until available
  std::vector<std::int32_t> m_waiting;  ///< per result: the row that waits for it
  std::vector<TimeNs> m_sentFrom;       ///< per (direction, stage, micro-batch): data ready
  std::vector<TimeNs> m_deviceFree;     ///< per row
  /// Per row: the other rows that it sends to, which are few, and when their links are free.
  std::vector<std::vector<std::pair<int, TimeNs>>> m_linkFree;
  std::vector<std::size_t> m_next;   ///< per row
  std::vector<std::size_t> m_ready;  ///< rows to play
  MemoryLedger m_memory;
  std::vector<int> m_held;                  ///< per row
  std::vector<int> m_weightsLeft;           ///< per stage: micro-batches without a weight gradient
  std::vector<TimeNs> m_weightsAt;          ///< per stage: the latest weight gradient so far
  std::vector<std::size_t> m_awaitWeights;  ///< rows that wait for weight gradients of others
  std::vector<char> m_isAtReduce;           ///< per copy of a stage: it has come to its REDUCE
  std::vector<int> m_replicasLeft;          ///< per stage: replicas that have not
  std::vector<TimeNs> m_replicasAt;         ///< per stage: when the latest of them so far came
  std::vector<RowClock> m_clocks;           ///< per row
  std::vector<double> m_factors;            ///< by the number of running rows that contend
  TimeNs m_now = 0;
  double m_work = 0.0;  ///< work clock: progress of an action that runs continuously
  std::size_t m_running = 0;
  StepFigures m_figures;
};

}  // namespace stagelane::predict::detail
