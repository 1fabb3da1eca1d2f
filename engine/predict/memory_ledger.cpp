#include "engine/predict/memory_ledger.h"

#include <algorithm>

namespace stagelane::predict::detail {

void MemoryLedger::reset(const PlanCosts& costs, const schedule::StageRows& stages,
                         std::size_t rows) {
  m_costs = &costs;
  m_stages = &stages;
  m_held.assign(rows, 0);
  std::copy_n(costs.residentBytes.begin(), std::min(rows, costs.residentBytes.size()),
              m_held.begin());
  m_made.assign(static_cast<std::size_t>(stages.copies()), Made{});
  for (std::size_t stage = 0; stage < costs.stage.size(); ++stage) {
    const Bytes gradients = costs.stage[stage].front().gradientBytes;
    const auto number = static_cast<int>(stage);
    for (int replica = 0; gradients > 0 && replica < stages.replicas(number); ++replica) {
      m_held[static_cast<std::size_t>(stages.row(number, replica))] -= gradients;
    }
  }
}

Bytes MemoryLedger::play(std::size_t row, const schedule::LoweredAction& action,
                         const StageCost& cost) {
  Bytes& held = m_held[row];
  if (action.kind == ActionKind::Loss) return playLoss(held, action);
  const bool reduces = action.kind == ActionKind::Reduce;
  const bool updates = action.kind == ActionKind::Optimizer;
  if (!isScheduled(action.kind) && !updates && !reduces) return held;
  const auto stage = static_cast<std::size_t>(action.stage.value);
  const int copy = m_stages->copyOn(action.stage.value, static_cast<int>(row));
  Made& made = m_made[static_cast<std::size_t>(copy)];
  if (reduces) {
    made.reduced = cost.reduceHeldBytes;
    return held += made.reduced;
  }
  const Bytes reduced = updates ? made.reduced : 0;
  const bool last = stage + 1 == m_costs->stage.size();
  const Bytes most = cost.bytes ? playKnown(held, action.kind, cost, made, last)
                                : playPlain(held, action.kind, cost, made);
  held -= reduced;
  return most;
}

/// The LOSS of a whole batch has the summed figures of its micro-batches.
Bytes MemoryLedger::playLoss(Bytes& held, const schedule::LoweredAction& action) const {
  const auto& stage = m_costs->stage[static_cast<std::size_t>(action.stage.value)];
  Bytes extra = 0;
  Bytes change = 0;
  const auto add = [&](const StageCost& cost) {
    extra += cost.lossBytes;
    if (cost.bytes) change += cost.bytes->outputGradient - cost.outputBytes;
  };
  if (action.microBatch.valid()) {
    add(stage[static_cast<std::size_t>(action.microBatch.value)]);
  } else {
    for (const StageCost& cost : stage) add(cost);
  }
  const Bytes most = held + extra;
  held += change;
  return most;
}

Bytes MemoryLedger::playKnown(Bytes& held, ActionKind kind, const StageCost& cost, Made& made,
                              bool last) const {
  const StageBytes& bytes = *cost.bytes;
  const auto once = [&held](bool& done, Bytes more) {
    held += done ? 0 : more;
    done = true;
  };
  if (kind == ActionKind::Forward) {
    const Bytes most = held + bytes.forwardPeak;
    if (m_costs->forwardOnly) {
      once(made.output, cost.outputBytes);  // until the next stage has read it
    } else {
      held += cost.savedBytes + cost.outputBytes;
    }
    return most;
  }
  if (kind == ActionKind::Optimizer) {
    const Bytes most = held + bytes.optimizerPeak;
    held -= (made.weightGradients ? bytes.gradients : 0) +
            (made.inputGradient ? bytes.inputGradient : 0);
    made = Made{};
    return most;
  }
  const bool first = !made.weightGradients;
  if (kind == ActionKind::BackwardWeight) {
    const Bytes most = held + (first ? bytes.firstWeightPeak : bytes.weightPeak);
    held -= cost.savedBytes + bytes.captured;
    once(made.weightGradients, bytes.gradients);
    return most;
  }
  const bool whole = kind == ActionKind::Backward;
  held -= last ? 0 : cost.outputBytes;
  const Bytes most = held + (!whole  ? bytes.inputPeak
                             : first ? bytes.firstBackwardPeak
                                     : bytes.backwardPeak);
  held += (whole ? -cost.savedBytes : bytes.captured) - bytes.outputGradient;
  once(made.inputGradient, bytes.inputGradient);
  if (whole) once(made.weightGradients, bytes.gradients);
  return most;
}

/// Counts what a stage keeps of a micro-batch from its forward to its last backward half, plus the
/// temporary bytes of the running action.
Bytes MemoryLedger::playPlain(Bytes& held, ActionKind kind, const StageCost& cost,
                              Made& made) const {
  if (kind == ActionKind::Optimizer) {
    const Bytes most = held;
    held -= made.weightGradients ? cost.gradientBytes : 0;
    made = Made{};
    return most;
  }
  const bool isForward = kind == ActionKind::Forward;
  if (isForward) {
    held += cost.savedBytes;
  } else if (kind != ActionKind::BackwardWeight) {
    held += cost.recomputedBytes - cost.outputBytes;
  }
  const bool makesGradients = cost.gradientBytes > 0 && !made.weightGradients && !isForward &&
                              kind != ActionKind::BackwardInput;
  const Bytes most = held + (makesGradients ? cost.firstBackwardBytes : cost.temporaryBytes);
  if (makesGradients) {
    made.weightGradients = true;
    held += cost.gradientBytes;
  }
  if (isForward) held += cost.outputBytes;
  const bool keeps = isForward ? !m_costs->forwardOnly : kind == ActionKind::BackwardInput;
  if (!keeps) held -= cost.savedBytes + (isForward ? 0 : cost.recomputedBytes);
  return most;
}

}  // namespace stagelane::predict::detail
