#pragma once

/// An action as one number, for CUPTI's external correlation ids: device, stage and micro-batch
/// packed, so that no table of actions has to be kept and locked. Internal to profiler/capture.

#include <cstdint>

#include "engine/base/ids.h"

namespace stagelane::capture::detail {

/// What a launched piece of work belongs to; -1 (or an invalid id) for none.
struct ActionTag {
  std::int32_t device = -1;  ///< the run's device index
  StageId stage;
  MicroBatchId microBatch;
  friend bool operator==(const ActionTag&, const ActionTag&) = default;
};

/// A device or stage beyond 65 534 does not fit and is none.
[[nodiscard]] std::uint64_t packAction(const ActionTag& tag);
[[nodiscard]] ActionTag unpackAction(std::uint64_t id);

}  // namespace stagelane::capture::detail
