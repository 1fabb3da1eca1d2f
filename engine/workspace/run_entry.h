#pragma once

/// From a run folder to its line in the index. Private to engine/workspace.

#include <cstdint>
#include <string>

#include "engine/workspace/run_index.h"

namespace stagelane::workspace {

/// The number is left to the index. Reads experiment.json and labels.json, and adds up the sizes of
/// the files.
[[nodiscard]] RunEntry entryOf(const record::RunFolder& folder, const record::RunResult& run);

/// Changes with everything that a run or a person writes into the folder. A run that was alive when
/// it was read may end without writing anything, so its entry is never up to date (0).
[[nodiscard]] std::int64_t stampOf(const record::RunFolder& folder, bool running);

/// As the index keeps an entry, but for its words; `entryOfText` throws
/// Json::exception where that is not JSON.
[[nodiscard]] std::string textOf(const RunEntry& entry);
[[nodiscard]] RunEntry entryOfText(const std::string& text);

}  // namespace stagelane::workspace
