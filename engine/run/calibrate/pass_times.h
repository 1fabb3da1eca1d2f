#pragma once

/// Times of one calibration pass over a range of blocks.

#include <cstddef>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane::run {

/// Blocks first … last.
struct BlockRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Whether the backward of a pass is split.
enum class BackwardKind { Whole, Halves };

/// One forward and backward; times by block of the whole model, 0 outside the range.
struct PassTimes {
  BackwardKind kind = BackwardKind::Whole;
  std::vector<TimeNs> forward;
  std::vector<TimeNs> backward;        ///< for Halves: the input half
  std::vector<TimeNs> backwardWeight;  ///< for Halves
  TimeNs overhead = 0;                 ///< time of the backward outside its blocks
  bool accumulates = false;            ///< gradients were added to those of an earlier pass
};

}  // namespace stagelane::run
