#include "profiler/analysis/median_step.h"

#include <gtest/gtest.h>

#include "engine/trace/from_actions.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::analysis {
namespace {

/// A step of two devices: one forward on each, the second waits for the first.
void addStep(std::vector<trace::ActionRecord>& records, int repeat, TimeNs startNs, TimeNs workNs) {
  const auto add = [&](ActionKind kind, int stage, TimeNs fromNs, TimeNs untilNs) {
    trace::ActionRecord record;
    record.kind = kind;
    record.stage = static_cast<std::int16_t>(stage);
    record.device = static_cast<std::int16_t>(stage);
    record.microBatch = 0;
    record.repeat = repeat;
    record.startNs = startNs + fromNs;
    record.endNs = startNs + untilNs;
    records.push_back(record);
  };
  add(ActionKind::Forward, 0, 0, workNs);
  add(ActionKind::Forward, 1, workNs + 3, 2 * workNs);
  add(ActionKind::Optimizer, 1, 2 * workNs, 2 * workNs + 1);
  add(ActionKind::Optimizer, 0, 2 * workNs, 2 * workNs + 1);
}

trace::TracePtr traceOf(const std::vector<trace::ActionRecord>& records) {
  trace::TraceBuilder builder;
  trace::addActions(builder, {"cpu:0", "cpu:1"}, records, {});
  return std::move(builder).build();
}

TEST(MedianBreakdown, OfAnOddNumberIsTheStepInTheMiddle) {
  std::vector<trace::ActionRecord> records;
  addStep(records, 0, 0, 50);
  addStep(records, 1, 1000, 10);
  addStep(records, 2, 2000, 20);
  const StepBreakdown breakdown = medianBreakdown(*traceOf(records));
  EXPECT_EQ(breakdown.step.repeat, 2);
  EXPECT_EQ(breakdown.wallNs(), 41);
  EXPECT_FALSE(breakdown.devices.at(0).pieces.empty());
}

TEST(MedianBreakdown, OfTwoHasTheMeansAndTheyAddUpToTheMedian) {
  std::vector<trace::ActionRecord> records;
  addStep(records, 0, 0, 51);
  addStep(records, 1, 1000, 10);
  const StepBreakdown breakdown = medianBreakdown(*traceOf(records));
  EXPECT_EQ(breakdown.wallNs(), 62) << "of 21 and 103";
  ASSERT_EQ(breakdown.devices.size(), 2U);
  for (const DeviceStep& device : breakdown.devices) {
    EXPECT_EQ(device.busyNs() + device.idleNs(), 62);
    TimeNs starvedNs = 0;
    for (const auto& [blamed, durationNs] : device.starvedBy) starvedNs += durationNs;
    EXPECT_EQ(starvedNs, device.causeNs[static_cast<std::size_t>(Cause::Starved)]);
  }
  EXPECT_EQ(breakdown.devices[0].causeNs[static_cast<std::size_t>(Cause::Forward)], 30)
      << "half of 51 + 10";
}

TEST(MedianBreakdown, OfNothingIsEmpty) {
  EXPECT_TRUE(medianBreakdown(*trace::TraceBuilder().build()).devices.empty());
}

}  // namespace
}  // namespace stagelane::analysis
