#pragma once

/// Why a run or a sweep could not start, for people who see the window: without the command line's
/// words for what to do.

#include <QString>

#include "engine/base/result.h"

namespace stagelane::app {

[[nodiscard]] QString startProblem(const Error& error);

}  // namespace stagelane::app
