#include "engine/base/action_kind.h"

#include <array>

namespace stagelane {
namespace {

constexpr std::array<std::string_view, 11> kWords{
    "F", "B", "I", "W", "LOSS", "SEND_F", "RECV_F", "SEND_B", "RECV_B", "OPT", "REDUCE"};

}  // namespace

std::string_view word(ActionKind kind) { return kWords[static_cast<std::size_t>(kind)]; }

std::optional<ActionKind> actionKindFromWord(std::string_view text) {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i] == text) return static_cast<ActionKind>(i);
  }
  return std::nullopt;
}

}  // namespace stagelane
