#pragma once

/// The reason why records are missing from a trace; Trace::droppedEvents is their count.

#include <string>

#include "engine/trace/trace.h"

namespace stagelane::trace {

/// Metadata key of a trace with missing records: the reason, as text.
inline const std::string kLostReasonKey = "lost_reason";

/// That reason; "" if the trace has none.
[[nodiscard]] inline std::string lostReason(const Trace& trace) {
  const auto found = trace.metadata().find(kLostReasonKey);
  return found == trace.metadata().end() ? std::string() : found->second;
}

}  // namespace stagelane::trace
