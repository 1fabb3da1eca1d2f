#pragma once

/// Descriptors of perfetto's tracks as values: which process, thread or counter a track is, and of
/// which kind where Stagelane wrote it. Internal to profiler/formats.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "profiler/formats/raw_trace.h"

namespace stagelane::formats::detail {

struct CounterDescriptor {
  std::string unit;
  std::optional<double> multiplier;
  bool incremental = false;  ///< values are differences
};

struct TrackDescriptor {
  std::uint64_t uuid = 0;
  std::uint64_t parent = 0;
  std::string name, description;
  std::optional<CounterDescriptor> counter;
  std::optional<std::int64_t> processPid, threadPid;
  bool isNamed = false;  ///< says a name of the track itself, be it empty
};

/// @throws as ProtoView, where the bytes are malformed
[[nodiscard]] TrackDescriptor readTrackDescriptor(std::string_view message);
/// What a description of our own says of its track; others say nothing.
void takeOwnKind(std::string_view description, RawTrack& track);

}  // namespace stagelane::formats::detail
