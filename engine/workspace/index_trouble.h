#pragma once

/// Classifies problems of the index of runs and suggests what to do. Private to engine/workspace.

#include <filesystem>
#include <string>

#include "engine/base/result.h"

namespace stagelane::workspace {

enum class IndexTrouble {
  Busy,    ///< another program is writing it beyond the timeout
  Damage,  ///< its contents are invalid: it is rebuilt
  Unkept   ///< it cannot be written: the folders are read without it
};

/// @param sqliteCode with or without its extension
[[nodiscard]] IndexTrouble troubleOf(int sqliteCode);

/// Inspects the file system to tell a full disk, an unwritable folder, a folder with the file's
/// name and other problems apart. `words` are SQLite's.
[[nodiscard]] Error indexError(const std::filesystem::path& database, IndexTrouble trouble,
                               const std::string& words);

}  // namespace stagelane::workspace
