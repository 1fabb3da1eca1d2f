#pragma once

/// The session of makeKernelSession. Internal to profiler/capture.

#include <memory>

#include "profiler/capture/capture_session.h"
#include "profiler/capture/cupti_calls.h"

namespace stagelane::capture::detail {

/// Uses these calls: CUPTI's, or a test's.
[[nodiscard]] std::unique_ptr<CaptureSession> makeCuptiSession(std::unique_ptr<CuptiCalls> calls);

}  // namespace stagelane::capture::detail
