#include "engine/search/resolve.h"

#include <gmock/gmock.h>

#include "engine/predict/variant_schedule.h"
#include "engine/search/variant_order.h"
#include "tests/engine/plan/documents.h"
#include "tests/support/odd_costs.h"

namespace stagelane::search {
namespace {

using plan::testing::good;
using plan::testing::parsed;
using plan::testing::resnetWith;
using plan::testing::toyWith;

std::vector<std::string> devicesOf(const plan::Variant& variant) {
  std::vector<std::string> devices;
  for (const plan::Stage& stage : variant.stages) devices.push_back(stage.group.first().value);
  return devices;
}

TEST(ResolveStages, KeepsTheStagesAndDevicesThatReadingHasCounted) {
  const plan::Experiment read = good(resnetWith(R"([
      {"name": "mp", "strategy": "model_parallel"},
      {"name": "flat", "strategy": "pipeline", "split_size": 2, "placement": "optimal"},
      {"name": "v", "strategy": "pipeline", "split_size": 2, "schedule": "zbv",
       "placement": {"": "cpu:0", "layer1": "cpu:1", "layer2": "cpu:1"}},
      {"name": "fixed", "strategy": "pipeline", "split_size": 2,
       "placement": {"": "cpu:0", "layer3": "cpu:1", "layer4": "cpu:1", "fc": "cpu:1",
                     "avgpool": "cpu:1"}}])"));
  const plan::Experiment resolved = resolveStages(read, nullptr);
  for (std::size_t i = 0; i < read.variants.size(); ++i) {
    const plan::Variant& before = read.variants[i];
    const plan::Variant& after = resolved.variants[i];
    const bool fixed = before.id == "fixed" || before.strategy == plan::Strategy::Single;
    EXPECT_EQ(before.open == nullptr, fixed) << before.id;
    EXPECT_EQ(after.open, nullptr) << after.id;
    EXPECT_EQ(devicesOf(before), devicesOf(after)) << after.id;
    EXPECT_EQ(after.chunks, before.chunks);
    EXPECT_EQ(after.stages.back().lastBlock + 1, read.model->blocks.size());
  }
  EXPECT_EQ(read.variantById("fixed")->stages, resolved.variantById("fixed")->stages);
}

TEST(ResolveStages, SplitTheTurnOfAPlacedVByTheTimesOfItsBlocks) {
  const plan::Experiment experiment =
      resolveStages(good(resnetWith(R"([{"name": "v", "strategy": "pipeline", "split_size": 2,
          "schedule": "zbv",
          "placement": {"": "cpu:0", "layer1": "cpu:1", "layer2": "cpu:1"}}])")),
                    nullptr);
  const plan::Variant& variant = experiment.variants.front();
  EXPECT_THAT(devicesOf(variant), testing::ElementsAre("cpu:0", "cpu:1", "cpu:1", "cpu:0"));
  EXPECT_EQ(experiment.model->blocks[variant.stages[1].firstBlock].name, "layer1.0");
  EXPECT_EQ(experiment.model->blocks[variant.stages[3].firstBlock].name, "layer3.0");
}

TEST(ResolveStages, GiveOnePlacementToAllThatNameIt) {
  const plan::Experiment experiment = resolveStages(
      good(resnetWith(R"([{"name": "mp", "strategy": "model_parallel", "placement": "optimal"},
          {"name": "flat", "strategy": "pipeline", "split_size": 2,
           "placement": "same as: mp"}])")),
      nullptr);
  EXPECT_EQ(experiment.variants[0].stages, experiment.variants[1].stages);
}

plan::Experiment automatic() {
  return good(resnetWith(R"([{"name": "a", "strategy": "pipeline", "split_size": 2,
      "schedule": "auto"}, {"name": "left out", "strategy": "pipeline", "split_size": 2,
      "schedule": "auto", "include": false}])"));
}

TEST(Resolve, FixesTheOrdersOfTheVariantsThatAreIncluded) {
  const auto experiment = resolve(automatic(), nullptr);
  ASSERT_TRUE(experiment) << describe(experiment.error());
  const plan::Variant& found = experiment->variants[0];
  EXPECT_FALSE(plan::hasOpenOrder(found));
  EXPECT_TRUE(plan::hasOpenOrder(experiment->variants[1]));
  EXPECT_EQ(found.schedule, "auto");
  const auto lowered = predict::lowerVariant(*experiment, found);
  ASSERT_TRUE(lowered) << describe(lowered.error());
  EXPECT_EQ(lowered->source.name, "auto");
}

TEST(Resolve, ChangesNothingThatIsResolved) {
  plan::Experiment once = resolve(automatic(), nullptr).value();
  // An order that no search would find.
  once.variants[0].order = "gpipe";
  const plan::Experiment twice = resolve(once, nullptr).value();
  EXPECT_EQ(twice.variants[0].order, "gpipe");
  EXPECT_EQ(twice.variants[0].stages, once.variants[0].stages);
}

TEST(Resolve, FindsTheOrderWithTheCostsOrWithEstimatesOfWhatTheyLack) {
  Json document = toyWith(R"([{"name": "a", "strategy": "pipeline", "schedule": "auto",
      "split_size": 2, "stages": [{"first": "net1", "device": "cpu:0"},
                                  {"first": "net2", "device": "cpu:1"}]}])");
  document["data"]["batch_size"] = 16;
  const plan::Experiment open = good(document);
  const auto orderWith = [&open](const predict::CostTable* table) {
    return resolve(open, table)->variantById("a")->order;
  };
  predict::CostTable table = test::oddCosts();
  EXPECT_NE(orderWith(&table), orderWith(nullptr));
  table.blocks.pop_back();
  EXPECT_EQ(orderWith(&table), orderWith(nullptr));
}

TEST(Resolve, SaysWhyAnIncludedVariantHasNoOrder) {
  Json document = resnetWith(R"([{"name": "a", "strategy": "pipeline", "split_size": 500000,
      "schedule": "auto"}])");
  document["data"]["batch_size"] = 1'000'000;
  document["devices"] = parsed(R"([{"id": "sim:0", "like": "cpu:0", "speed": 2e-6},
      {"id": "sim:1", "like": "cpu:0", "speed": 2e-6}])");
  plan::Experiment tooSlow = good(document);
  const auto resolved = resolve(tooSlow, nullptr);
  ASSERT_FALSE(resolved);
  EXPECT_THAT(describe(resolved.error()), testing::AllOf(testing::HasSubstr("/variants/0/schedule"),
                                                         testing::HasSubstr("116 days")));
  tooSlow.variants[0].include = false;
  EXPECT_TRUE(resolve(tooSlow, nullptr));
}

TEST(LowerVariant, OfAnOpenOrderSaysSo) {
  const plan::Experiment experiment = resolveStages(automatic(), nullptr);
  EXPECT_FALSE(predict::lowerVariant(experiment, experiment.variants[0]));
}

}  // namespace
}  // namespace stagelane::search
