#pragma once

/// Events of a context of the driver. The driver requires that an event and the stream that it is
/// recorded on are of the same context, so these surely work on a partition's streams. Waiting and
/// asking works across contexts.

#include "engine/run/device/cuda_driver.h"
#include "engine/run/device/device_event.h"

namespace stagelane::run {

/// `driver` and `context` outlive the events. Errors are thrown as c10::Error.
[[nodiscard]] EventMaker cudaContextEvents(const CudaDriver& driver, CUcontext context);

}  // namespace stagelane::run
