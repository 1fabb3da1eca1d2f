#pragma once

/// The number of processes that a run was asked to have, so that a resumed run has as many.

#include <filesystem>

namespace stagelane::record {

/// From the event `started` of a run folder; 0: none was asked for, or there is no such event.
[[nodiscard]] int askedRanks(const std::filesystem::path& folder);

}  // namespace stagelane::record
