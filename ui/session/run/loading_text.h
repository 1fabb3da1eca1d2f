#pragma once

/// Progress text for reading a trace: bytes read and time left. Pure.

#include <QString>

#include "ui/session/run/opened_trace.h"

namespace stagelane::ui {

/// "Reading big.json: 186 MiB of 803 MiB, about 3 s left". Omits the time until enough was read to
/// know the pace. @units `elapsedS` seconds since the reading began
[[nodiscard]] QString loadingText(const TraceLoading& loading, double elapsedS);

}  // namespace stagelane::ui
