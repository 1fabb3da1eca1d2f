#pragma once

/// Rows and micro-batches of a variant, as its schedule numbers them: row r is the r-th distinct
/// device in the order of the stages, so that schedules are independent of device names.

#include <cstdint>
#include <vector>

#include "engine/base/ids.h"
#include "engine/plan/experiment.h"
#include "engine/plan/stages.h"
#include "engine/schedule/stage_rows.h"

namespace stagelane::plan {

/// Device of each row.
[[nodiscard]] std::vector<DeviceId> rowsOf(const std::vector<Stage>& stages);
[[nodiscard]] std::vector<DeviceId> rowsOf(const Variant& variant);
/// The devices that records and results name: the rows, or for an asynchronous strategy `cpu:0@2`
/// for each of the processes that share the row.
[[nodiscard]] std::vector<DeviceId> recordedDevices(const Variant& variant);
/// Row of each replica of each stage.
[[nodiscard]] schedule::StageRows stageRowsOf(const std::vector<Stage>& stages);

/// Samples of a micro-batch in a batch of this size, which may be a smaller last one: `split_size`,
/// and for replicas of the whole model without accumulation an equal part for each.
/// @source torch.chunk
[[nodiscard]] std::int64_t splitOf(const Variant& variant, std::int64_t samples);

/// Sizes of the micro-batches: ceil(batch/split), each at most `split`.
[[nodiscard]] std::vector<std::int64_t> microBatchSizes(std::int64_t batch, std::int64_t split);

}  // namespace stagelane::plan
