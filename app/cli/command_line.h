#pragma once

/// The command line of `stagelane`: finds the command, runs it, turns every outcome into an exit
/// code (engine/base/result.h). Without a command it opens the window.

#include "app/cli/window_options.h"

namespace stagelane::app {

/// Opens the window and runs its event loop (app/window/window.h).
using RunWindow = int (*)(const WindowOptions& options);

/// @returns the exit code of the program. @thread main
[[nodiscard]] int runCommandLine(int argc, char** argv, RunWindow runWindow);

}  // namespace stagelane::app
