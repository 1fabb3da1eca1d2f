#pragma once

/// How long work learns that nobody waits for its answer any more: it asks now and then. Whoever
/// says no drops the answer, which then is any the work could give at once.

#include <functional>

namespace stagelane {

/// Empty: the work is done to its end. @thread that of the work
using GoesOn = std::function<bool()>;

[[nodiscard]] inline bool isWanted(const GoesOn& goesOn) { return !goesOn || goesOn(); }

}  // namespace stagelane
