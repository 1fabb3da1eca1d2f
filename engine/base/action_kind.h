#pragma once

/// The kinds of action that a device performs in a step. Schedules, predicted traces and measured
/// traces share one enumeration so that they can be compared.

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
  SendForward,     ///< SEND_F: sends an activation
  RecvForward,     ///< RECV_F: receives an activation
  SendBackward,    ///< SEND_B: sends a gradient
  RecvBackward,    ///< RECV_B: receives a gradient
  Optimizer,       ///< OPT
  Reduce,          ///< REDUCE: gradient all-reduce
};

/// `F B I W LOSS SEND_F RECV_F SEND_B RECV_B OPT REDUCE`.
[[nodiscard]] std::string_view word(ActionKind kind);
[[nodiscard]] std::optional<ActionKind> actionKindFromWord(std::string_view text);

/// F, B, I or W: the kinds that a generator emits.
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
