#pragma once

/// The words for what a device does in a step. One enumeration for schedules, predicted and
/// measured traces, so that like is compared with like.

#include <cstdint>
#include <optional>
#include <string_view>

namespace stagelane {

enum class ActionKind : std::uint8_t {
  Forward,         ///< F
  Backward,        ///< B: input and weight gradients
  BackwardInput,   ///< I: the input-gradient half
  BackwardWeight,  ///< W: the weight-gradient half
  Loss,            ///< LOSS, counts as forward
  SendForward,     ///< SEND_F: an activation leaves
  RecvForward,     ///< RECV_F: an activation arrives
  SendBackward,    ///< SEND_B: a gradient leaves
  RecvBackward,    ///< RECV_B: a gradient arrives
  Optimizer,       ///< OPT
  Reduce,          ///< REDUCE: gradient all-reduce
};

/// `F B I W LOSS SEND_F RECV_F SEND_B RECV_B OPT REDUCE`.
[[nodiscard]] std::string_view word(ActionKind kind);
[[nodiscard]] std::optional<ActionKind> actionKindFromWord(std::string_view text);

/// F, B, I or W: what a generator writes.
[[nodiscard]] constexpr bool isScheduled(ActionKind kind) {
  return kind <= ActionKind::BackwardWeight;
}
/// Keeps the device busy: F, B, I, W, LOSS, OPT.
[[nodiscard]] constexpr bool isCompute(ActionKind kind) {
  return kind <= ActionKind::Loss || kind == ActionKind::Optimizer;
}
[[nodiscard]] constexpr bool isTransfer(ActionKind kind) {
  return kind >= ActionKind::SendForward && kind <= ActionKind::RecvBackward;
}

}  // namespace stagelane
