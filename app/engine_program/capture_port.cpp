#include "app/engine_program/capture_port.h"

#include <memory>
#include <utility>
#include <vector>

#include "engine/trace/trace_builder.h"
#include "profiler/capture/capture_session.h"

namespace stagelane {

namespace {

std::unique_ptr<capture::CaptureSession> sessionFor(plan::TraceDepth depth) {
  if (depth != plan::TraceDepth::Kernels) return capture::makeOperatorSession();
  std::vector<std::unique_ptr<capture::CaptureSession>> both;
  both.push_back(capture::makeOperatorSession());
  both.push_back(capture::makeKernelSession());
  return capture::makeSessionGroup(std::move(both));
}

}  // namespace

run::CapturePort captureFor(plan::TraceDepth depth) {
  const std::shared_ptr<capture::CaptureSession> session = sessionFor(depth);
  run::CapturePort port;
  port.start = [session](const std::vector<std::string>& devices, TimeNs originNs) -> Status {
    capture::CaptureConfig config;
    config.devices = devices;
    config.originNs = originNs;
    const Status configured = session->configure(config);
    return configured ? session->start() : configured;
  };
  port.stop = [session]() -> Result<run::CapturePort::Captured> {
    trace::TraceBuilder builder;
    STAGELANE_TRY(report, session->stop(builder));
    return run::CapturePort::Captured{std::move(builder).build(), report->problem};
  };
  port.eventCostNs = [] { return capture::operatorCostNs(); };
  return port;
}

}  // namespace stagelane
