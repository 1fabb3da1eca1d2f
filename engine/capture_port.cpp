#include "engine/capture_port.h"

#include <memory>

#include "profiler/capture/capture_session.h"

namespace stagelane {

run::CapturePort operatorCapture() {
  const std::shared_ptr<capture::CaptureSession> session = capture::makeOperatorSession();
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
    const auto report = session->stop(builder);
    if (!report) {
      return tl::make_unexpected(report.error());
    }
    return run::CapturePort::Captured{std::move(builder).build(), report->problem};
  };
  port.eventCostNs = [] { return capture::operatorCostNs(); };
  return port;
}

}  // namespace stagelane
