#include "engine/predict/stage_bytes.h"

#include <algorithm>

// Walks a chain forward with what its blocks have kept so far, and back with what is still kept.
// The gradient of the stage's output is held by the next stage or by LOSS; gradients of boundaries
// inside the stage are its own.

namespace stagelane::predict::detail {
namespace {

Bytes forwardPeak(const std::vector<BlockFigures>& blocks) {
  Bytes most = 0;
  Bytes kept = 0;
  Bytes input = 0;  // the block's input, if nothing keeps it
  for (const BlockFigures& block : blocks) {
    most = std::max(most, kept + input + block.memory.forwardPeak);
    kept += block.kept;
    input = block.memory.unkeptOutput;
  }
  return most;
}

/// State of the backward walk: what it has added to and removed from the held memory.
struct Back {
  Bytes level = 0;      ///< without weight gradients
  Bytes gradients = 0;  ///< of weights, made by the blocks passed
};

}  // namespace

StageBytes stageBytes(const std::vector<BlockFigures>& blocks, Bytes before, Keeping keeping) {
  StageBytes stage;
  Bytes kept = 0;
  Bytes weightSaved = 0;
  Bytes captured = 0;
  Back whole;
  Back input;
  Back weight;
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    const BlockMemory& memory = block->memory;
    const Bytes own = block == blocks.rbegin() ? 0 : block->output;
    stage.backwardPeak = std::max(stage.backwardPeak, whole.level + own + memory.backwardPeak);
    stage.firstBackwardPeak = std::max(
        stage.firstBackwardPeak, whole.level + own + whole.gradients + memory.firstBackwardPeak);
    whole.level -= block->kept;
    whole.gradients += block->gradients;
    stage.inputPeak = std::max(stage.inputPeak, input.level + own + memory.inputPeak);
    // What I captures of the stage's output gradient is already held.
    input.level += memory.captured - (block == blocks.rbegin() ? block->output : 0);
    stage.weightPeak = std::max(stage.weightPeak, weight.level + memory.weightPeak);
    stage.firstWeightPeak =
        std::max(stage.firstWeightPeak, weight.level + weight.gradients + memory.weightPeak);
    weight.level -= memory.weightSaved;
    weight.gradients += block->gradients;
    kept += block->kept;
    weightSaved += memory.weightSaved;
    captured += memory.captured;
  }
  stage.forwardPeak = forwardPeak(blocks);
  stage.gradients = whole.gradients;
  stage.inputGradient = before;
  // A block may free memory that is counted to the previous block, which for the first block
  // belongs to another stage.
  stage.captured = captured + std::min(weightSaved, kept) - kept;
  if (keeping == Keeping::Inputs) {
    for (Bytes* peak : {&stage.backwardPeak, &stage.firstBackwardPeak, &stage.inputPeak}) {
      *peak = std::max(stage.forwardPeak, kept + *peak);
    }
    stage.captured += kept;
  }
  return stage;
}

}  // namespace stagelane::predict::detail
