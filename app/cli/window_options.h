#pragma once

/// Window options of the command line, including those for tests, documentation and scripts.

#include <string>

namespace stagelane::app {

/// `stagelane [FILE] --page P --size WxH --theme T --shot OUT.png --ui-map MAP.json --stay`.
struct WindowOptions {
  std::string file;  ///< experiment, preset name, run folder or trace; "" reopens the last one, or
                     ///< the first-start example
  std::string page;  ///< a name from the table of pages; "" for the default
  int width = 0;     ///< window size in pixels; 0 restores the last one
  int height = 0;
  std::string theme;  ///< `light`, `dark`; "" follows the desktop
  std::string shot;   ///< PNG of the settled window, "" for none
  std::string uiMap;  ///< JSON map of controls, "" for none
  bool stay = false;  ///< keep the window open after `shot` and `uiMap`, rewriting the map
};

}  // namespace stagelane::app
