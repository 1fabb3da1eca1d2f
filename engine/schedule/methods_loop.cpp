// Methods whose stage s is on row s mod p, including one stage per device.

#include <algorithm>

#include "engine/schedule/fill.h"

namespace stagelane::schedule::detail {
namespace {

struct Pass {
  int stage = 0;
  int microBatch = 0;
};

/// The order in which a row runs its chunks: micro-batches in groups of p; a group runs chunk by
/// chunk, forwards from the first chunk, backwards from the last.
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

/// `ahead` forwards, then alternating forwards and input gradients. Each weight gradient follows
/// its input gradient `putOff` passes later, or immediately once no forwards are left.
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

/// `waves` times the warm-up forwards of 1F1B, and weight gradients delayed by the same factor.
void fillZeroBubbleRows(Schedule& schedule, int waves) {
  const int p = schedule.devices;
  const int chunks = schedule.stages / p;
  for (int row = 0; row < p; ++row) {
    fillZeroBubbleRow(schedule, {row, (chunks - 1) * p + waves * (p - 1 - row), waves * row});
  }
}

/// 1F1B over v chunks per device: micro-batches run in groups of p, chunk by chunk. Bubble
/// (p−1)(F+B)/v, peak (p + (p−1)/v)·A on row 0; one chunk is 1F1B.
/// @source Megatron-LM, arXiv:2104.04473, section 2.2
/// @pre v = 1, or m is a multiple of p
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

/// 1F1B with the backward split: row r runs p−1−r forwards ahead and delays its weight gradients by
/// r micro-batches, so that they fill the drain. Bubble (p−1)(F+I−W), peak p·A. With v chunks per
/// device `interleaved-zero-bubble`: bubble (p−1)(F+I−W)/v at the same peak.
/// @source Zero Bubble Pipeline Parallelism, arXiv:2401.10241, section 2.1 (ZB-H1); chunks in the
/// order of arXiv:2104.04473
/// @pre v = 1, or m is a multiple of p
void fillZeroBubbleH1(Schedule& schedule) { fillZeroBubbleRows(schedule, 1); }

/// Twice as many forwards ahead, and weight gradients delayed twice as long: bubble (p−1)(F+I−2W),
/// peak (2p−1)·A.
/// @source arXiv:2401.10241, section 2.2 (ZB-H2)
void fillZeroBubbleH2(Schedule& schedule) { fillZeroBubbleRows(schedule, 2); }

/// Micro-batches run through the chunks in groups of p (arXiv:2104.04473, section 2.2.2).
Status groupsOfDevices(const Schedule& schedule) {
  const int p = schedule.devices;
  const int m = schedule.microBatches;
  if (schedule.stages == p || m % p == 0) return {};
  const int below = m / p * p;
  return invalid(schedule.name + " needs a number of micro-batches that is a multiple of the " +
                     std::to_string(p) + " devices, but there are " + std::to_string(m),
                 "Use " + (below > 0 ? std::to_string(below) + " or " : "") +
                     std::to_string(below + p) +
                     " micro-batches, or looped-bfs, which allows any " + "number");
}

}  // namespace

std::vector<Method> loopMethods() {
  constexpr ScheduleLayout kOneStage{StageLayout::OnePerDevice, 1};
  constexpr ScheduleLayout kTwoStages{StageLayout::Loop, 2};
  return {
      {.name = "interleaved-1f1b",
       .description = "1F1B over several stages per device: a smaller bubble, more transfers",
       .paper = "arXiv:2104.04473",
       .layout = kTwoStages,
       .fill = fillInterleaved,
       .check = groupsOfDevices,
       .torchClass = "ScheduleInterleaved1F1B"},
      {.name = "looped-bfs",
       .description = "GPipe over several stages per device, stage by stage",
       .paper = "arXiv:2211.05953",
       .layout = kTwoStages,
       .fill = fillForwardsThenBackwards,
       .keeps = Keeps::All,
       .comparesCuts = true,
       .torchClass = "ScheduleLoopedBFS"},
      {.name = "zb-h1",
       .description = "1F1B with weight gradients moved into the drain, at the same memory",
       .paper = "arXiv:2401.10241",
       .layout = kOneStage,
       .fill = fillZeroBubbleH1},
      {.name = "zb-h2",
       .description =
           "More forwards ahead than ZB-H1: almost no bubble, at twice the memory of 1F1B",
       .paper = "arXiv:2401.10241",
       .layout = kOneStage,
       .fill = fillZeroBubbleH2},
      {.name = "interleaved-zero-bubble",
       .description = "ZB-H1 over several stages per device",
       .paper = "arXiv:2401.10241",
       .layout = kTwoStages,
       .fill = fillZeroBubbleH1,
       .check = groupsOfDevices,
       .torchClass = "ScheduleInterleavedZeroBubble"},
  };
}

}  // namespace stagelane::schedule::detail
