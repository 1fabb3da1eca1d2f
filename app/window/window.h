#pragma once

/// The window as the command line opens it. Declared apart from the window itself, so that `main`
/// knows no widget.

#include "app/cli/window_options.h"

namespace stagelane::app {

/// Opens the window and runs its event loop. Makes its own QApplication.
/// @returns the exit code: 0, or 3 for a file that cannot be opened, 8 for a picture or a map that
/// cannot be written; the error is on standard error then. @thread main
[[nodiscard]] int runWindow(const WindowOptions& options);

}  // namespace stagelane::app
