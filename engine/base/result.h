#pragma once

/// The result type of every fallible public function: a value or an `Error`. The error's code is
/// the exit code of the program (docs/reference/json.md). A canceled run has an outcome of its own;
/// work that only its caller cancels returns `canceledError`.

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "engine/base/failure.h"

namespace stagelane {

/// Exit codes of both programs, as docs/reference/json.md lists them.
enum class ErrorCode : int {
  Usage = 2,             ///< the command line itself is wrong
  Invalid = 3,           ///< an experiment, file or argument value is wrong, or not available yet
  DeviceMissing = 4,     ///< a listed device is not on this machine
  OutOfMemory = 5,       ///< a device ran out of memory
  EngineFailure = 6,     ///< the engine failed, was killed, or is missing
  GradientMismatch = 7,  ///< a gradient check failed
  CannotWrite = 8,       ///< a file or folder cannot be written, or the workspace is in use
};

/// Exit code of a canceled run; not an error.
inline constexpr int kExitCanceled = 130;

/// What failed. `message` says what failed and on what; `context` is the place (a JSON pointer, a
/// path, a byte offset; may be empty); `hint` says what to do (may be empty); `failure` adds
/// details for programs that the code does not carry.
struct Error {
  ErrorCode code = ErrorCode::EngineFailure;
  std::string message;
  std::string context;
  std::string hint;
  Failure failure{};
};

/// The error's failure; if its kind is not set, the kind is derived from the error's code.
[[nodiscard]] Failure failureOf(const Error& error);

template <class T>
using Result = tl::expected<T, Error>;

using Status = Result<void>;

/// Shorthand for returning an error from a `Result` function.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::string context = {}, std::string hint = {},
                                                Failure failure = {}) {
  return tl::make_unexpected(
      Error{code, std::move(message), std::move(context), std::move(hint), std::move(failure)});
}

/// "message (at context). hint": one line for standard error.
[[nodiscard]] std::string describe(const Error& error);

}  // namespace stagelane

#define STAGELANE_JOINED_WORDS(one, other) one##other
#define STAGELANE_JOINED(one, other) STAGELANE_JOINED_WORDS(one, other)

/// Returns the error of a `Result` or `Status`, if it is one.
#define STAGELANE_CHECK(expression)                                                       \
  if (auto&& STAGELANE_JOINED(checked, __LINE__) = (expression);                          \
      !STAGELANE_JOINED(checked, __LINE__))                                               \
  return tl::make_unexpected(std::forward<decltype(STAGELANE_JOINED(checked, __LINE__))>( \
                                 STAGELANE_JOINED(checked, __LINE__))                     \
                                 .error())

/// Declares `name` as the `Result` of an expression, and returns its error if it is one. Uses of
/// the value read `*name` or `name->`: `STAGELANE_TRY(file, read(path)); parse(*file);`
/// It is two statements, so it needs the braces of a block around it.
#define STAGELANE_TRY(name, ...) \
  auto name = __VA_ARGS__;       \
  STAGELANE_CHECK(name)
