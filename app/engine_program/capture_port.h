#pragma once

/// Connects the engine's CapturePort with the profiler's sessions.

#include "engine/plan/experiment.h"
#include "engine/run/engine.h"

namespace stagelane {

/// Records the operators of all workers; for `kernels` also those of GPUs. One recording at a time.
[[nodiscard]] run::CapturePort captureFor(plan::TraceDepth depth);

}  // namespace stagelane
