#pragma once

/// Builds the index entry of a run folder. Private to engine/workspace.

#include <cstdint>
#include <string>

#include "engine/workspace/run_index.h"

namespace stagelane::workspace {

/// Leaves the number to the index. Reads experiment.json and labels.json, and sums the file sizes.
[[nodiscard]] RunEntry entryOf(const record::RunFolder& folder, const record::RunResult& run);

/// Changes with every file that a run or a person writes into the folder. A run that was alive when
/// it was read may end without writing anything, so its entry is never up to date (0).
[[nodiscard]] std::int64_t stampOf(const record::RunFolder& folder, bool running);

/// The stored form of an entry, without its search words; `entryOfText` throws Json::exception if
/// the text is not JSON.
[[nodiscard]] std::string textOf(const RunEntry& entry);
[[nodiscard]] RunEntry entryOfText(const std::string& text);

}  // namespace stagelane::workspace
