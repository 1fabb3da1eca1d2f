#pragma once

/// Why a run or a sweep cannot start, with hints for the window instead of the command line.

#include <QString>

#include "engine/base/result.h"

namespace stagelane::app {

[[nodiscard]] QString startProblem(const Error& error);

}  // namespace stagelane::app
