#pragma once

/// Runs of the workspace that go on on a host and that no program follows, for the pages.

#include <QString>
#include <vector>

#include "ui/session/run/run_connection.h"

namespace stagelane::app {

/// The newest first. @thread any; reads a few small files for each run on a host
[[nodiscard]] std::vector<ui::LeftRun> leftRuns();
/// The host of a run folder's devices; "" for this machine, and if it cannot be read.
[[nodiscard]] QString hostOfFolder(const QString& folder);

}  // namespace stagelane::app
