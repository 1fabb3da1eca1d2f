#pragma once

/// The session behind makeKernelSession. Internal to profiler/capture.

#include <memory>

#include "profiler/capture/capture_session.h"
#include "profiler/capture/cupti_calls.h"

namespace stagelane::capture::detail {

/// Over these calls: CUPTI's, or a test's.
[[nodiscard]] std::unique_ptr<CaptureSession> makeCuptiSession(std::unique_ptr<CuptiCalls> calls);

}  // namespace stagelane::capture::detail
