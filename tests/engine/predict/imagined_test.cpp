// An imagined device takes the time of the device that it is modeled on, divided by its speed.

#include <gtest/gtest.h>

#include "engine/predict/plan_costs.h"
#include "engine/predict/simulator.h"
#include "engine/predict/variant_schedule.h"
#include "tests/engine/plan/documents.h"

namespace stagelane::predict {
namespace {

using plan::testing::good;
using plan::testing::parsed;
using plan::testing::toyWith;

CostTable table() {
  return *costTableFromJson(parsed(R"({"stagelane_costs": 1, "blocks": [
    {"name": "net1", "device": "cpu:0", "points": [{"samples": 3, "F_ns": 900, "I_ns": 400, "W_ns": 500}]},
    {"name": "relu", "device": "cpu:0", "points": [{"samples": 3, "F_ns": 100, "I_ns": 60, "W_ns": 0}]},
    {"name": "net2", "device": "cpu:0", "points": [{"samples": 3, "F_ns": 600, "I_ns": 300, "W_ns": 200}]},
    {"name": "net1", "device": "cpu:1", "points": [{"samples": 3, "F_ns": 800, "I_ns": 400, "W_ns": 500}]},
    {"name": "relu", "device": "cpu:1", "points": [{"samples": 3, "F_ns": 100, "I_ns": 60, "W_ns": 0}]},
    {"name": "net2", "device": "cpu:1", "points": [{"samples": 3, "F_ns": 600, "I_ns": 300, "W_ns": 200}]}],
    "links": [{"from": "cpu:0", "to": "cpu:1", "latency_ns": 50, "bytes_per_s": 1e9},
              {"from": "cpu:1", "to": "cpu:0", "latency_ns": 70, "bytes_per_s": 1e9}],
    "contention": {"2 busy": 1.5}})"),
                            "t");
}

/// The second half of the toy on `device`, a string or an object of the experiment file.
plan::Experiment on(const std::string& device, const std::string& id) {
  Json document = toyWith(R"([{"name": "p", "strategy": "pipeline", "schedule": "1f1b",
      "split_size": 3, "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": ")" +
                          id + R"("}}])");
  document["data"]["batch_size"] = 9;
  document["devices"] = Json::array({"cpu:0", parsed(device)});
  return good(document);
}

TimeNs stepOf(const plan::Experiment& experiment, const CostTable* costs) {
  const plan::Variant& variant = experiment.variants.front();
  const auto lowered = lowerVariant(experiment, variant);
  const auto plan = planCosts(experiment, variant, costs);
  EXPECT_TRUE(lowered && plan);
  const auto played = simulate(*lowered, *plan);
  EXPECT_TRUE(played);
  return played ? played->stepNs : 0;
}

TEST(ImaginedCosts, AreThoseOfWhatItIsLikeAtTheSameSpeed) {
  const CostTable costs = table();
  const plan::Experiment real = on("\"cpu:1\"", "cpu:1");
  const plan::Experiment same = on(R"({"id": "sim:0", "like": "cpu:1"})", "sim:0");
  EXPECT_EQ(stepOf(same, &costs), stepOf(real, &costs));
  EXPECT_EQ(stepOf(same, nullptr), stepOf(real, nullptr));
}

TEST(ImaginedCosts, AreDividedByTheSpeed) {
  const CostTable costs = table();
  const plan::Experiment twice = on(R"({"id": "sim:0", "like": "cpu:1", "speed": 2.0})", "sim:0");
  const auto plan = planCosts(twice, twice.variants.front(), &costs);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->stage[1][0].forward, 300);
  EXPECT_EQ(plan->stage[1][0].backwardInput, 150);
  EXPECT_EQ(plan->stage[0][0].forward, 1000);
  EXPECT_LT(stepOf(twice, &costs), stepOf(on("\"cpu:1\"", "cpu:1"), &costs));
}

TEST(ImaginedCosts, OfALinkThatNothingMeasuredAreFreeBetweenCpuWorkersAlone) {
  const CostTable costs = table();
  const plan::Experiment worker = on(R"({"id": "sim:0", "like": "cpu:0"})", "sim:0");
  const auto free = planCosts(worker, worker.variants.front(), &costs);
  ASSERT_TRUE(free);
  EXPECT_EQ(free->stage[0][0].sendForward, 0);
  const plan::Experiment gpu = on(R"({"id": "sim:0", "like": "cuda:0"})", "sim:0");
  const auto copied = planCosts(gpu, gpu.variants.front(), nullptr);
  ASSERT_TRUE(copied);
  EXPECT_GT(copied->stage[0][0].sendForward, 0);
}

TEST(ImaginedCosts, LackWhatItsLikeLacks) {
  const CostTable costs = table();
  const plan::Experiment gpu = on(R"({"id": "sim:0", "like": "cuda:0"})", "sim:0");
  EXPECT_FALSE(planCosts(gpu, gpu.variants.front(), &costs));
}

}  // namespace
}  // namespace stagelane::predict
