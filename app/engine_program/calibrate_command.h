#pragma once

/// `stagelane-engine calibrate`: measures the costs of an experiment's blocks on this machine, and
/// of messages between the processes of its ranks, and writes the cost table. Writes event lines,
/// like a run.

#include <atomic>
#include <string>

#include "engine/run/rank_launch.h"

namespace stagelane {

struct CalibrateOptions {
  std::string experiment;  ///< file
  std::string out;         ///< the table's file
  double seconds = 60.0;   ///< approximate time limit
  bool onlyOccurring = false;
  run::RankOptions ranks;
};
/// In the part that this process has among those of a launcher, if there is one.
/// @returns the exit code
[[nodiscard]] int calibrateCommand(const CalibrateOptions& options, const std::atomic<bool>& stop);

}  // namespace stagelane
