#pragma once

/// The table of the window's pages for shell, rail, palette, UI map and `--page`.

#include <string>
#include <vector>

#include "ui/frame/page.h"

namespace stagelane::app {

/// In the rail's order. @thread GUI to create a page; any for the rest
[[nodiscard]] std::vector<ui::PageEntry> pages();
/// The values of `--page`.
[[nodiscard]] std::vector<std::string> pageNames();

}  // namespace stagelane::app
