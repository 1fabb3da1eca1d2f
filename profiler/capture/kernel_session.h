#pragma once

/// The way from makeKernelSession to the files named cupti_*, which are compiled only where CUDA is
/// (STAGELANE_WITH_CUDA). Internal to profiler/capture.

#include <memory>

#include "profiler/capture/capture_session.h"

namespace stagelane::capture::detail {

/// Over the CUPTI that the engine is linked with.
[[nodiscard]] std::unique_ptr<CaptureSession> makeCuptiSession();

}  // namespace stagelane::capture::detail
