#pragma once

/// Helpers shared by the method files. Internal to engine/schedule. In unit costs a device's whole
/// part of the model takes F = I = W = 1, so each of v chunks takes 1/v; A is the activation memory
/// of one micro-batch on one device.

#include <string>
#include <utility>
#include <vector>

#include "engine/schedule/methods.h"

namespace stagelane::schedule::detail {

/// The rows of the table, by family, in listing order.
[[nodiscard]] std::vector<Method> basicMethods();
[[nodiscard]] std::vector<Method> loopMethods();
[[nodiscard]] std::vector<Method> vMethods();

/// Appends to the row that runs the micro-batch of the stage.
inline void add(Schedule& schedule, ActionKind kind, int stage, int microBatch) {
  const auto row = static_cast<std::size_t>(schedule.rows.of(stage, microBatch));
  schedule.actions[row].push_back({kind, StageId{stage}, MicroBatchId{microBatch}});
}

/// An error for a violated rule, with a hint on what to change.
inline tl::unexpected<Error> invalid(std::string message, std::string hint = {}) {
  return fail(ErrorCode::Invalid, std::move(message), {}, std::move(hint));
}

/// All forwards, then all backwards, last micro-batch first: `gpipe`. With the outputs concatenated
/// for one loss: `tutorial`, where autograd runs through the splits in reverse. Bubble (p−1)(F+B),
/// peak m·A. With v chunks per device `looped-bfs`: every micro-batch passes a chunk before the
/// next chunk begins, and backwards in reverse; bubble (p−1)(F+B)/v for m ≥ p.
/// @source GPipe, arXiv:1811.06965, figure 2c; PyTorch tutorial "Single-Machine Model Parallel Best
/// Practices", section "Speed Up by Pipelining Inputs"; Breadth-First Pipeline Parallelism,
/// arXiv:2211.05953
void fillForwardsThenBackwards(Schedule& schedule);

/// Half of 1F1B's memory: peak ⌊(p+2)/2⌋·A, and at F = I = W at most half of 1F1B's bubble for
/// m ≥ (p+1)/2.
/// @source Pipeline Parallelism with Controllable Memory, arXiv:2405.15362 (V-Half)
void fillVHalf(Schedule& schedule);

/// A third of 1F1B's memory: peak ⌊(p+4)/3⌋·A (1.5 A for p = 2), and at F = I = W at most two
/// thirds of 1F1B's bubble.
/// @source arXiv:2405.15362 (V-Min)
void fillVMin(Schedule& schedule);

}  // namespace stagelane::schedule::detail
