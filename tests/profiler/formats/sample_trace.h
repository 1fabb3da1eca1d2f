#pragma once

/// Traces with something of everything, for the tests of the formats.

#include <filesystem>
#include <string>

#include "profiler/trace/trace.h"

namespace stagelane::formats::test {

/// Two devices with all kinds of tracks, nested and overlapping events, transfers, steps, counters,
/// metadata, dropped events and odd texts.
[[nodiscard]] trace::TracePtr sampleTrace();

/// What differs first between two traces, "" when they are equal.
[[nodiscard]] std::string difference(const trace::Trace& left, const trace::Trace& right);

/// A path in a folder that is removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return m_path / name;
  }

 private:
  std::filesystem::path m_path;
};

}  // namespace stagelane::formats::test
