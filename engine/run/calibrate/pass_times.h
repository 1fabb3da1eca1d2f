#pragma once

/// What one pass of a calibration over a range of blocks took. Values.

#include <cstddef>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane::run {

/// Blocks first … last.
struct BlockRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// How a pass goes back.
enum class BackwardKind { Whole, Halves };

/// One forward and backward; times by block of the whole model, 0 outside the range.
struct PassTimes {
  BackwardKind kind = BackwardKind::Whole;
  std::vector<TimeNs> forward;
  std::vector<TimeNs> backward;        ///< of Halves: the input half
  std::vector<TimeNs> backwardWeight;  ///< of Halves
  TimeNs overhead = 0;                 ///< what the backward took beside its blocks
  bool accumulates = false;            ///< gradients were added to those of an earlier pass
};

}  // namespace stagelane::run
