#pragma once

/// The command line of `stagelane`: finds and runs the command and turns the outcome into an exit
/// code (engine/base/result.h). Opens the window if there is no command.

#include <string>
#include <vector>

#include "app/cli/window_options.h"

namespace stagelane::app {

/// How to open the window, which is in a higher layer.
struct WindowProgram {
  int (*run)(const WindowOptions& options);  ///< opens it and runs its event loop
  std::vector<std::string> pages;            ///< values of `--page`
};

/// @returns the exit code of the program. @thread main
[[nodiscard]] int runCommandLine(int argc, char** argv, const WindowProgram& window);

}  // namespace stagelane::app
