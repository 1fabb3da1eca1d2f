#pragma once

/// How far the reading of a trace file has come, for whoever shows it, and the wish to stop.

#include <atomic>
#include <cstdint>

namespace stagelane::formats {

/// @thread any; the reader writes the counts, the watcher the wish
struct ReadProgress {
  std::atomic<std::uint64_t> done{0};   ///< bytes of the file that have been taken
  std::atomic<std::uint64_t> total{0};  ///< bytes of the file; 0: not known yet
  std::atomic<bool> cancel{false};      ///< reading ends with the error "canceled"
};

}  // namespace stagelane::formats
