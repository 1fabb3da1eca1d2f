#pragma once

/// How much of the model each device of a run has, as a table below the results. Pure.

#include <string>

#include "engine/record/run_record.h"

namespace stagelane::app {

/// A row per variant: its replicas, and the layers and parameters on each device. Empty unless a
/// variant has replicas, or variants on several devices differ in what the devices have.
[[nodiscard]] std::string modelShareTable(const record::RunResult& run);

}  // namespace stagelane::app
