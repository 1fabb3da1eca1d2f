#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/predict/simulator.h"
#include "tests/engine/predict/costs.h"

namespace stagelane::predict {
namespace {

TEST(PredictedTrace, HoldsEveryActionOfTheSimulationOnItsTrack) {
  const auto list = testing::lowered("1f1b", 2, 3);
  const PlanCosts plan = testing::costs(2, 3, {10, 20, 3, 1});
  const auto simulation = *simulate(list, plan);
  const auto trace = toTrace(list, simulation, {{"cpu:0"}, {"cpu:1"}}, plan);
  ASSERT_EQ(trace->size(), list.actionCount);
  EXPECT_TRUE(trace->predicted());
  EXPECT_EQ(trace->devices(), (std::vector<std::string>{"cpu:0", "cpu:1"}));
  EXPECT_EQ(trace->metadata().at("basis"), "estimate");
  ASSERT_EQ(trace->steps().size(), 1u);
  EXPECT_EQ(trace->steps()[0].startNs, 0);
  EXPECT_EQ(trace->steps()[0].endNs, simulation.stepNs);

  std::map<std::string, int> names;
  for (std::size_t i = 0; i < trace->size(); ++i) {
    const trace::EventView event = trace->event(i);
    ++names[std::string(event.name)];
    const trace::Track& track = trace->tracks()[event.track];
    const bool transfer = isTransfer(*trace::actionKindOf(event.category));
    EXPECT_EQ(track.kind, transfer ? trace::TrackKind::Copy : trace::TrackKind::Compute);
    EXPECT_EQ(trace->transferOf(i) != nullptr, transfer);
    EXPECT_GE(event.durationNs, 0);
    EXPECT_LE(event.endNs(), simulation.stepNs);
  }
  EXPECT_EQ(names["F2"], 2);
  EXPECT_EQ(names["B0"], 2);
  EXPECT_EQ(names["LOSS1"], 1);
  EXPECT_EQ(names["SEND_F0"], 1);
  EXPECT_EQ(names["RECV_B2"], 1);
  EXPECT_EQ(names["OPT"], 2);
}

TEST(PredictedTrace, HasAStepAsLongAsIsPredictedWhereTheHostTakesTimeBeforeActions) {
  const auto list = testing::lowered("1f1b", 2, 3);
  PlanCosts plan = testing::costs(2, 3, {10, 20, 3, 1});
  plan.actionOverheadNs = 8;
  const auto simulation = *simulate(list, plan);
  const auto trace = toTrace(list, simulation, {{"cpu:0"}, {"cpu:1"}}, plan);
  EXPECT_EQ(trace->steps()[0].endNs - trace->steps()[0].startNs, simulation.stepNs);
}

TEST(PredictedTrace, SaysWhatATransferMovesAndBetweenWhom) {
  const auto list = testing::lowered("1f1b", 2, 1);
  PlanCosts plan = testing::costs(2, 1);
  plan.stage[0][0].boundaryBytes = 640;
  plan.stage[1][0].boundaryBytes = 8;
  const auto trace = toTrace(list, *simulate(list, plan), {{"cpu:0"}, {"cpu:1"}}, plan);
  int transfers = 0;
  for (std::size_t i = 0; i < trace->size(); ++i) {
    const trace::Transfer* transfer = trace->transferOf(i);
    if (transfer == nullptr) continue;
    ++transfers;
    EXPECT_EQ(transfer->bytes, 640);
    const std::int32_t own = trace->tracks()[trace->event(i).track].device;
    EXPECT_EQ(transfer->peer, 1 - own);
  }
  EXPECT_EQ(transfers, 4);
}

TEST(PredictedTrace, ShowsMemoryOverTimeUpToThePeakOfTheSimulation) {
  const auto list = testing::lowered("gpipe", 1, 2);
  PlanCosts plan = testing::costs(1, 2, {10, 20, 0, 100});
  plan.residentBytes = {1000};
  for (StageCost& cost : plan.stage[0]) cost.temporaryBytes = 7;
  const auto simulation = *simulate(list, plan);
  const auto trace = toTrace(list, simulation, {{"cpu:0"}}, plan);
  ASSERT_EQ(trace->counters().size(), 1u);
  const trace::CounterSeries& memory = trace->counters()[0];
  EXPECT_EQ(memory.unit, "bytes");
  EXPECT_EQ(trace->tracks()[memory.track].name, "memory");
  // F0 0–10, F1 10–20, then the backwards, 20 each.
  EXPECT_EQ(memory.timesNs, (std::vector<TimeNs>{0, 0, 10, 10, 20, 20, 40, 40, 60}));
  EXPECT_EQ(memory.values,
            (std::vector<double>{1000, 1107, 1100, 1207, 1200, 1207, 1100, 1107, 1000}));
  EXPECT_EQ(static_cast<Bytes>(*std::max_element(memory.values.begin(), memory.values.end())),
            simulation.peakBytes[0]);
}

}  // namespace
}  // namespace stagelane::predict
