#pragma once

/// A callback that long work polls to see whether its result is still needed. After it returns
/// false, the caller discards the result, which may then be incomplete.

#include <functional>
#include <string>
#include <utility>

#include "engine/base/result.h"

namespace stagelane {

/// Empty: the work runs to completion. @thread the thread of the work
using GoesOn = std::function<bool()>;

[[nodiscard]] inline bool isWanted(const GoesOn& goesOn) { return !goesOn || goesOn(); }

/// The end of work that its caller canceled. The caller knows and drops it.
[[nodiscard]] inline tl::unexpected<Error> canceledError(std::string context) {
  return fail(ErrorCode::Invalid, "canceled", std::move(context));
}

}  // namespace stagelane
