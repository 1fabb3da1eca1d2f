#pragma once

/// Values exchanged by the parts of the index of runs. Private to engine/workspace.

#include <cstdint>
#include <map>
#include <string>

#include "engine/workspace/run_index.h"

namespace stagelane::workspace {

/// A run as read from its folder. `stamp` changes with the folder's contents.
struct IndexedRun {
  RunEntry entry;
  std::int64_t stamp = 0;
};

/// Columns of a run that are available without reading its whole row.
struct KnownRun {
  std::int64_t stamp = 0;
  int number = 0;
};
using KnownRuns = std::map<std::string, KnownRun>;  ///< by folder

using RunNumbers = std::map<std::string, int>;  ///< by folder

}  // namespace stagelane::workspace
