#pragma once

/// What failed and where, as codes, so that programs need not parse sentences. An error's message
/// and hint hold the text for people.

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/action_kind.h"
#include "engine/base/ids.h"

namespace stagelane {

/// Finer than the exit code: several kinds end the program with the same one.
enum class FailureKind {
  Unknown,          ///< not set; `failureOf` derives it from the error's code
  Usage,            ///< the command line itself is wrong
  Invalid,          ///< an experiment, file or argument value is wrong
  DeviceMissing,    ///< a listed device is not on this machine
  OutOfMemory,      ///< a device ran out of memory
  DoesNotFit,       ///< a variant was not run: a device's budget is too small for it
  Stalled,          ///< no action ended anywhere for longer than the limit
  Killed,           ///< the engine ended by a signal, or without a final event
  RankLost,         ///< a rank was killed, does not respond, or did not start
  EngineFailure,    ///< anything else that went wrong in the engine
  GradientsDiffer,  ///< a gradient or output check failed
  CannotWrite,      ///< a file or folder cannot be written
  ReaderGone,       ///< standard output was closed
  Workspace,        ///< the workspace's folders cannot be created, written or locked
};

/// `out_of_memory`, `does_not_fit`, … as in result.json.
[[nodiscard]] std::string_view word(FailureKind kind);
[[nodiscard]] std::optional<FailureKind> failureKindFromWord(std::string_view text);

/// A kind and its place in a run; unknown members are empty.
struct Failure {
  FailureKind kind = FailureKind::Unknown;
  std::string variant{};  ///< id of the variant in which it happened
  DeviceId device{};
  StageId stage{};
  MicroBatchId microBatch{};
  std::optional<ActionKind> action{};
  int rank = -1;       ///< of a run in several processes
  std::string host{};  ///< of the rank

  friend bool operator==(const Failure&, const Failure&) = default;
};

}  // namespace stagelane
