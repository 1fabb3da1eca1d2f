#pragma once

/// The results that each lowered action waits for, numbered; shared by the validator (does the
/// result ever arrive?) and the simulator (when does it arrive?). Each result is produced once in a
/// step.

#include <cstddef>
#include <cstdint>

#include "engine/schedule/lowering.h"

namespace stagelane::schedule {

/// What an action produces for others.
enum class ResultKind : std::uint8_t {
  Output,         ///< F: the stage's output is available
  Loss,           ///< LOSS
  InputGradient,  ///< B or I: the gradient for the previous stage is available
  WeightDone,     ///< B or W: the micro-batch's weight gradient is available
  SentOutput,     ///< SEND_F
  SentGradient,   ///< SEND_B
  GotOutput,      ///< RECV_F, at the receiving stage
  GotGradient,    ///< RECV_B, at the receiving stage
};
inline constexpr std::size_t kResultKinds = 8;

/// Numbers the results of a schedule contiguously.
class ResultIndex {
 public:
  explicit ResultIndex(const Schedule& schedule)
      : m_microBatches(static_cast<std::size_t>(schedule.microBatches)),
        m_perKind(static_cast<std::size_t>(schedule.stages) * m_microBatches) {}

  [[nodiscard]] std::size_t size() const { return kResultKinds * m_perKind; }
  [[nodiscard]] std::size_t of(ResultKind kind, std::int32_t stage, std::int32_t microBatch) const {
    return static_cast<std::size_t>(kind) * m_perKind +
           static_cast<std::size_t>(stage) * m_microBatches + static_cast<std::size_t>(microBatch);
  }

 private:
  std::size_t m_microBatches;
  std::size_t m_perKind;
};

/// A lowered action waits for at most one result besides its turn on its device. Results produced
/// earlier in the same row need no wait; `validate` proves their order. A REDUCE is the exception:
/// it waits for the weight gradients of all stages that share a parameter with its own, and for the
/// replicas of its stage.
inline constexpr std::size_t kNoResult = static_cast<std::size_t>(-1);

/// The result that `action` of `row` needs before it starts, or kNoResult. The single LOSS of a
/// whole batch, and OPT, depend only on results of their own row, so they return kNoResult.
[[nodiscard]] inline std::size_t awaited(std::size_t row, const LoweredAction& action,
                                         const Schedule& schedule, const ResultIndex& index) {
  const std::int32_t s = action.stage.value;
  const std::int32_t k = action.microBatch.value;
  const std::int32_t last = schedule.stages - 1;
  const auto isHere = [&](std::int32_t stage) {
    return schedule.rows.of(stage, k) == static_cast<int>(row);
  };
  switch (action.kind) {
    case ActionKind::Forward:
      if (s == 0) return kNoResult;
      return isHere(s - 1) ? index.of(ResultKind::Output, s - 1, k)
                           : index.of(ResultKind::GotOutput, s, k);
    case ActionKind::Backward:
    case ActionKind::BackwardInput:
      if (s == last) return index.of(ResultKind::Loss, s, k);
      return isHere(s + 1) ? index.of(ResultKind::InputGradient, s + 1, k)
                           : index.of(ResultKind::GotGradient, s, k);
    case ActionKind::BackwardWeight: return index.of(ResultKind::InputGradient, s, k);
    case ActionKind::Loss: return k < 0 ? kNoResult : index.of(ResultKind::Output, s, k);
    case ActionKind::SendForward: return index.of(ResultKind::Output, s, k);
    case ActionKind::SendBackward: return index.of(ResultKind::InputGradient, s, k);
    case ActionKind::RecvForward: return index.of(ResultKind::SentOutput, s - 1, k);
    case ActionKind::RecvBackward: return index.of(ResultKind::SentGradient, s + 1, k);
    default: return kNoResult;
  }
}

}  // namespace stagelane::schedule
