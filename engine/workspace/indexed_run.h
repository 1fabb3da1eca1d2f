#pragma once

/// The values that the parts of the index of runs hand to each other. Private to engine/workspace.

#include <cstdint>
#include <map>
#include <string>

#include "engine/workspace/run_index.h"

namespace stagelane::workspace {

/// A run as it was read from its folder. `stamp` changes with the folder's contents.
struct IndexedRun {
  RunEntry entry;
  std::int64_t stamp = 0;
};

/// What the index knows of a run without reading the rest of its row.
struct KnownRun {
  std::int64_t stamp = 0;
  int number = 0;
};
using KnownRuns = std::map<std::string, KnownRun>;  ///< by folder

using RunNumbers = std::map<std::string, int>;  ///< by folder

}  // namespace stagelane::workspace
