#pragma once

/// Progress of reading a trace file, and its cancellation.

#include <atomic>
#include <cstdint>

namespace stagelane::formats {

/// @thread any; the reader writes the counts, the observer `cancel`
struct ReadProgress {
  std::atomic<std::uint64_t> done{0};   ///< bytes read so far
  std::atomic<std::uint64_t> total{0};  ///< bytes of the file; 0 if not known yet
  std::atomic<bool> cancel{false};      ///< makes reading end with `canceledError`
};

}  // namespace stagelane::formats
