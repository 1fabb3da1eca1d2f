#pragma once

/// The causes that a device's time is divided into, by the definitions of
/// docs/reference/analysis.md, with their names in files and in words.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace stagelane::trace {

enum class Cause : std::uint8_t {
  Forward,
  Backward,
  BackwardInput,
  BackwardWeight,
  Optimizer,  // busy
  Warmup,
  Drain,
  Tail,
  Starved,
  TransferWait,
  Host,
  Unattributed,  // idle
  Compute,       // busy: kernels (or operators) of a trace that has no actions on that device
};
inline constexpr std::size_t kCauseCount = 13;

/// The idle ones, in the order of files.
inline constexpr std::array kIdleCauses{Cause::Warmup,      Cause::Drain,        Cause::Tail,
                                        Cause::Starved,     Cause::TransferWait, Cause::Host,
                                        Cause::Unattributed};
/// The same in the order of legends and tables.
inline constexpr std::array kShownIdleCauses{
    Cause::Warmup, Cause::Starved, Cause::TransferWait, Cause::Host,
    Cause::Drain,  Cause::Tail,    Cause::Unattributed};

[[nodiscard]] constexpr bool isBusy(Cause cause) {
  return cause <= Cause::Optimizer || cause == Cause::Compute;
}

/// Its name in files: `forward backward backward_input backward_weight optimizer warmup drain tail
/// starved transfer host unattributed compute`.
[[nodiscard]] constexpr std::string_view word(Cause cause) {
  constexpr std::array<std::string_view, kCauseCount> kWords{
      "forward", "backward",     "backward_input", "backward_weight", "optimizer",
      "warmup",  "drain",        "tail",           "starved",         "transfer",
      "host",    "unattributed", "compute"};
  return kWords[static_cast<std::size_t>(cause)];
}

/// An idle cause in a sentence: "warm-up"; "starved by cuda:0" where it is known by what.
[[nodiscard]] inline std::string idleWords(Cause cause, std::string_view by = {}) {
  std::string words(cause == Cause::Warmup ? "warm-up" : word(cause));
  return cause == Cause::Starved && !by.empty() ? words.append(" by ").append(by) : words;
}

}  // namespace stagelane::trace
