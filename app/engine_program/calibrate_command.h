#pragma once

/// `stagelane-engine calibrate`: measures the costs of an experiment's blocks on this machine and
/// writes the cost table. Writes event lines, like a run.

#include <atomic>
#include <string>

namespace stagelane {

struct CalibrateOptions {
  std::string experiment;  ///< file
  std::string out;         ///< the table's file
  double seconds = 60.0;   ///< approximate time limit
  bool onlyOccurring = false;
};
/// @returns the exit code
[[nodiscard]] int calibrateCommand(const CalibrateOptions& options, const std::atomic<bool>& stop);

}  // namespace stagelane
