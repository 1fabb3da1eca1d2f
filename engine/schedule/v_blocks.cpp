// V-Half and V-Min repeat a building block, the work of one micro-batch on one row, every six
// passes. The block fixes the order of forwards and input gradients; the unit-cost play below
// removes waits and fills the remaining ones with weight gradients.

#include <algorithm>
#include <limits>
#include <tuple>

#include "engine/schedule/fill.h"

namespace stagelane::schedule::detail {
namespace {

constexpr int kPassesOfMicroBatch = 6;

/// One leg of a building block: it reaches the row at distance n after `start + step · n` passes.
struct Leg {
  int step = 1;
  int start = 0;
};

/// When micro-batch 0 passes each row: down and up the V, and back the same way.
struct Block {
  Leg forwardDown;
  Leg forwardUp;
  Leg backwardUp;     ///< input gradients of the stages up the V; runs down the rows
  Leg backwardDown;   ///< input gradients of the stages down the V; runs up the rows
  int mostAlive = 2;  ///< limit of live chunk activations on one row
};

/// Steps 1 and 2 alternate: on either leg forward and backward take 3(p−1) together, so all rows
/// need the same memory. The starts are the earliest at which no two passes of a row coincide
/// modulo six.
Block halfBlock(int p) {
  const int turn = p % 2 == 0 ? 3 : 0;
  return {{1, 0}, {2, p}, {1, 3 * p - 1}, {2, 4 * p + turn}, 2 * ((p + 2) / 2)};
}

/// All steps are 1, which gives a micro-batch the shortest lifetime. If p is a multiple of 3, every
/// forward would coincide with a backward, so the later legs are delayed; in the few passes that
/// still coincide, forwards go first. With two rows there are too few passes between the legs for
/// the weight gradients, so the last leg is slower.
Block minBlock(int p) {
  if (p == 2) return {{1, 0}, {1, 2}, {1, 5}, {2, 11}, 3};
  const int alive = 2 * ((p + 4) / 3);
  if (p % 3 == 0) return {{1, 0}, {1, p + 1}, {1, 2 * p + 1}, {1, 3 * p + 3}, alive};
  return {{1, 0}, {1, p}, {1, 2 * p}, {1, 3 * p}, alive};
}

struct Timed {
  int time = 0;
  Action action;
};

/// Forwards and input gradients of one row in the order of the repeated block.
std::vector<Action> orderOf(const Schedule& schedule, const Block& block, int row) {
  const int far = schedule.devices - 1 - row;
  const StageId down{row};
  const StageId up{schedule.stages - 1 - row};
  const auto at = [](const Leg& leg, int distance) { return leg.start + leg.step * distance; };
  std::vector<Timed> timed;
  timed.reserve(4 * static_cast<std::size_t>(schedule.microBatches));
  for (int k = 0; k < schedule.microBatches; ++k) {
    const int begin = kPassesOfMicroBatch * k;
    const MicroBatchId microBatch{k};
    timed.push_back({begin + at(block.forwardDown, row), {ActionKind::Forward, down, microBatch}});
    timed.push_back({begin + at(block.forwardUp, far), {ActionKind::Forward, up, microBatch}});
    timed.push_back(
        {begin + at(block.backwardUp, row), {ActionKind::BackwardInput, up, microBatch}});
    timed.push_back(
        {begin + at(block.backwardDown, far), {ActionKind::BackwardInput, down, microBatch}});
  }
  std::sort(timed.begin(), timed.end(), [](const Timed& a, const Timed& b) {
    return std::tie(a.time, a.action.kind, a.action.stage.value) <
           std::tie(b.time, b.action.kind, b.action.stage.value);
  });
  std::vector<Action> order;
  order.reserve(timed.size());
  for (const Timed& each : timed) order.push_back(each.action);
  return order;
}

/// Plays the rows in unit passes. A row runs its next pass of the order if that is ready and within
/// the limit of live activations, else its oldest weight gradient.
class Squeeze {
 public:
  Squeeze(Schedule& schedule, const Block& block);
  void play();

 private:
  struct Row {
    std::vector<Action> order;
    std::size_t next = 0;
    std::size_t weights = 0;     ///< weight gradients done, in the order of `inputs`
    std::vector<Action> inputs;  ///< input gradients done
    int alive = 0;
  };
  [[nodiscard]] std::size_t at(int stage, MicroBatchId microBatch) const {
    return static_cast<std::size_t>(stage) * static_cast<std::size_t>(m_schedule.microBatches) +
           static_cast<std::size_t>(microBatch.value);
  }
  [[nodiscard]] bool ready(const Row& row, const Action& action) const;
  /// Runs one pass on the row; false if it has to wait.
  bool pass(std::size_t index);
  void finish(std::size_t index, const Action& action);

  static constexpr int kNever = std::numeric_limits<int>::max();

  Schedule& m_schedule;
  int m_mostAlive;
  std::vector<Row> m_rows;
  std::vector<int> m_forward;   ///< end of each stage's forward
  std::vector<int> m_backward;  ///< end of each stage's input gradient
  int m_now = 0;
};

Squeeze::Squeeze(Schedule& schedule, const Block& block)
    : m_schedule(schedule),
      m_mostAlive(block.mostAlive),
      m_rows(static_cast<std::size_t>(schedule.devices)),
      m_forward(at(schedule.stages, MicroBatchId{0}), kNever),
      m_backward(m_forward) {
  for (int row = 0; row < schedule.devices; ++row) {
    m_rows[static_cast<std::size_t>(row)].order = orderOf(schedule, block, row);
  }
}

bool Squeeze::ready(const Row& row, const Action& action) const {
  const int stage = action.stage.value;
  if (action.kind == ActionKind::Forward) {
    return row.alive < m_mostAlive &&
           (stage == 0 || m_forward[at(stage - 1, action.microBatch)] <= m_now);
  }
  const bool last = stage == m_schedule.stages - 1;
  return last ? m_forward[at(stage, action.microBatch)] <= m_now
              : m_backward[at(stage + 1, action.microBatch)] <= m_now;
}

void Squeeze::finish(std::size_t index, const Action& action) {
  Row& row = m_rows[index];
  m_schedule.actions[index].push_back(action);
  if (action.kind == ActionKind::Forward) {
    m_forward[at(action.stage.value, action.microBatch)] = m_now + 1;
    ++row.alive;
  } else if (action.kind == ActionKind::BackwardInput) {
    m_backward[at(action.stage.value, action.microBatch)] = m_now + 1;
    row.inputs.push_back(action);
  } else {
    --row.alive;
  }
}

bool Squeeze::pass(std::size_t index) {
  Row& row = m_rows[index];
  if (row.next < row.order.size() && ready(row, row.order[row.next])) {
    finish(index, row.order[row.next++]);
    return true;
  }
  if (row.weights == row.inputs.size()) return false;
  Action weight = row.inputs[row.weights++];
  weight.kind = ActionKind::BackwardWeight;
  finish(index, weight);
  return true;
}

void Squeeze::play() {
  std::size_t left = 0;
  for (const Row& row : m_rows) left += row.order.size() + row.order.size() / 2;
  for (; left > 0; ++m_now) {
    for (std::size_t index = 0; index < m_rows.size(); ++index) {
      if (pass(index)) --left;
    }
  }
}

}  // namespace

void fillVHalf(Schedule& schedule) { Squeeze(schedule, halfBlock(schedule.devices)).play(); }

void fillVMin(Schedule& schedule) { Squeeze(schedule, minBlock(schedule.devices)).play(); }

}  // namespace stagelane::schedule::detail
