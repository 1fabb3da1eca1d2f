#pragma once

/// Descriptors of Perfetto tracks as values: which process, thread or counter a track is, and its
/// kind if Stagelane wrote it. Internal to profiler/formats.

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
  bool isNamed = false;  ///< has a name for the track, which may be empty
};

/// @throws as ProtoView if the bytes are malformed
[[nodiscard]] TrackDescriptor readTrackDescriptor(std::string_view message);
/// Reads Stagelane's description of a track; ignores others.
void takeOwnKind(std::string_view description, RawTrack& track);

}  // namespace stagelane::formats::detail
