#pragma once

/// From the times of a device's step, by cause, to its entry in result.json: the same for measured
/// and for predicted steps. Bytes are not part of it.

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/ids.h"
#include "engine/record/run_record.h"
#include "engine/trace/cause.h"

namespace stagelane::record {

/// Of device `index` of `names` in a step of `wallNs`. `starvedBy`: indices and times; a negative
/// index is an unknown device, which only `causeNs` counts. `compute` is listed only if not zero.
[[nodiscard]] DeviceResult deviceTimes(
    const std::vector<std::string>& names, std::size_t index, TimeNs wallNs,
    const std::array<TimeNs, trace::kCauseCount>& causeNs,
    const std::vector<std::pair<std::int32_t, TimeNs>>& starvedBy);

}  // namespace stagelane::record
