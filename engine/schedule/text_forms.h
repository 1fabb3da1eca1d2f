#pragma once

/// Writes schedules as text, CSV (torch.distributed.pipelining's cells), JSON and SVG; reads CSV.

#include <string>
#include <string_view>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/schedule/action.h"

namespace stagelane::schedule {

/// One line per device, cells separated by one blank.
[[nodiscard]] std::string toText(const Schedule& schedule);
[[nodiscard]] std::string toCsv(const Schedule& schedule);
/// The keys of `conformance/schedules/index.json` and `actions: [[…]]`.
[[nodiscard]] Json toJson(const Schedule& schedule);
/// A self-contained picture of the schedule with unit costs.
[[nodiscard]] std::string toSvg(const Schedule& schedule);
/// Blank cells are skipped, `(0F5;3B2)OVERLAP_F_B` is two cells, transfer cells are ignored; stage
/// → device comes from the rows. @errors Invalid with row and cell
[[nodiscard]] Result<Schedule> fromCsv(std::string_view text, std::string_view source);

}  // namespace stagelane::schedule
