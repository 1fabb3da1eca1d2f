#pragma once

/// Moves tensors between the parts of a gradient check's reference as the executor moves boundary
/// tensors: in the threads of the workers, ordered by events, and through the host where direct
/// copies between two GPUs are broken.

#include <vector>

#include "engine/run/proof/reference.h"
#include "engine/run/step/exchange.h"

namespace stagelane::run {

/// Prepares and checks the transfers between neighboring parts. @pre no worker works
/// @errors as prepareTransfer
[[nodiscard]] Status prepareTransfers(const ReferencePlan& plan, const RunControl& control);

/// Starts moving `tensors`, of which some may be undefined. @thread the worker of `from`
[[nodiscard]] Parcels sent(const ReferencePart& from, const ReferencePart& to,
                           const std::vector<at::Tensor>& tensors);

/// The tensors that were sent to `to`. Throws if `control` stops a wait for them.
/// @thread the worker of `to`
[[nodiscard]] std::vector<at::Tensor> received(const ReferencePart& to, Parcels& parcels,
                                               const RunControl& control);

}  // namespace stagelane::run
