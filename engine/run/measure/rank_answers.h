#pragma once

/// What other ranks measured in a turn, as they send it to rank 0.

#include <string>

#include "engine/run/measure/measure.h"

namespace stagelane::run {

/// What a rank measured in its part of a repeat.
struct RankTurn {
  bool stopped = false;  ///< the run was canceled in between
  RepeatMeasurement measured;
  std::vector<Bytes> peakBytes;  ///< by row; 0 for those of other ranks
};

/// In the byte order of this machine: all ranks of a run have the same program.
[[nodiscard]] std::string packed(const RankTurn& turn);
/// @errors EngineFailure: not such a text
[[nodiscard]] Result<RankTurn> unpackedTurn(const std::string& text);

/// The losses of the batches from those of their micro-batches, in order.
void addLosses(RepeatMeasurement& measured);

/// Adds the part of another rank: its records (already on the leader's clock), copies, losses.
void addPart(RepeatMeasurement part, RepeatMeasurement& whole);

}  // namespace stagelane::run
