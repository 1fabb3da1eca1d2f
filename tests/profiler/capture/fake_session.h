#pragma once

/// A session that "records" the events that it is given.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace/trace_builder.h"
#include "profiler/capture/capture_session.h"

namespace stagelane::capture {

/// An event on a device's `ops` track, times before the origin is subtracted.
struct FakeEvent {
  std::int32_t device = 0;
  std::string name;
  TimeNs startNs = 0;
  TimeNs endNs = 0;
};

class FakeSession final : public CaptureSession {
 public:
  FakeSession(std::vector<FakeEvent> events, std::uint64_t dropped)
      : m_events(std::move(events)), m_dropped(dropped) {}

  Status configure(const CaptureConfig& config) override {
    m_config = config;
    return {};
  }

  Status start() override {
    if (m_started) return fail(ErrorCode::EngineFailure, "the fake session is already recording");
    m_started = true;
    return {};
  }

  Result<CaptureReport> stop(trace::TraceBuilder& into) override {
    if (!std::exchange(m_started, false)) {
      return fail(ErrorCode::EngineFailure, "The fake session was not started");
    }
    CaptureReport report;
    report.dropped = m_dropped;
    for (const FakeEvent& event : m_events) {
      const bool known =
          event.device >= 0 && static_cast<std::size_t>(event.device) < m_config.devices.size();
      const std::int32_t device =
          known ? into.device(m_config.devices[static_cast<std::size_t>(event.device)]) : -1;
      into.add({event.startNs - m_config.originNs,
                event.endNs - event.startNs,
                event.name,
                trace::Category::Operator,
                into.track(device, trace::TrackKind::Operators, "ops"),
                {},
                {}});
      ++report.events;
    }
    into.addDropped(m_dropped);
    return report;
  }

 private:
  std::vector<FakeEvent> m_events;
  std::uint64_t m_dropped;
  CaptureConfig m_config;
  bool m_started = false;
};

[[nodiscard]] inline std::unique_ptr<CaptureSession> makeFakeSession(std::vector<FakeEvent> events,
                                                                     std::uint64_t dropped = 0) {
  return std::make_unique<FakeSession>(std::move(events), dropped);
}

}  // namespace stagelane::capture
