#pragma once

/// The methods themselves: each fills the rows of a schedule whose sizes and layout were checked.
/// Internal to engine/schedule; `generators.cpp` has the table of names. In unit costs a device's
/// whole part of the model takes F = I = W = 1, so a chunk of v takes 1/v; A is what one
/// micro-batch keeps alive on one device.

#include "engine/schedule/action.h"

namespace stagelane::schedule::detail {

/// Appends to the row of the stage.
inline void add(Schedule& schedule, ActionKind kind, int stage, int microBatch) {
  const auto row =
      static_cast<std::size_t>(schedule.deviceOfStage[static_cast<std::size_t>(stage)]);
  schedule.actions[row].push_back({kind, StageId{stage}, MicroBatchId{microBatch}});
}

/// Naive model parallelism: the stages run one after another, the backward in reverse. With several
/// micro-batches the next one starts when the one before is done (gradient accumulation); one
/// device and any number of micro-batches is `single`.
/// @source PyTorch tutorial "Single-Machine Model Parallel Best Practices"
void fillSequential(Schedule& schedule);

/// All forwards, then all backwards, the last micro-batch first: `gpipe`; with the outputs
/// concatenated for one loss the `tutorial`, where autograd walks the splits backwards. Bubble
/// (p−1)(F+B), peak m·A. With v chunks a device `looped-bfs`: every micro-batch passes a chunk
/// before the next chunk begins, and backwards in reverse; bubble (p−1)(F+B)/v for m ≥ p.
/// @source GPipe, arXiv:1811.06965, figure 2c; PyTorch tutorial "Single-Machine Model Parallel Best
/// Practices", section "Speed Up by Pipelining Inputs"; Breadth-First Pipeline Parallelism,
/// arXiv:2211.05953
void fillForwardsThenBackwards(Schedule& schedule);

/// One forward, one backward: stage s of p runs min(m, p−1−s) forwards ahead, then alternates.
/// Bubble (p−1)(F+B), peak min(m, p−s)·A at stage s.
/// @source PipeDream, arXiv:1806.03377, section 3.2; synchronous form ("1F1B with flush"):
/// arXiv:2006.09503, section 2.2
void fillOneForwardOneBackward(Schedule& schedule);

/// 1F1B over v chunks a device: micro-batches pass in groups of p, chunk by chunk. Bubble
/// (p−1)(F+B)/v, peak (p + (p−1)/v)·A on row 0; one chunk is 1F1B.
/// @source Megatron-LM, arXiv:2104.04473, section 2.2
/// @pre v = 1, or m is a multiple of p
void fillInterleaved(Schedule& schedule);

/// 1F1B with the backward halved: row r runs p−1−r forwards ahead and puts its weight gradients off
/// by r micro-batches, so that the drain is filled with them. Bubble (p−1)(F+I−W), peak p·A. With v
/// chunks a device `interleaved-zero-bubble`: bubble (p−1)(F+I−W)/v at the same peak.
/// @source Zero Bubble Pipeline Parallelism, arXiv:2401.10241, section 2.1 (ZB-H1); chunks in the
/// order of arXiv:2104.04473
/// @pre v = 1, or m is a multiple of p
void fillZeroBubbleH1(Schedule& schedule);

/// Twice as many forwards ahead, and weight gradients put off twice as long: bubble
/// (p−1)(F+I−2W), peak (2p−1)·A.
/// @source arXiv:2401.10241, section 2.2 (ZB-H2)
void fillZeroBubbleH2(Schedule& schedule);

/// Two chunks a device in a V (stages d and 2p−1−d): no bubble where F = I = W and m ≥ 2p−1, peak
/// p·A on every device.
/// @source arXiv:2401.10241, section 6 (ZB-V); arXiv:2405.15362
void fillZeroBubbleV(Schedule& schedule);

/// Half of 1F1B's memory: peak ⌊(p+2)/2⌋·A, and at F = I = W at most half of 1F1B's bubble for
/// m ≥ (p+1)/2.
/// @source Pipeline Parallelism with Controllable Memory, arXiv:2405.15362 (V-Half)
void fillVHalf(Schedule& schedule);

/// A third of 1F1B's memory: peak ⌊(p+4)/3⌋·A (1.5 A for p = 2), and at F = I = W at most two
/// thirds of 1F1B's bubble.
/// @source arXiv:2405.15362 (V-Min)
void fillVMin(Schedule& schedule);

/// The bidirectional DualPipe cut in half: the two directions are the two legs of a V. At
/// F = I = W bubble (p−1)·F/2, peak (p + 1/2)·A. Its overlapped pairs are written one after the
/// other.
/// @source DeepSeek-V3, arXiv:2412.19437, section 3.2.1; "DualPipe could be better without the
/// Dual", Sea AI Lab (the cut in half)
/// @pre m ≥ 2p
void fillDualPipeV(Schedule& schedule);

}  // namespace stagelane::schedule::detail
