#pragma once

/// Connects the engine's CapturePort with the profiler's sessions.

#include "engine/run/engine.h"

namespace stagelane {

/// Operators of all workers. One recording at a time.
[[nodiscard]] run::CapturePort operatorCapture();

}  // namespace stagelane
