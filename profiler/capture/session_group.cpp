#include <utility>

#include "engine/trace/trace_builder.h"
#include "profiler/capture/capture_session.h"

namespace stagelane::capture {
namespace {

class SessionGroup final : public CaptureSession {
 public:
  explicit SessionGroup(std::vector<std::unique_ptr<CaptureSession>> sessions)
      : m_sessions(std::move(sessions)) {}

  Status configure(const CaptureConfig& config) override {
    for (const auto& session : m_sessions) STAGELANE_CHECK(session->configure(config));
    return {};
  }

  Status start() override {
    if (!m_started.empty()) {
      return fail(ErrorCode::EngineFailure, "the session group is already recording");
    }
    m_problem.clear();
    std::size_t failed = 0;
    Status first = fail(ErrorCode::EngineFailure, "the session group has no sessions");
    for (const auto& session : m_sessions) {
      if (Status status = session->start(); status) {
        m_started.push_back(session.get());
      } else {
        say(describe(status.error()));
        if (failed++ == 0) first = std::move(status);
      }
    }
    return m_started.empty() ? first : Status{};
  }

  Result<CaptureReport> stop(trace::TraceBuilder& into) override {
    if (m_started.empty()) {
      return fail(ErrorCode::EngineFailure, "no session of the group was started");
    }
    CaptureReport sum;
    for (CaptureSession* const session : std::exchange(m_started, {})) {
      const Result<CaptureReport> report = session->stop(into);
      if (!report) {
        say(describe(report.error()));
        continue;
      }
      sum.events += report->events;
      sum.dropped += report->dropped;
      sum.withoutTime += report->withoutTime;
      sum.cutOff += report->cutOff;
      sum.wrongTime += report->wrongTime;
      say(report->problem);
    }
    sum.problem = std::exchange(m_problem, {});
    return sum;
  }

 private:
  void say(const std::string& problem) {
    if (!problem.empty()) m_problem += (m_problem.empty() ? "" : "; ") + problem;
  }

  std::vector<std::unique_ptr<CaptureSession>> m_sessions;
  std::vector<CaptureSession*> m_started;
  std::string m_problem;
};

}  // namespace

std::unique_ptr<CaptureSession> makeSessionGroup(
    std::vector<std::unique_ptr<CaptureSession>> sessions) {
  return std::make_unique<SessionGroup>(std::move(sessions));
}

}  // namespace stagelane::capture
