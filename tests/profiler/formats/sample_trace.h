#pragma once

/// Traces with something of everything, for the tests of the formats.

#include <filesystem>
#include <string>

#include "engine/trace/trace.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::formats::test {

/// Two devices with all kinds of tracks, nested and overlapping events, transfers, steps, counters,
/// metadata, dropped events and odd texts.
[[nodiscard]] trace::TracePtr sampleTrace();

/// What differs first between two traces, "" when they are equal.
[[nodiscard]] std::string difference(const trace::Trace& left, const trace::Trace& right);

using stagelane::test::TemporaryFolder;

}  // namespace stagelane::formats::test
