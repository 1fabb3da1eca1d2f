#pragma once

/// Opens a run folder like `openRun`, with progress and cancellation, for an interactive caller.

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "engine/record/run_record.h"

namespace stagelane::record {

/// @thread any; the reader counts, the caller cancels
struct OpenProgress {
  std::atomic<std::uint64_t> doneBytes{0};
  std::atomic<std::uint64_t> totalBytes{0};  ///< of the events; 0: unknown
  std::atomic<bool> cancel{false};
};

/// @errors as `openRun`; `canceledError`: the folder is unchanged
[[nodiscard]] Result<RunResult> openRun(const std::filesystem::path& folder,
                                        OpenProgress& progress);

}  // namespace stagelane::record
