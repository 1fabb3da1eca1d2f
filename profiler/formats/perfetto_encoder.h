#pragma once

/// A trace as Perfetto packets. Internal to profiler/formats.

#include <cstdint>
#include <functional>
#include <string_view>

#include "engine/trace/trace.h"
#include "profiler/formats/event_details.h"

namespace stagelane::formats::detail {

using Sink = std::function<void(std::string_view packet)>;

/// Passes whole packets to `sink`. They are self-contained, so a file can have several such parts;
/// tracks with equal device and name are one track.
/// @param offset of the part in its file
/// @param details may be null
void encodePerfetto(const trace::Trace& trace, const EventDetails* details, std::uint64_t offset,
                    const Sink& sink);

}  // namespace stagelane::formats::detail
