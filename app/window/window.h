#pragma once

/// Opens the window for the command line. Separate from the window so that `main` includes no
/// widgets.

#include "app/cli/window_options.h"

namespace stagelane::app {

/// Creates a QApplication, opens the window and runs the event loop. @returns the exit code: 0, or,
/// after printing the error, 3 for a file that cannot be opened, 8 for a screenshot or map that
/// cannot be written. @thread main
[[nodiscard]] int runWindow(const WindowOptions& options);

}  // namespace stagelane::app
