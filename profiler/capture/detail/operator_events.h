#pragma once

/// The events of one thread: a stack of what runs now and a list of what has ended. Written by its
/// thread only, without locks. Internal to profiler/capture.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/ids.h"
#include "profiler/capture/capture_session.h"
#include "profiler/trace/trace_builder.h"

namespace stagelane::capture::detail {

class OperatorEvents {
 public:
  OperatorEvents(std::int32_t device, std::size_t most) : m_device(device), m_most(most) {}

  void begin(const char* name, TimeNs nowNs);
  /// Ends the innermost; does nothing when none is open.
  void end(TimeNs nowNs);

  /// Adds the ended events to a track; returns how many. What is still open is dropped.
  std::uint64_t addTo(trace::TraceBuilder& builder, const CaptureConfig& config) const;
  [[nodiscard]] std::uint64_t dropped() const { return m_dropped + m_open.size(); }

 private:
  struct Event {
    TimeNs startNs;
    TimeNs endNs;
    std::uint32_t name;
  };
  std::int32_t m_device;
  std::size_t m_most;
  std::unordered_map<std::string, std::uint32_t> m_ids;
  std::vector<std::string> m_names;
  std::vector<Event> m_open;
  std::vector<Event> m_ended;
  std::uint64_t m_dropped = 0;
};

}  // namespace stagelane::capture::detail
