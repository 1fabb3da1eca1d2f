#pragma once

/// Traces with all kinds of content, for the tests of the formats.

#include <filesystem>
#include <string>

#include "engine/trace/trace.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::formats::test {

/// Two devices with all kinds of tracks, nested and overlapping events, transfers, steps, counters,
/// metadata, dropped events and odd texts.
[[nodiscard]] trace::TracePtr sampleTrace();

/// The first difference between two traces, "" if they are equal.
[[nodiscard]] std::string difference(const trace::Trace& left, const trace::Trace& right);

using stagelane::test::TemporaryFolder;

}  // namespace stagelane::formats::test
