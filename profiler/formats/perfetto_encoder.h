#pragma once

/// A trace as Perfetto packets. Internal to profiler/formats.

#include <cstdint>
#include <functional>
#include <string_view>

#include "engine/trace/trace.h"
#include "profiler/formats/event_details.h"

namespace stagelane::formats::detail {

using Sink = std::function<void(std::string_view packet)>;

/// Hands whole packets to `sink`. They stand by themselves, so that a file may consist of several
/// such parts: tracks of one device and name are one track.
/// @param offset where the part begins in its file
/// @param details may be null
void encodePerfetto(const trace::Trace& trace, const EventDetails* details, std::uint64_t offset,
                    const Sink& sink);

}  // namespace stagelane::formats::detail
