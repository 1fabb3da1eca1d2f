#pragma once

/// Why records are missing from a trace, beside how many (Trace::droppedEvents).

#include <string>

#include "engine/trace/trace.h"

namespace stagelane::trace {

/// Metadata of a trace from whose recording something is missing: why, in words.
inline const std::string kLostReasonKey = "lost_reason";

/// That reason; "" where the trace has none.
[[nodiscard]] inline std::string lostReason(const Trace& trace) {
  const auto found = trace.metadata().find(kLostReasonKey);
  return found == trace.metadata().end() ? std::string() : found->second;
}

}  // namespace stagelane::trace
