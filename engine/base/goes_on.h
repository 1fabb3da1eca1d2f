#pragma once

/// A callback that long work polls to see whether its result is still needed. After it returns
/// false, the caller discards the result, which may then be incomplete.

#include <functional>

namespace stagelane {

/// Empty: the work runs to completion. @thread the thread of the work
using GoesOn = std::function<bool()>;

[[nodiscard]] inline bool isWanted(const GoesOn& goesOn) { return !goesOn || goesOn(); }

}  // namespace stagelane
