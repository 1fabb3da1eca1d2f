#include "engine/run/measure/variant_run.h"
#include "engine/search/variant_order.h"

#include "engine/predict/simulator.h"
#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

using namespace test;

/// Costs that no estimate would give: the last block takes long, most of it in the half of its
/// backward that nobody waits for.
predict::CostTable oddCosts() {
  predict::CostTable table;
  table.basis = predict::Basis::Calibrated;
  for (const char* name : {"net1", "relu", "net2"}) {
    predict::BlockCosts block;
    block.name = name;
    const bool last = block.name == "net2";
    predict::CostPoint point;
    point.samples = 2;
    point.forward = last ? 2'000'000 : 1'000'000;
    point.backwardInput = last ? 1'000'000 : 3'000'000;
    point.backwardWeight = last ? 9'000'000 : 1'000'000;
    point.backward = point.backwardInput + point.backwardWeight;
    block.points = {point};
    table.blocks.push_back(std::move(block));
  }
  return table;
}

plan::Experiment automatic() {
  return experimentOf(toy("16", R"("variants":[{"name":"auto","strategy":"pipeline",
      "schedule":"auto","split_size":2,"stages":[{"first":"net1","device":"cpu:0"},
      {"first":"net2","device":"cpu:1"}]}])"));
}

std::vector<std::vector<schedule::Action>> orderOf(const schedule::LoweredSchedule& lowered) {
  return lowered.source.actions;
}

TEST(PrepareVariants, RunTheOrderThatIsPredictedFromTheSameCosts) {
  const plan::Experiment experiment = automatic();
  const plan::Variant& variant = experiment.variants.front();
  const predict::CostTable table = oddCosts();
  const auto predicted = valueOf(search::lowerVariant(experiment, variant, &table));
  const auto estimated = valueOf(search::lowerVariant(experiment, variant, nullptr));
  ASSERT_NE(orderOf(predicted), orderOf(estimated)) << "else nothing is shown here";
  WorkerPool pool(experiment);
  EXPECT_EQ(orderOf(valueOf(prepareVariants(experiment, pool, &table)).front().lowered),
            orderOf(predicted));
  EXPECT_EQ(orderOf(valueOf(prepareVariants(experiment, pool)).front().lowered),
            orderOf(estimated));
}

TEST(PrepareVariants, EstimateWhatTheTableLacks) {
  const plan::Experiment experiment = automatic();
  predict::CostTable table = oddCosts();
  table.blocks.pop_back();
  WorkerPool pool(experiment);
  const auto estimated =
      valueOf(search::lowerVariant(experiment, experiment.variants.front(), nullptr));
  EXPECT_EQ(orderOf(valueOf(prepareVariants(experiment, pool, &table)).front().lowered),
            orderOf(estimated));
}

}  // namespace
}  // namespace stagelane::run
