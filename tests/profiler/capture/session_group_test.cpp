#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/trace/trace_builder.h"
#include "profiler/capture/capture_session.h"
#include "tests/profiler/capture/fake_session.h"

namespace stagelane::capture {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class BrokenSession final : public CaptureSession {
 public:
  explicit BrokenSession(bool starts) : m_starts(starts) {}
  Status configure(const CaptureConfig& /*config*/) override { return {}; }
  Status start() override {
    return m_starts ? Status{} : fail(ErrorCode::EngineFailure, "there is no driver");
  }
  Result<CaptureReport> stop(trace::TraceBuilder& /*into*/) override {
    return fail(ErrorCode::EngineFailure, "the flush failed");
  }

 private:
  bool m_starts;
};

template <class... Sessions>
std::unique_ptr<CaptureSession> groupOf(Sessions... sessions) {
  std::vector<std::unique_ptr<CaptureSession>> all;
  (all.push_back(std::move(sessions)), ...);
  return makeSessionGroup(std::move(all));
}

TEST(SessionGroup, RecordsAllItsSessionsIntoOneTrace) {
  const auto group = groupOf(makeFakeSession({{0, "a", 10, 20}}, 1),
                             makeFakeSession({{1, "b", 10, 20}, {1, "c", 12, 14}}, 2));
  CaptureConfig config;
  config.devices = {"x", "y"};
  ASSERT_TRUE(group->configure(config));
  ASSERT_TRUE(group->start());
  EXPECT_FALSE(group->start()) << "it is recording already";
  trace::TraceBuilder builder;
  const auto report = group->stop(builder);
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_EQ(report->events, 3U);
  EXPECT_EQ(report->dropped, 3U);
  EXPECT_EQ(report->problem, "");
  EXPECT_EQ(std::move(builder).build()->size(), 3U);
  EXPECT_TRUE(group->start()) << "once stopped it can start again";
}

TEST(SessionGroup, LeavesOutWhatDoesNotStartAndSaysWhy) {
  const auto group =
      groupOf(std::make_unique<BrokenSession>(false), makeFakeSession({{0, "a", 10, 20}}));
  ASSERT_TRUE(group->start());
  trace::TraceBuilder builder;
  const auto report = group->stop(builder);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->events, 1U);
  EXPECT_THAT(report->problem, HasSubstr("there is no driver"));
}

TEST(SessionGroup, KeepsWhatTheOthersRecordedWhenOneFailsAtItsStop) {
  const auto group =
      groupOf(std::make_unique<BrokenSession>(true), makeFakeSession({{0, "a", 10, 20}}));
  ASSERT_TRUE(group->start());
  trace::TraceBuilder builder;
  const auto report = group->stop(builder);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->events, 1U);
  EXPECT_THAT(report->problem, HasSubstr("the flush failed"));
}

TEST(SessionGroup, FailsWhereNoneStarts) {
  const auto group = groupOf(std::make_unique<BrokenSession>(false));
  const Status status = group->start();
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("there is no driver"));
  trace::TraceBuilder builder;
  EXPECT_FALSE(group->stop(builder));
}

TEST(SessionGroup, OfNothingRecordsNothing) {
  const auto group = groupOf();
  EXPECT_FALSE(group->start());
}

}  // namespace
}  // namespace stagelane::capture
