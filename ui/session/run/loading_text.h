#pragma once

/// What is said while a trace is being read: how much of it, and how long it will still take. Pure.

#include <QString>

#include "ui/session/run/opened_trace.h"

namespace stagelane::ui {

/// "Reading big.json: 186 MiB of 803 MiB, about 3 s left". The time is said once enough was read to
/// know the pace. @units `elapsedS` seconds since the reading began
[[nodiscard]] QString loadingText(const TraceLoading& loading, double elapsedS);

}  // namespace stagelane::ui
