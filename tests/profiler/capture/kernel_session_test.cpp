#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/trace/recorder.h"
#include "engine/trace/trace_builder.h"
#include "profiler/capture/capture_session.h"

namespace stagelane::capture {
namespace {

using ::testing::HasSubstr;

// On a machine with a GPU the session starts; tests/engine/run/capture_gpu_test.cpp tests that.
TEST(KernelSession, StartsOrSaysWhyItCannot) {
  const auto session = makeKernelSession();
  CaptureConfig config;
  config.devices = {"cuda:0"};
  config.originNs = trace::monotonicNs();
  ASSERT_TRUE(session->configure(config));
  const Status status = session->start();
  trace::TraceBuilder builder;
  const auto report = session->stop(builder);
  if (status) {
    EXPECT_TRUE(report) << describe(report.error());
    return;
  }
  EXPECT_EQ(status.error().code, ErrorCode::EngineFailure);
  EXPECT_THAT(status.error().message, HasSubstr("cannot record kernels: "));
  EXPECT_THAT(describe(status.error()), HasSubstr("ops"));
  std::printf("%s\n", describe(status.error()).c_str());
  EXPECT_FALSE(report) << "what was not started cannot be stopped";
}

}  // namespace
}  // namespace stagelane::capture
