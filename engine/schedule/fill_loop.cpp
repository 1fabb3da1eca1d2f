// Methods whose stage s is on row s mod p.

#include <algorithm>

#include "engine/schedule/fill.h"

namespace stagelane::schedule::detail {
namespace {

struct Pass {
  int stage = 0;
  int microBatch = 0;
};

/// The order in which a row passes its chunks: micro-batches in groups of p; a group passes chunk
/// by chunk, forwards from the first chunk, backwards from the last.
class PassOrder {
 public:
  PassOrder(const Schedule& schedule, int row)
      : m_devices(schedule.devices), m_chunks(schedule.stages / schedule.devices), m_row(row) {}

  [[nodiscard]] Pass forward(int index) const { return at(index, chunkOf(index)); }
  [[nodiscard]] Pass backward(int index) const { return at(index, m_chunks - 1 - chunkOf(index)); }

 private:
  [[nodiscard]] int chunkOf(int index) const { return index / m_devices % m_chunks; }
  [[nodiscard]] Pass at(int index, int chunk) const {
    const int group = index / (m_devices * m_chunks);
    return {chunk * m_devices + m_row, group * m_devices + index % m_devices};
  }

  int m_devices;
  int m_chunks;
  int m_row;
};

/// `ahead` forwards, then one forward and one input gradient in turn; weight gradients follow their
/// input gradient `putOff` passes later, and at once when there are no forwards left.
struct ZeroBubbleRow {
  int row = 0;
  int ahead = 0;
  int putOff = 0;
};

void fillZeroBubbleRow(Schedule& schedule, const ZeroBubbleRow& sizes) {
  const PassOrder order(schedule, sizes.row);
  const auto write = [&](ActionKind kind, const Pass& pass) {
    add(schedule, kind, pass.stage, pass.microBatch);
  };
  const int passes = schedule.stages / schedule.devices * schedule.microBatches;
  const int ahead = std::min(passes, sizes.ahead);
  for (int i = 0; i < ahead; ++i) write(ActionKind::Forward, order.forward(i));
  int weights = 0;
  for (int i = 0; i < passes; ++i) {
    const bool forwardsLeft = i + ahead < passes;
    if (forwardsLeft) write(ActionKind::Forward, order.forward(i + ahead));
    write(ActionKind::BackwardInput, order.backward(i));
    if (i >= sizes.putOff || !forwardsLeft) {
      write(ActionKind::BackwardWeight, order.backward(weights++));
    }
  }
  while (weights < passes) write(ActionKind::BackwardWeight, order.backward(weights++));
}

/// `waves` times the forwards ahead of 1F1B, and weight gradients put off as many times.
void fillZeroBubbleRows(Schedule& schedule, int waves) {
  const int p = schedule.devices;
  const int chunks = schedule.stages / p;
  for (int row = 0; row < p; ++row) {
    fillZeroBubbleRow(schedule, {row, (chunks - 1) * p + waves * (p - 1 - row), waves * row});
  }
}

}  // namespace

void fillInterleaved(Schedule& schedule) {
  const int p = schedule.devices;
  const int chunks = schedule.stages / p;
  const int passes = chunks * schedule.microBatches;
  for (int row = 0; row < p; ++row) {
    const PassOrder order(schedule, row);
    const int wanted = chunks == 1 ? p - 1 - row : (chunks - 1) * p + 2 * (p - 1 - row);
    const int ahead = std::min(passes, wanted);
    const auto write = [&](ActionKind kind, const Pass& pass) {
      add(schedule, kind, pass.stage, pass.microBatch);
    };
    for (int i = 0; i < ahead; ++i) write(ActionKind::Forward, order.forward(i));
    for (int i = 0; i < passes; ++i) {
      if (i + ahead < passes) write(ActionKind::Forward, order.forward(i + ahead));
      write(ActionKind::Backward, order.backward(i));
    }
  }
}

void fillZeroBubbleH1(Schedule& schedule) { fillZeroBubbleRows(schedule, 1); }

void fillZeroBubbleH2(Schedule& schedule) { fillZeroBubbleRows(schedule, 2); }

}  // namespace stagelane::schedule::detail
