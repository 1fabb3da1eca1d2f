#include "profiler/capture/kernel_session.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::capture {
namespace {

#ifndef STAGELANE_WITH_CUDA
/// A session that only reports why kernels cannot be recorded.
class NoKernelSession final : public CaptureSession {
 public:
  Status configure(const CaptureConfig& /*config*/) override { return {}; }
  Status start() override {
    return fail(ErrorCode::EngineFailure,
                "cannot record kernels: this engine was built without CUDA", "trace",
                "build with -DSTAGELANE_CUDA=ON, or trace operators (\"ops\")");
  }
  Result<CaptureReport> stop(trace::TraceBuilder& /*into*/) override {
    return fail(ErrorCode::EngineFailure, "kernel recording was not started");
  }
};
#endif

}  // namespace

std::unique_ptr<CaptureSession> makeKernelSession() {
#ifdef STAGELANE_WITH_CUDA
  return detail::makeCuptiSession();
#else
  return std::make_unique<NoKernelSession>();
#endif
}

}  // namespace stagelane::capture
