#pragma once

/// What keeps the index of runs from being used, and what a person can do about it. Private to
/// engine/workspace.

#include <filesystem>
#include <string>

#include "engine/base/result.h"

namespace stagelane::workspace {

enum class IndexTrouble {
  Busy,    ///< another program writes it for longer than one waits
  Damage,  ///< its bytes make no sense: it is made again
  Unkept   ///< the disk or the folder does not take it: the folders are read without it
};

/// @param sqliteCode with or without its extension
[[nodiscard]] IndexTrouble troubleOf(int sqliteCode);

/// Says which of a full disk, a folder that cannot be written, a folder in the file's place or
/// something else it is, by looking there. `words` are SQLite's.
[[nodiscard]] Error indexError(const std::filesystem::path& database, IndexTrouble trouble,
                               const std::string& words);

}  // namespace stagelane::workspace
