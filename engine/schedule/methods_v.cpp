// Methods with stages d and 2p−1−d on row d. The methods in v_blocks.cpp repeat a building block;
// the others are written phase by phase.

#include <algorithm>
#include <array>
#include <deque>

#include "engine/schedule/fill.h"

namespace stagelane::schedule::detail {
namespace {

/// The two chunks of a row: the way down the V and the way up.
enum Leg : std::size_t { kDown = 0, kUp = 1 };

/// Writes the passes of one row; each kind and leg counts its own micro-batches.
class VRow {
 public:
  /// Passes of micro-batches from `schedule.microBatches` up to `counted` advance the counters
  /// without being written.
  VRow(Schedule& schedule, int row, int counted)
      : m_schedule(schedule), m_row(row), m_counted(counted) {}

  void forward(Leg leg) { next(ActionKind::Forward, leg, m_forwards); }
  void backward(Leg leg) { next(ActionKind::Backward, leg, m_backwards); }
  void inputGradient(Leg leg) { next(ActionKind::BackwardInput, leg, m_backwards); }
  /// The oldest pending weight gradient of the leg.
  void weightGradient(Leg leg) { next(ActionKind::BackwardWeight, leg, m_weights); }
  void forwardUpAndBack() {
    forward(kUp);
    inputGradient(kUp);
    weightGradient(kUp);
  }
  [[nodiscard]] int forwards(Leg leg) const { return m_forwards[leg]; }
  [[nodiscard]] int weights(Leg leg) const { return m_weights[leg]; }

 private:
  void next(ActionKind kind, Leg leg, std::array<int, 2>& count) {
    if (count[leg] >= m_counted) return;
    const int microBatch = count[leg]++;
    if (microBatch >= m_schedule.microBatches) return;
    add(m_schedule, kind, leg == kDown ? m_row : m_schedule.stages - 1 - m_row, microBatch);
  }

  Schedule& m_schedule;
  int m_row;
  int m_counted;
  std::array<int, 2> m_forwards{};
  std::array<int, 2> m_backwards{};
  std::array<int, 2> m_weights{};
};

/// The phases need 2p−1 micro-batches; with fewer, the missing ones are left out.
void fillZeroBubbleVRow(Schedule& schedule, int row) {
  const int p = schedule.devices;
  const int counted = std::max(schedule.microBatches, 2 * p - 1);
  VRow write(schedule, row, counted);
  for (int i = 0; i < 2 * (p - row) - 1; ++i) write.forward(kDown);
  for (int i = 0; i < row; ++i) {
    write.forward(kUp);
    write.forward(kDown);
  }
  for (int i = 0; i < p - row; ++i) write.forwardUpAndBack();
  while (write.forwards(kUp) < counted) {
    write.forward(kDown);
    write.inputGradient(kDown);
    write.weightGradient(kDown);
    write.forwardUpAndBack();
  }
  for (int i = 0; i < row; ++i) {
    write.inputGradient(kDown);
    write.inputGradient(kUp);
  }
  for (int i = 0; i < p - row; ++i) {
    write.inputGradient(kDown);
    write.weightGradient(kDown);
  }
  while (write.weights(kUp) < counted) write.weightGradient(kUp);
  while (write.weights(kDown) < counted) write.weightGradient(kDown);
}

/// One row of DualPipeV. Delayed weight gradients run in their original order.
class DualPipeRow {
 public:
  DualPipeRow(Schedule& schedule, int row) : m_schedule(schedule), m_row(row) {}
  void fill();

 private:
  [[nodiscard]] int stage(Leg leg) const {
    return leg == kDown ? m_row : m_schedule.stages - 1 - m_row;
  }
  void forward(Leg leg) { add(m_schedule, ActionKind::Forward, stage(leg), m_forwards[leg]++); }
  void backward(Leg leg) { add(m_schedule, ActionKind::Backward, stage(leg), m_backwards[leg]++); }
  void inputGradient(Leg leg) {
    m_due.push_back(
        {ActionKind::BackwardWeight, StageId{stage(leg)}, MicroBatchId{m_backwards[leg]}});
    add(m_schedule, ActionKind::BackwardInput, stage(leg), m_backwards[leg]++);
  }
  void weightGradient() {
    const Action due = m_due.front();
    m_due.pop_front();
    add(m_schedule, due.kind, due.stage.value, due.microBatch.value);
  }
  void drain();

  Schedule& m_schedule;
  int m_row;
  std::array<int, 2> m_forwards{};
  std::array<int, 2> m_backwards{};
  std::deque<Action> m_due;
};

void DualPipeRow::fill() {
  const int p = m_schedule.devices;
  const int below = p - 1 - m_row;
  for (int i = 0; i < 2 * below; ++i) forward(kDown);
  for (int i = 0; i <= m_row; ++i) {
    forward(kDown);
    forward(kUp);
  }
  for (int i = 0; i < below; ++i) {
    inputGradient(kUp);
    weightGradient();
    forward(kUp);
  }
  // The pairs that DualPipe overlaps: a forward of one leg with a backward of the other.
  for (int i = 0; i < m_schedule.microBatches - 2 * p + m_row + 1; ++i) {
    forward(kDown);
    backward(kUp);
    forward(kUp);
    backward(kDown);
  }
  for (int i = 0; i < below; ++i) {
    backward(kUp);
    forward(kUp);
    backward(kDown);
  }
  drain();
}

/// The last row + 1 backwards of each leg; the second half of them delays its weight gradients.
void DualPipeRow::drain() {
  const int backwards = 2 * (m_row + 1);
  for (int i = 0; i < backwards; ++i) {
    const Leg leg = i % 2 == 0 ? kUp : kDown;
    if (i > m_row) {
      inputGradient(leg);
    } else {
      backward(leg);
    }
  }
  for (int i = 0; i < m_schedule.devices - 1 - m_row; ++i) {
    weightGradient();
    inputGradient(kDown);
  }
  while (!m_due.empty()) weightGradient();
}

/// Two chunks per device in a V (stages d and 2p−1−d): no bubble if F = I = W and m ≥ 2p−1, peak
/// p·A on every device.
/// @source arXiv:2401.10241, section 6 (ZB-V); arXiv:2405.15362
void fillZeroBubbleV(Schedule& schedule) {
  for (int row = 0; row < schedule.devices; ++row) fillZeroBubbleVRow(schedule, row);
}

/// The bidirectional DualPipe cut in half: its two directions become the two legs of a V. At F = I
/// = W bubble (p−1)·F/2, peak (p + 1/2)·A. Its overlapped pairs are written one after the other.
/// @source DeepSeek-V3, arXiv:2412.19437, section 3.2.1; "DualPipe could be better without the
/// Dual", Sea AI Lab (the cut in half)
/// @pre m ≥ 2p
void fillDualPipeV(Schedule& schedule) {
  for (int row = 0; row < schedule.devices; ++row) DualPipeRow(schedule, row).fill();
}

/// Both legs of the V are filled before a backward begins (arXiv:2412.19437, figure 5).
Status twoForEachDevice(const Schedule& schedule) {
  const int least = 2 * schedule.devices;
  if (schedule.microBatches >= least) return {};
  return invalid(schedule.name + " needs at least two micro-batches for each device, " +
                     std::to_string(least) + ", but there are " +
                     std::to_string(schedule.microBatches),
                 "Use more micro-batches, or zbv, which allows any number");
}

}  // namespace

std::vector<Method> vMethods() {
  constexpr ScheduleLayout kV{StageLayout::V, 2};
  return {
      {.name = "zbv",
       .description = "Two stages per device in a V: almost no bubble at the memory of 1F1B",
       .paper = "arXiv:2401.10241",
       .layout = kV,
       .fill = fillZeroBubbleV,
       .comparesCuts = true,
       .torchClass = "ScheduleZBVZeroBubble"},
      {.name = "v-half",
       .description = "Two stages per device in a V: half the memory of 1F1B",
       .paper = "arXiv:2405.15362",
       .layout = kV,
       .fill = fillVHalf},
      {.name = "v-min",
       .description = "Two stages per device in a V: a third of the memory of 1F1B",
       .paper = "arXiv:2405.15362",
       .layout = kV,
       .fill = fillVMin},
      {.name = "dualpipev",
       .description = "DualPipe cut in half: the two legs of a V alternate",
       .paper = "arXiv:2412.19437",
       .layout = kV,
       .fill = fillDualPipeV,
       .check = twoForEachDevice,
       .torchClass = "ScheduleDualPipeV"},
  };
}

}  // namespace stagelane::schedule::detail
