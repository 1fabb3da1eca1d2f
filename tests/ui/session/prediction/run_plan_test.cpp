#include "ui/session/prediction/run_plan.h"

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/plan/fixed_plan.h"
#include "engine/record/run_record.h"
#include "tests/support/odd_costs.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::ui {
namespace {

Json toy() {
  auto read = readJsonFile(checkout::root() + "/resources/presets/toy.json");
  EXPECT_TRUE(read);
  (*read)["devices"] = {"cpu:0", "cpu:1"};
  return *read;
}

RunPlan planOf(const Json& document) {
  auto experiment = plan::readExperiment(document, ".", {});
  EXPECT_TRUE(experiment);
  return experiment ? RunPlan{std::move(*experiment), {}} : RunPlan{};
}

TEST(PredictedRepeats, AreThoseOfEveryPipelineAndOfNothingElse) {
  const auto seconds = predictedRepeats(planOf(toy()));
  ASSERT_EQ(seconds.size(), 3U) << "tutorial, gpipe, 1f1b";
  for (const auto& [id, value] : seconds) {
    EXPECT_EQ(id.rfind("pipeline", 0), 0U) << id;
    EXPECT_GT(value, 0.0) << id;
  }
}

TEST(PredictedRepeats, CountAllBatchesOfARepeat) {
  Json more = toy();
  more["data"]["batches"] = 7;
  const auto one = predictedRepeats(planOf(toy()));
  for (const auto& [id, value] : predictedRepeats(planOf(more))) {
    EXPECT_DOUBLE_EQ(value, 7.0 * one.at(id)) << id;
  }
}

TEST(PredictedRepeats, EndWhereNobodyWaitsForThem) {
  EXPECT_TRUE(predictedRepeats(planOf(toy()), [] { return false; }).empty());
}

/// A run folder of two variants: the stages of one and the order of the other are open.
class RunPlanTest : public testing::Test {
 protected:
  RunPlanTest() {
    Json document = toy();
    document["variants"] = Json::parse(R"([
        {"name": "placed", "strategy": "pipeline", "schedule": "gpipe", "split_size": 4,
         "placement": "optimal"},
        {"name": "ordered", "strategy": "pipeline", "schedule": "auto", "split_size": 4,
         "stages": [{"first": "net1", "device": "cpu:0"}, {"first": "net2", "device": "cpu:1"}]}])");
    write(m_files.experiment(), document);
  }
  static void write(const std::filesystem::path& path, const Json& json) {
    ASSERT_TRUE(writeFileAtomically(path, json.dump()));
  }

  test::TemporaryFolder m_folder;
  record::RunFolder m_files{m_folder.path()};
};

TEST_F(RunPlanTest, HasTheStagesAndTheOrderThatWereRun) {
  auto run = readRunPlan(m_files.root);
  ASSERT_TRUE(run) << describe(run.error());
  plan::Experiment kept = run->experiment;
  const std::vector<plan::Stage> stages{{0, 1, DeviceId{"cpu:1"}}, {2, 2, DeviceId{"cpu:0"}}};
  ASSERT_NE(kept.variants[0].stages, stages);
  kept.variants[0].stages = stages;
  kept.variants[1].order = "gpipe";
  write(m_files.plan(), plan::fixedPlan(kept));
  run = readRunPlan(m_files.root);
  ASSERT_TRUE(run) << describe(run.error());
  EXPECT_EQ(run->experiment.variantById("placed")->stages, stages);
  EXPECT_EQ(run->experiment.variantById("ordered")->order, "gpipe");
}

TEST_F(RunPlanTest, RefusesAnOrderThatIsNoScheduleOfItsStagesAndNamesThePlan) {
  auto run = readRunPlan(m_files.root);
  ASSERT_TRUE(run) << describe(run.error());
  for (const char* order : {"garbage", "0F0,0B0\n1F0,1B0\n"}) {
    plan::Experiment kept = run->experiment;
    kept.variants[1].order = order;
    write(m_files.plan(), plan::fixedPlan(kept));
    const auto damaged = readRunPlan(m_files.root);
    ASSERT_FALSE(damaged) << order;
    EXPECT_EQ(damaged.error().context, m_files.plan().string() + ":/variants/ordered/order");
    EXPECT_EQ(damaged.error().hint.rfind("Remove the file", 0), 0U) << damaged.error().hint;
  }
  ASSERT_TRUE(writeFileAtomically(m_files.plan(), "{"));
  const auto torn = readRunPlan(m_files.root);
  ASSERT_FALSE(torn);
  EXPECT_EQ(torn.error().hint.rfind("Remove the file", 0), 0U) << torn.error().hint;
}

TEST_F(RunPlanTest, OfAnEarlierVersionIsSearchedFor) {
  const auto run = readRunPlan(m_files.root);
  ASSERT_TRUE(run) << describe(run.error());
  EXPECT_EQ(run->experiment.variantById("placed")->open, nullptr);
  EXPECT_EQ(run->table(), nullptr);
  EXPECT_EQ(predictedRepeats(*run).size(), 2U) << "also of the variant whose order is open";
}

TEST_F(RunPlanTest, OmitsVariantsThatAreNotNeeded) {
  const auto run = readRunPlan(
      m_files.root, {}, [](const plan::Variant& variant) { return variant.id == "ordered"; });
  ASSERT_TRUE(run) << describe(run.error());
  ASSERT_EQ(run->experiment.variants.size(), 1U);
  EXPECT_EQ(run->experiment.variants[0].id, "ordered");
  EXPECT_EQ(predictedRepeats(*run).size(), 1U);
}

TEST_F(RunPlanTest, HasTheCostsOfTheRun) {
  write(m_files.costs(), predict::toJson(test::oddCosts()));
  const auto run = readRunPlan(m_files.root);
  ASSERT_TRUE(run) << describe(run.error());
  ASSERT_NE(run->table(), nullptr);
  EXPECT_EQ(run->table()->blocks.size(), test::oddCosts().blocks.size());
}

TEST_F(RunPlanTest, IsAnErrorIfAFileCannotBeRead) {
  write(m_files.plan(), Json::object());
  EXPECT_FALSE(readRunPlan(m_files.root));
  std::filesystem::remove(m_files.experiment());
  EXPECT_FALSE(readRunPlan(m_files.root));
}

}  // namespace
}  // namespace stagelane::ui
