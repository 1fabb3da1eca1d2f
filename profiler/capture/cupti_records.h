#pragma once

/// CUPTI's records as plain values: which field of which record means what, and nothing else.
/// Names are Kineto's ("Memcpy HtoD (Pinned -> Device)"), so that other programs' analyses of an
/// exported trace know them. Internal to profiler/capture.

#include <cupti.h>

#include "profiler/capture/cupti_calls.h"
#include "profiler/capture/kernel_records.h"

namespace stagelane::capture::detail {

/// The stack of external ids that is Stagelane's.
inline constexpr CUpti_ExternalCorrelationKind kOurIds = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;

/// Records of kinds that were not asked for say nothing.
void addRecord(const CUpti_Activity& record, KernelRecords& into);

/// All records of a buffer. A record that is cut off or unknown ends it and is counted: what is
/// behind it cannot be found.
void addBuffer(CuptiCalls& calls, std::uint8_t* buffer, std::size_t validSize, KernelRecords& into);

}  // namespace stagelane::capture::detail
