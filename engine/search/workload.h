#pragma once

/// Input of the search for an order: durations, sizes and limits of one plan in flat arrays, orders
/// of compute actions, and the resulting times. Times equal the simulator's without contention and
/// REDUCE; the simulator verifies the results of the search.

#include <limits>
#include <vector>

#include "engine/base/ids.h"
#include "engine/predict/plan_costs.h"
#include "engine/schedule/action.h"

namespace stagelane::search {
struct MemoryCaps;
}

namespace stagelane::search {

/// Row → its compute actions in order.
using Orders = std::vector<std::vector<schedule::Action>>;

inline constexpr TimeNs kNever = std::numeric_limits<TimeNs>::max();

struct Workload {
  struct Cost {
    TimeNs forward = 0;  ///< includes the loss on the last stage
    TimeNs backward = 0;
    TimeNs input = 0;
    TimeNs weight = 0;
    TimeNs sendForward = 0;
    TimeNs sendBackward = 0;
    Bytes saved = 0;       ///< from F to B or W
    Bytes recomputed = 0;  ///< additional, from B or I to B or W
    Bytes temporary = 0;   ///< while an action runs
    Bytes output = 0;      ///< from the end of F to the start of B or I
    Bytes loss = 0;        ///< additional, while the loss after F runs
  };
  int rows = 1;
  int stages = 1;
  int microBatches = 1;
  bool transfersBlock = false;
  bool optimizerWaitsForAll = false;
  std::vector<int> rowOf;                  ///< stage → row
  std::vector<std::vector<int>> stagesOf;  ///< row → stages
  std::vector<Cost> cost;                  ///< [stage · microBatches + micro-batch]
  std::vector<TimeNs> optimizer;           ///< per row
  std::vector<Bytes> room;                 ///< per row: bytes available beyond the resident ones
  std::vector<int> mostLive;  ///< per row: limit of forwards without a completed backward

  [[nodiscard]] std::size_t index(int stage, int microBatch) const {
    return static_cast<std::size_t>(stage) * static_cast<std::size_t>(microBatches) +
           static_cast<std::size_t>(microBatch);
  }
  [[nodiscard]] const Cost& at(int stage, int microBatch) const {
    return cost[index(stage, microBatch)];
  }
  [[nodiscard]] int row(int stage) const { return rowOf[static_cast<std::size_t>(stage)]; }
  [[nodiscard]] TimeNs duration(const schedule::Action& action) const;
  /// The backward in its cheaper form: whole, or both halves.
  [[nodiscard]] TimeNs wholeBackward(int stage, int microBatch) const;
};

/// @pre the costs cover the stages
[[nodiscard]] Workload workloadOf(const std::vector<int>& deviceOfStage,
                                  const predict::PlanCosts& costs, const MemoryCaps& caps);

/// Counts the memory that a row keeps as its actions are added in order, as the simulator does.
struct Kept {
  Bytes bytes = 0;
  int live = 0;
  Bytes peak = 0;  ///< during the most recent action
  void add(const schedule::Action& action, const Workload::Cost& cost);
};

/// Whether a row's order stays within its limits.
[[nodiscard]] bool fits(const Workload& workload, std::size_t row,
                        const std::vector<schedule::Action>& order);

/// Times orders of one workload; reuses its arrays between calls.
class OrderTimer {
 public:
  explicit OrderTimer(const Workload& workload);

  /// The step; kNever if the order deadlocks.
  [[nodiscard]] TimeNs play(const Orders& orders);

  struct Place {
    std::size_t row = 0;
    std::size_t position = 0;
  };
  /// After `play`: the critical actions, which start when their predecessor on the row ends and
  /// from which a chain of such waits leads to the end of the step.
  void criticalPlaces(const Orders& orders, std::vector<Place>& places);
  /// After `play`: the sum over rows of the end of their last action.
  [[nodiscard]] TimeNs sumOfEnds() const { return m_sumOfEnds; }

 private:
  [[nodiscard]] std::size_t placeActions(const Orders& orders);
  [[nodiscard]] Place sourceOf(const schedule::Action& action) const;
  struct Span {
    TimeNs start = 0;
    TimeNs end = 0;
  };
  void playRow(const Orders& orders, std::size_t row);
  [[nodiscard]] bool playNext(const schedule::Action& action, std::size_t row, Span& span);
  [[nodiscard]] TimeNs awaited(const schedule::Action& action, std::size_t row, bool& there);
  void deliver(std::vector<TimeNs>& arrivals, std::size_t at, int from, int to, TimeNs duration);

  const Workload& m_workload;
  std::vector<TimeNs> m_input;     ///< per (stage, micro-batch): the forward's input arrives
  std::vector<TimeNs> m_gradient;  ///< per (stage, micro-batch): the output's gradient arrives
  std::vector<int> m_waitsInput;   ///< row that waits, or -1
  std::vector<int> m_waitsGradient;
  std::vector<char> m_inputGradientDone;
  std::vector<TimeNs> m_linkFree;  ///< [from row · rows + to row]
  std::vector<TimeNs> m_free;
  std::vector<std::size_t> m_next;
  std::vector<std::size_t> m_ready;
  std::vector<std::vector<Span>> m_spans;
  std::vector<Place> m_placeOfForward;
  std::vector<Place> m_placeOfGradient;
  TimeNs m_sumOfEnds = 0;
};

}  // namespace stagelane::search
