#pragma once

/// `stagelane-engine calibrate`: measures what an experiment's blocks cost on this machine and
/// writes the cost table. Speaks in event lines, as a run does.

#include <atomic>
#include <string>

namespace stagelane {

struct CalibrateOptions {
  std::string experiment;  ///< file
  std::string out;         ///< the table's file
  double seconds = 60.0;   ///< about how long it may take
  bool onlyOccurring = false;
};
/// @returns the exit code
[[nodiscard]] int calibrateCommand(const CalibrateOptions& options, const std::atomic<bool>& stop);

}  // namespace stagelane
