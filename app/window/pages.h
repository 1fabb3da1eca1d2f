#pragma once

/// The table of the window's pages. Shell, rail, palette, UI map and `--page` read it.

#include <string>
#include <vector>

#include "ui/frame/page.h"

namespace stagelane::app {

/// In the rail's order. @thread GUI for making a page; any for the rest
[[nodiscard]] std::vector<ui::PageEntry> pages();
/// As `--page` takes them.
[[nodiscard]] std::vector<std::string> pageNames();

}  // namespace stagelane::app
