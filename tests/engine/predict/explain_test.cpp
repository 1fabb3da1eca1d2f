#include "engine/predict/explain.h"

#include <gmock/gmock.h>

#include <random>

#include "engine/predict/simulator.h"
#include "tests/engine/predict/costs.h"

namespace stagelane::predict {
namespace {

using testing::costs;
using ::testing::HasSubstr;
using testing::lowered;

TimeNs sumOf(const Explanation& explanation) {
  TimeNs sum = explanation.idealNs;
  for (const LossPart& part : explanation.parts) sum += part.ns;
  return sum;
}

TimeNs part(const Explanation& explanation, Loss loss) {
  for (const LossPart& each : explanation.parts) {
    if (each.loss == loss) return each.ns;
  }
  return -1;
}

TEST(Explain, NamesEachPartOfAHandMadePlan) {
  // Two stages, 10 + 20 and 30 + 60, four micro-batches in GPipe's order, transfers of 5.
  PlanCosts plan = costs(2, 4, {10, 20, 5, 1});
  for (StageCost& cost : plan.stage[1]) {
    cost.forward = 30;
    cost.backward = 60;
  }
  plan.actionOverheadNs = 1;
  const auto list = lowered("gpipe", 2, 4);
  const auto explanation = explain(list, plan);
  ASSERT_TRUE(explanation);
  EXPECT_EQ(explanation->idealNs, (4 * 30 + 4 * 90) / 2);
  EXPECT_EQ(part(*explanation, Loss::Imbalance), 360 - 240);
  EXPECT_EQ(part(*explanation, Loss::Warmup), 10);
  EXPECT_EQ(part(*explanation, Loss::Waiting), 0);
  EXPECT_EQ(part(*explanation, Loss::Drain), 20);
  EXPECT_EQ(part(*explanation, Loss::Recompute), 0);
  EXPECT_EQ(part(*explanation, Loss::Transfers), 10);
  EXPECT_EQ(part(*explanation, Loss::Slowdown), 0);
  EXPECT_EQ(explanation->stepNs, simulate(list, plan)->stepNs);
  EXPECT_EQ(sumOf(*explanation), explanation->stepNs);
}

TEST(Explain, CountsForwardsThatRunAgain) {
  PlanCosts plan = costs(1, 3);
  for (StageCost& cost : plan.stage[0]) {
    cost.recompute = 10;
    cost.backward += 10;
    cost.backwardWeight += 10;
  }
  const auto explanation = *explain(lowered("gpipe", 1, 3), plan);
  EXPECT_EQ(explanation.idealNs, 90);
  EXPECT_EQ(part(explanation, Loss::Recompute), 30);
  EXPECT_EQ(explanation.stepNs, 120);
}

TEST(Explain, AddsUpExactlyWhateverTheCosts) {
  std::mt19937 random(21);
  for (int round = 0; round < 300; ++round) {
    const int p = 1 + static_cast<int>(random() % 5);
    const int m = 1 + static_cast<int>(random() % 8);
    PlanCosts plan = costs(p, m);
    const auto upTo = [&](unsigned most) { return static_cast<TimeNs>(random() % most); };
    for (auto& stage : plan.stage) {
      for (StageCost& cost : stage) {
        cost.forward = upTo(1000);
        cost.recompute = round % 3 == 0 ? cost.forward : 0;
        cost.backward = upTo(2000) + cost.recompute;
        cost.loss = upTo(50);
        cost.optimizer = upTo(300);
        cost.sendForward = upTo(500);
        cost.sendBackward = upTo(500);
      }
    }
    plan.actionOverheadNs = upTo(30);
    plan.transfersBlock = random() % 2 == 0;
    if (random() % 2 == 0) plan.contention = {{2, 1.37}};
    const auto list = lowered(round % 2 == 0 ? "1f1b" : "gpipe", p, m);
    const auto predicted = *explain(list, plan);
    ASSERT_EQ(sumOf(predicted), simulate(list, plan)->stepNs);
    for (const LossPart& each : predicted.parts) EXPECT_GE(each.ns, 0) << word(each.loss);

    PlanCosts expected = costs(p, m);
    expected.basis = round % 2 == 0 ? Basis::Calibrated : Basis::Estimate;
    const TimeNs step = simulate(list, plan)->stepNs + upTo(1000);
    const auto measured = *explainMeasured(list, plan, step, expected);
    ASSERT_EQ(sumOf(measured), step);
    EXPECT_EQ(measured.parts.front().loss == Loss::Contention, round % 2 == 0);
  }
}

TEST(Explain, IsWrittenAsATableAndAsJson) {
  const auto explanation = *explain(lowered("gpipe", 2, 2), costs(2, 2, {1000, 2000, 0, 1}));
  const std::string text = toText(explanation);
  EXPECT_THAT(text, HasSubstr("ideal: all work"));
  EXPECT_THAT(text, HasSubstr("waiting: the busiest device waits"));
  EXPECT_THAT(text, HasSubstr("100.0 %  predicted step"));
  const Json json = toJson(explanation);
  EXPECT_EQ(json["basis"], "predicted");
  EXPECT_EQ(json["ideal_ns"], 6000);
  EXPECT_EQ(json["parts"][0]["cause"], "imbalance");
  EXPECT_EQ(json["step_ns"], 9000);
}

TEST(Explain, ReadsBackWhatItWrote) {
  for (const bool measured : {false, true}) {
    Explanation written;
    written.idealNs = 70;
    written.parts = {{measured ? Loss::Contention : Loss::Slowdown, -5},
                     {Loss::Imbalance, 20},
                     {Loss::Host, 15}};
    written.stepNs = 100;
    written.measured = measured;
    const auto read = explanationFromJson(toJson(written));
    ASSERT_TRUE(read);
    EXPECT_EQ(toJson(*read), toJson(written));
    EXPECT_EQ(read->parts.front().loss, written.parts.front().loss);
    EXPECT_EQ(read->measured, measured);
  }
}

TEST(Explain, RefusesWhatDoesNotAddUpOrIsNotKnown) {
  const Json good = toJson(Explanation{70, {{Loss::Waiting, 30}}, 100, true});
  ASSERT_TRUE(explanationFromJson(good));
  Json sum = good;
  sum["ideal_ns"] = 71;
  EXPECT_THAT(explanationFromJson(sum).error().message, HasSubstr("does not add up"));
  Json cause = good;
  cause["parts"][0]["cause"] = "moon";
  EXPECT_THAT(explanationFromJson(cause).error().message, HasSubstr("\"moon\""));
  Json lacking = good;
  lacking.erase("parts");
  EXPECT_FALSE(explanationFromJson(lacking));
  EXPECT_FALSE(explanationFromJson(Json()));
}

}  // namespace
}  // namespace stagelane::predict
