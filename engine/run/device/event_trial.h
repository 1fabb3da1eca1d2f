#pragma once

/// Tries whether events work on a stream. Those of a GPU's own context may not work on the streams
/// of a partition, which are in a context of their own.

#include "engine/run/device/device_event.h"

namespace stagelane::run {

/// Whether events can be recorded on both streams, ordered between them, waited for, and timed.
/// Waits for the work that is queued on the streams.
[[nodiscard]] bool eventsWork(const EventMaker& events, const c10::Stream& compute,
                              const c10::Stream& copy);

}  // namespace stagelane::run
