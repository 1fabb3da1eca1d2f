#pragma once

/// The sums of gradients over replicas in a predicted step: how long they take, and which part no
/// computation hides. Pure.

#include <optional>
#include <vector>

#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {

struct AllReduceFigures {
  Bytes bytes = 0;       ///< gradients of a replica, over its stages
  int row = 0;           ///< the times are of this row: the one that waits longest
  TimeNs allNs = 0;      ///< of all its all-reduces
  TimeNs exposedNs = 0;  ///< during which the row only waits
  [[nodiscard]] TimeNs hiddenNs() const { return allNs - exposedNs; }
};
/// Nothing without replicas, and if nothing is summed.
[[nodiscard]] std::optional<AllReduceFigures> allReduceOf(const PlanPrediction& prediction);

/// A part of an all-reduce, from the start of the step.
struct AllReducePiece {
  int stage = 0;
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  bool exposed = false;
};
/// Those of a row, in the order of the schedule. Of processes that reduce bucket by bucket during
/// the backward, the hidden part is drawn as one piece before the exposed one: the prediction knows
/// its length, not where each bucket is.
[[nodiscard]] std::vector<AllReducePiece> allReducePieces(const PlanPrediction& prediction,
                                                          int row);

}  // namespace stagelane::ui
