#pragma once

/// What an action costs: per stage and micro-batch durations, transfers, optimizer. Filled from
/// measured action times (the bound), from a calibration, from a file, or estimated from MACs and
/// bytes; it says which.

#include <map>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/model/shapes.h"
#include "engine/plan/experiment.h"
#include "engine/schedule/lowering.h"

namespace stagelane::predict {

enum class Basis { Estimate, Calibrated, Stale, File, Measured };
[[nodiscard]] std::string_view word(Basis basis);

/// Durations of one stage for one micro-batch.
struct StageCost {
  TimeNs forward = 0;
  TimeNs backward = 0;
  TimeNs backwardInput = 0;
  TimeNs backwardWeight = 0;
  TimeNs loss = 0;
  TimeNs optimizer = 0;
  TimeNs sendForward = 0;   ///< transfer of this stage's output to the next stage's device
  TimeNs sendBackward = 0;  ///< transfer of its input gradient to the previous stage's device
  Bytes savedBytes = 0;     ///< kept from F to B
  Bytes boundaryBytes = 0;  ///< what sendForward moves
};

/// Costs of one plan: [stage][micro-batch] (an uneven tail differs), plus what a device always
/// holds.
struct PlanCosts {
  Basis basis = Basis::Estimate;
  std::vector<std::vector<StageCost>> stage;  ///< [stage][micro-batch]
  std::vector<Bytes> residentBytes;  ///< per device row: parameters, gradients, state, buffers
  bool transfersBlock = false;       ///< a copy blocks both ends
};

/// Rough figures from MACs and bytes for CPU workers and GPUs; always marked Estimate.
[[nodiscard]] Result<PlanCosts> estimateCosts(const plan::Experiment& experiment,
                                              const plan::Variant& variant);

}  // namespace stagelane::predict
