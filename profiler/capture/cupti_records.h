#pragma once

/// Converts CUPTI's records to plain values. Names are Kineto's ("Memcpy HtoD (Pinned -> Device)"),
/// so that other programs recognize them in exported traces. Internal to profiler/capture.

#include <cupti.h>

#include "profiler/capture/cupti_calls.h"
#include "profiler/capture/kernel_records.h"

namespace stagelane::capture::detail {

/// The stack of external ids for Stagelane.
inline constexpr CUpti_ExternalCorrelationKind kOurIds = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;

/// Ignores records of kinds that are not enabled.
void addRecord(const CUpti_Activity& record, KernelRecords& into);

/// Adds all records of a buffer. Stops at a truncated or unknown record and counts it, because the
/// position of the next one is unknown.
void addBuffer(CuptiCalls& calls, std::uint8_t* buffer, std::size_t validSize, KernelRecords& into);

}  // namespace stagelane::capture::detail
