#include <utility>

#include "profiler/capture/capture_session.h"
#include "profiler/trace/trace_builder.h"

namespace stagelane::capture {
namespace {

class FakeSession final : public CaptureSession {
 public:
  FakeSession(std::vector<FakeEvent> events, std::uint64_t dropped)
      : m_events(std::move(events)), m_dropped(dropped) {}

  Status configure(const CaptureConfig& config) override {
    m_config = config;
    return {};
  }

  Status start() override {
    if (m_started) {
      return fail(ErrorCode::EngineFailure, "The fake session is recording already");
    }
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

}  // namespace

std::unique_ptr<CaptureSession> makeFakeSession(std::vector<FakeEvent> events,
                                                std::uint64_t dropped) {
  return std::make_unique<FakeSession>(std::move(events), dropped);
}

}  // namespace stagelane::capture
