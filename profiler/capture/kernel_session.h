#pragma once

/// Connects makeKernelSession to the files cupti_*, which are compiled only with CUDA
/// (STAGELANE_WITH_CUDA). Internal to profiler/capture.

#include <memory>

#include "profiler/capture/capture_session.h"

namespace stagelane::capture::detail {

/// Uses the CUPTI that the engine is linked with.
[[nodiscard]] std::unique_ptr<CaptureSession> makeCuptiSession();

}  // namespace stagelane::capture::detail
