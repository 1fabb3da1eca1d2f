#pragma once

/// The command line of `stagelane`: finds the command, runs it, turns every outcome into an exit
/// code (engine/base/result.h). Without a command it opens the window.

#include <string>
#include <vector>

#include "app/cli/window_options.h"

namespace stagelane::app {

/// What the command line is told of the window, which lies above it.
struct WindowProgram {
  int (*run)(const WindowOptions& options);  ///< opens it and runs its event loop
  std::vector<std::string> pages;            ///< as `--page` takes them
};

/// @returns the exit code of the program. @thread main
[[nodiscard]] int runCommandLine(int argc, char** argv, const WindowProgram& window);

}  // namespace stagelane::app
