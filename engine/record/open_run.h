#pragma once

/// Opening a run folder where somebody watches and may lose interest: as `openRun`, with how much
/// of the events was read.

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "engine/record/run_record.h"

namespace stagelane::record {

/// @thread any; the reader counts, the watcher wishes
struct OpenProgress {
  std::atomic<std::uint64_t> doneBytes{0};
  std::atomic<std::uint64_t> totalBytes{0};  ///< of the events; 0: not known yet
  std::atomic<bool> cancel{false};
};

/// @errors as `openRun`; Invalid, "canceled": then nothing of the folder was changed
[[nodiscard]] Result<RunResult> openRun(const std::filesystem::path& folder,
                                        OpenProgress& progress);

}  // namespace stagelane::record
