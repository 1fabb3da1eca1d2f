#include "engine/trace/from_actions.h"

#include <gtest/gtest.h>
#include "engine/trace/trace_builder.h"

namespace stagelane::trace {
namespace {

ActionRecord record(ActionKind kind, std::int16_t device, TimeNs startNs, TimeNs endNs,
                    std::int32_t stage, std::int32_t microBatch) {
  ActionRecord made;
  made.kind = kind;
  made.device = device;
  made.startNs = startNs;
  made.endNs = endNs;
  made.stage = stage;
  made.microBatch = microBatch;
  return made;
}

ActionRecord transfer(ActionRecord base, std::int16_t peer, Bytes bytes) {
  base.peer = peer;
  base.bytes = bytes;
  return base;
}

std::vector<ActionRecord> oneStep() {
  return {record(ActionKind::Forward, 0, 1000, 1100, 0, 3),
          transfer(record(ActionKind::SendForward, 0, 1100, 1110, 0, 3), 1, 64),
          transfer(record(ActionKind::RecvForward, 1, 1100, 1120, 1, 3), 0, 64),
          record(ActionKind::Forward, 1, 1120, 1200, 1, 3),
          record(ActionKind::Loss, 1, 1200, 1210, 1, -1),
          record(ActionKind::Backward, 1, 1210, 1300, 1, 3),
          transfer(record(ActionKind::SendBackward, 1, 1300, 1310, 1, 3), 0, 64),
          transfer(record(ActionKind::RecvBackward, 0, 1300, 1330, 0, 3), 1, 64),
          record(ActionKind::Optimizer, 1, 1310, 1350, 1, -1),
          record(ActionKind::Backward, 0, 1330, 1400, 0, 3),
          record(ActionKind::Optimizer, 0, 1400, 1440, 0, -1)};
}

TracePtr traceOf(const std::vector<std::string>& devices, const std::vector<ActionRecord>& records,
                 const FromActionsOptions& options = {}) {
  TraceBuilder builder;
  addActions(builder, devices, records, options);
  return std::move(builder).build();
}

EventView find(const Trace& trace, const std::string& device, const std::string& name) {
  for (std::size_t index = 0; index < trace.size(); ++index) {
    const EventView view = trace.event(index);
    const auto owner = static_cast<std::size_t>(trace.tracks()[view.track].device);
    if (view.name == name && trace.devices()[owner] == device) return view;
  }
  ADD_FAILURE() << "no event " << name << " on " << device;
  return {};
}

TEST(TraceFromActions, NamesActionsAfterWordAndMicroBatch) {
  EXPECT_EQ(actionName(ActionKind::Forward, MicroBatchId{3}), "F3");
  EXPECT_EQ(actionName(ActionKind::RecvBackward, MicroBatchId{0}), "RECV_B0");
  EXPECT_EQ(actionName(ActionKind::Optimizer, MicroBatchId{}), "OPT");
}

TEST(TraceFromActions, CountsMemoryWhereTheRecordsKnowIt) {
  std::vector<ActionRecord> records = oneStep();
  records[0].liveBytes = 300;
  records[9].liveBytes = 100;
  const TracePtr trace = traceOf({"cpu:0", "cpu:1"}, records, {.originNs = 1000});
  ASSERT_EQ(trace->counters().size(), 1U) << "cpu:1 has no values";
  const CounterSeries& memory = trace->counters().front();
  EXPECT_EQ(trace->tracks()[memory.track].name, "memory");
  EXPECT_EQ(trace->devices()[static_cast<std::size_t>(trace->tracks()[memory.track].device)],
            "cpu:0");
  EXPECT_EQ(memory.timesNs, (std::vector<TimeNs>{100, 400}));
  EXPECT_EQ(memory.values, (std::vector<double>{300.0, 100.0}));
}

TEST(TraceFromActions, CountsTimesFromTheOriginAndKeepsStageAndMicroBatch) {
  const TracePtr trace = traceOf({"cpu:0", "cpu:1"}, oneStep(), {.originNs = 1000});
  const EventView forward = find(*trace, "cpu:1", "F3");
  EXPECT_EQ(forward.startNs, 120);
  EXPECT_EQ(forward.durationNs, 80);
  EXPECT_EQ(forward.stage, StageId{1});
  EXPECT_EQ(forward.microBatch, MicroBatchId{3});
  EXPECT_EQ(trace->tracks()[forward.track].kind, TrackKind::Compute);
}

TEST(TraceFromActions, JoinsEachSendToItsReceive) {
  const TracePtr trace = traceOf({"cpu:0", "cpu:1"}, oneStep(), {.originNs = 1000});
  const EventView sendF = find(*trace, "cpu:0", "SEND_F3");
  const EventView recvF = find(*trace, "cpu:1", "RECV_F3");
  const EventView sendB = find(*trace, "cpu:1", "SEND_B3");
  const EventView recvB = find(*trace, "cpu:0", "RECV_B3");
  EXPECT_NE(sendF.correlation, 0U);
  EXPECT_EQ(sendF.correlation, recvF.correlation);
  EXPECT_EQ(sendB.correlation, recvB.correlation);
  EXPECT_NE(sendF.correlation, sendB.correlation);
  EXPECT_EQ(trace->tracks()[recvF.track].kind, TrackKind::Copy);
  EXPECT_EQ(find(*trace, "cpu:0", "F3").correlation, 0U);
}

TEST(TraceFromActions, AStepReachesFromItsEarliestStartToTheLatestOptimizerEnd) {
  std::vector<ActionRecord> records = oneStep();
  for (ActionRecord late : oneStep()) {
    late.repeat = 1;
    late.startNs += 1000;
    late.endNs += 1000;
    records.push_back(late);
  }
  const TracePtr trace = traceOf({"cpu:0", "cpu:1"}, records, {.originNs = 1000, .extraRepeat = 1});
  ASSERT_EQ(trace->steps().size(), 2U);
  EXPECT_EQ(trace->steps()[0].startNs, 0);
  EXPECT_EQ(trace->steps()[0].endNs, 440);
  EXPECT_FALSE(trace->steps()[0].extra);
  EXPECT_EQ(trace->steps()[1].startNs, 1000);
  EXPECT_TRUE(trace->steps()[1].extra);
}

TEST(TraceFromActions, AStepWithoutOptimizerEndsAtTheLastCompute) {
  const TracePtr trace = traceOf({"cpu:0"}, {record(ActionKind::Forward, 0, 0, 10, 0, 0),
                                             record(ActionKind::SendForward, 0, 10, 30, 0, 0)});
  ASSERT_EQ(trace->steps().size(), 1U);
  EXPECT_EQ(trace->steps()[0].endNs, 10);
}

TEST(TraceFromActions, DropsRecordsOfUnknownDevicesAndCountsThem) {
  const TracePtr trace = traceOf({"cpu:0"}, {record(ActionKind::Forward, 4, 0, 10, 0, 0),
                                             record(ActionKind::Forward, -1, 0, 10, 0, 0)});
  EXPECT_EQ(trace->size(), 0U);
  EXPECT_EQ(trace->droppedEvents(), 2U);
  EXPECT_TRUE(trace->steps().empty());
}

TEST(TraceFromActions, OfNothingStillHasTheDevices) {
  const TracePtr trace = traceOf({"cpu:0", "cpu:1"}, {});
  EXPECT_EQ(trace->devices(), (std::vector<std::string>{"cpu:0", "cpu:1"}));
  EXPECT_TRUE(trace->steps().empty());
}

TEST(TraceFromActions, PeersFollowTheBuildersOwnDeviceNumbers) {
  TraceBuilder builder;
  const std::int32_t host = builder.device("host");
  addActions(builder, {"cpu:0", "cpu:1"}, oneStep(), {.originNs = 1000});
  const TracePtr trace = std::move(builder).build();
  EXPECT_EQ(host, 0);
  for (std::size_t index = 0; index < trace->size(); ++index) {
    if (trace->event(index).name == "SEND_F3") {
      ASSERT_NE(trace->transferOf(index), nullptr);
      EXPECT_EQ(trace->devices()[static_cast<std::size_t>(trace->transferOf(index)->peer)],
                "cpu:1");
    }
  }
}

}  // namespace
}  // namespace stagelane::trace
