#pragma once

/// Connects the engine's CapturePort with the profiler's sessions.

#include "engine/plan/experiment.h"
#include "engine/run/engine.h"

namespace stagelane {

/// Operators of all workers; for `kernels` those of GPUs as well, where there are some. One
/// recording at a time.
[[nodiscard]] run::CapturePort captureFor(plan::TraceDepth depth);

}  // namespace stagelane
