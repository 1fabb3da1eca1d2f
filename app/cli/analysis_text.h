#pragma once

/// Analysis results as tables and sentences for a terminal.

#include <string>

#include "engine/base/json.h"
#include "engine/trace/trace.h"

namespace stagelane::app {

/// The idle causes of the median step, a sentence for each device.
[[nodiscard]] std::string breakdownText(const trace::Trace& trace);

/// The result of analysis::analyzeHta.
[[nodiscard]] std::string htaText(const Json& answer);

}  // namespace stagelane::app
