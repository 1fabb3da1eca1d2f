#pragma once

/// What the processes of a run's variants cost, as a table below the results. Pure.

#include <string>

#include "engine/record/run_record.h"

namespace stagelane::app {

/// A row for each variant that ran in several processes: their number, hosts, the largest clock
/// error, and bytes, time, and hidden part of the all-reduces of a step. Empty without such a
/// variant.
[[nodiscard]] std::string rankTable(const record::RunResult& run);

}  // namespace stagelane::app
