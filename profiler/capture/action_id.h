#pragma once

/// An action as one number for CUPTI's external correlation ids. It packs device, stage and
/// micro-batch, which avoids a locked table of actions. Internal to profiler/capture.

#include <cstdint>

#include "engine/base/ids.h"

namespace stagelane::capture::detail {

/// The action of launched work; -1 (or an invalid id) if unknown.
struct ActionTag {
  std::int32_t device = -1;  ///< the run's device index
  StageId stage;
  MicroBatchId microBatch;
  friend bool operator==(const ActionTag&, const ActionTag&) = default;
};

/// A device or stage beyond 65 534 does not fit and becomes -1.
[[nodiscard]] std::uint64_t packAction(const ActionTag& tag);
[[nodiscard]] ActionTag unpackAction(std::uint64_t id);

}  // namespace stagelane::capture::detail
