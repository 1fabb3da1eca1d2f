// Groups of devices: the strategy data_parallel, and pipelines with replicas.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/fixed_plan.h"
#include "engine/plan/rows.h"
#include "engine/plan/stage_layout.h"
#include "tests/engine/plan/documents.h"

namespace stagelane::plan {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The toy on this number of CPU workers.
Json on(int devices, const std::string& variants) {
  Json document = toyWith(variants);
  document["devices"] = Json::array();
  for (int i = 0; i < devices; ++i) document["devices"].push_back("cpu:" + std::to_string(i));
  return document;
}

Json withData(Json document, const std::string& key, const Json& value) {
  document["data"][key] = value;
  return document;
}

/// "cpu:0+cpu:2" of each stage.
std::vector<std::string> groupsOf(const Variant& variant) {
  std::vector<std::string> groups;
  for (const Stage& stage : variant.stages) groups.push_back(stage.group.text());
  return groups;
}

std::string pipeline(const std::string& members) {
  return R"([{"name": "p", "strategy": "pipeline", "split_size": 5, )" + members + "}]";
}

const std::string kDataParallel = R"([{"strategy": "data_parallel"}])";
const std::string kPlacement =
    R"("placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"})";

TEST(DataParallel, PutsTheWholeModelOnEveryDevice) {
  const Experiment experiment = good(on(3, kDataParallel));
  const Variant& variant = experiment.variants.front();
  EXPECT_EQ(variant.strategy, Strategy::DataParallel);
  EXPECT_EQ(variant.schedule, "single");
  EXPECT_THAT(groupsOf(variant), ElementsAre("cpu:0+cpu:1+cpu:2"));
  EXPECT_EQ(variant.stages.front().lastBlock, 2U);
  EXPECT_EQ(variant.chunks, 1);
  EXPECT_EQ(variant.splitSize, 7) << "20 samples are cut into 7, 7 and 6";
  EXPECT_THAT(experiment.warnings, IsEmpty());
}

TEST(DataParallel, AccumulatesOverSmallerMicroBatches) {
  const Variant variant =
      good(on(2, R"([{"strategy": "data_parallel", "split_size": 5}])")).variants.front();
  EXPECT_EQ(variant.splitSize, 5);
  EXPECT_THAT(groupsOf(variant), ElementsAre("cpu:0+cpu:1"));
}

TEST(DataParallel, CutsABatchOfFiveForFourDevicesAsTorchChunkDoes) {
  const Experiment experiment = good(withData(on(4, kDataParallel), "batch_size", 5));
  const Variant& variant = experiment.variants.front();
  EXPECT_THAT(microBatchSizes(5, variant.splitSize), ElementsAre(2, 2, 1));
  EXPECT_THAT(groupsOf(variant), ElementsAre("cpu:0+cpu:1+cpu:2"));
  EXPECT_THAT(experiment.warnings,
              ElementsAre(AllOf(HasSubstr("/variants/0"), HasSubstr("3 of 4 devices"))));
}

TEST(DataParallel, RefusesASplitThatLeavesAReplicaWithoutSamples) {
  expectError(on(2, R"([{"strategy": "data_parallel", "split_size": 11}])"),
              "/variants/0/split_size", "Use 1 to 10");
  expectError(on(2, R"([{"strategy": "data_parallel", "split_size": [10, 20]}])"),
              "/variants/0/split_size/1", "leaves a replica without samples");
}

TEST(DataParallel, HasNeitherDeviceNorPlacementNorStagesNorReplicas) {
  const auto with = [](const std::string& member) {
    return on(2, R"([{"strategy": "data_parallel", )" + member + "}]");
  };
  expectError(with(R"("device": "cpu:0")"), "/variants/0/device", "Remove \"device\"");
  expectError(with(kPlacement), "/variants/0/placement", "on every device");
  expectError(with(R"("stages": [{"first": "net1", "device": "cpu:0"}])"), "/variants/0/stages",
              "on every device");
  expectError(with(R"("replicas": 2)"), "/variants/0/replicas", "pipeline");
  expectError(with(R"("chunks": 2)"), "/variants/0/chunks", "pipeline");
  expectError(with(R"("schedule": "1f1b")"), "/variants/0/schedule", "has no schedule");
}

TEST(Replicas, AreOfPipelinesOnly) {
  for (const char* strategy : {"single", "model_parallel"}) {
    expectError(on(4, R"([{"replicas": 2, "strategy": ")" + std::string(strategy) + "\"}]"),
                "/variants/0/replicas", "only the strategy pipeline");
  }
  for (const char* value : {"0", "-1", "1.5", "\"2\"", "5000"}) {
    expectError(on(4, pipeline(R"("replicas": )" + std::string(value))), "/variants/0/replicas",
                "integer");
  }
}

TEST(Replicas, OfACutByTheProductShareTheDevicesInOrder) {
  const Experiment experiment = good(on(5, pipeline(R"("replicas": 2)")));
  const Variant& variant = experiment.variants.front();
  EXPECT_THAT(groupsOf(variant), ElementsAre("cpu:0+cpu:2", "cpu:1+cpu:3"));
  EXPECT_NE(variant.open, nullptr);
  EXPECT_EQ(variant.chunks, 1);
  EXPECT_EQ(stageRowsOf(variant.stages), schedule::StageRows::ofReplicas({{0, 1}, {2, 3}}));
  EXPECT_THAT(groupsOf(good(on(2, pipeline(R"("replicas": 2)"))).variants.front()),
              ElementsAre("cpu:0+cpu:1"))
      << "each replica has one device";
}

TEST(Replicas, OfChunksFollowTheLayoutOfTheSchedule) {
  Json document = resnetWith(R"([{"name": "p", "strategy": "pipeline", "split_size": 2,
      "schedule": "zbv", "replicas": 2}])");
  document["devices"] = {"cpu:0", "cpu:1", "cpu:2", "cpu:3"};
  const Variant variant = good(document).variants.front();
  EXPECT_THAT(groupsOf(variant),
              ElementsAre("cpu:0+cpu:2", "cpu:1+cpu:3", "cpu:1+cpu:3", "cpu:0+cpu:2"));
  EXPECT_EQ(variant.chunks, 2);
}

TEST(Replicas, OfAPlacementUseTheDevicesThatItDoesNotName) {
  const auto placed = [](const std::string& first, const std::string& second) {
    return groupsOf(
        good(on(4, pipeline(R"("replicas": 2, "placement": {"net1": ")" + first +
                            R"(", "relu": ")" + first + R"(", "net2": ")" + second + "\"}")))
            .variants.front());
  };
  EXPECT_THAT(placed("cpu:0", "cpu:1"), ElementsAre("cpu:0+cpu:2", "cpu:1+cpu:3"));
  EXPECT_THAT(placed("cpu:3", "cpu:1"), ElementsAre("cpu:3+cpu:0", "cpu:1+cpu:2"));
}

TEST(Replicas, OfListedStagesAreInTheListOrAdded) {
  const auto stages = [](const std::string& first, const std::string& second,
                         const std::string& more) {
    return on(4, pipeline(R"("stages": [{"first": "net1", "device": )" + first +
                          R"(}, {"first": "net2", "device": )" + second + "}]" + more));
  };
  EXPECT_THAT(
      groupsOf(good(stages(R"(["cpu:2", "cpu:0"])", R"(["cpu:1", "cpu:3"])", "")).variants.front()),
      ElementsAre("cpu:2+cpu:0", "cpu:1+cpu:3"));
  EXPECT_THAT(
      groupsOf(good(stages(R"("cpu:1")", R"("cpu:0")", R"(, "replicas": 2)")).variants.front()),
      ElementsAre("cpu:1+cpu:2", "cpu:0+cpu:3"));
  expectError(stages(R"(["cpu:0", "cpu:1"])", R"(["cpu:2", "cpu:3"])", R"(, "replicas": 2)"),
              "/variants/0/replicas", "already");
  expectError(stages(R"(["cpu:0", "cpu:0"])", R"("cpu:1")", ""), "/variants/0/stages/0/device/1",
              "two replicas of a stage are on cpu:0");
  expectError(stages(R"(["cpu:0", "cpu:9"])", R"("cpu:1")", ""), "/variants/0/stages/0/device",
              "cpu:9");
  expectError(stages("[]", R"("cpu:1")", ""), "/variants/0/stages/0/device", "empty");
}

TEST(Replicas, NeedDevicesOfTheirOwn) {
  expectError(on(3, pipeline(R"("replicas": 2, )" + kPlacement)), "/variants/0/replicas",
              "2 replicas of 2 devices need 4 devices; 3 are listed");
  expectError(on(3, pipeline(R"("replicas": 4)")), "/variants/0/replicas", "4 replicas");
}

TEST(Replicas, AreThoseOfEachVariantThatRefersToAPlacement) {
  const Experiment experiment =
      good(on(4, R"([{"name": "one", "strategy": "pipeline", "split_size": 5, )" + kPlacement +
                     R"(}, {"name": "two", "strategy": "pipeline", "split_size": 5, "replicas": 2,
                        "placement": "same as: one"}])"));
  EXPECT_THAT(groupsOf(*experiment.variantById("one")), ElementsAre("cpu:0", "cpu:1"));
  EXPECT_THAT(groupsOf(*experiment.variantById("two")), ElementsAre("cpu:0+cpu:2", "cpu:1+cpu:3"));
}

TEST(Replicas, DoNotDeferBatchNorm) {
  Json document = on(2, kDataParallel);
  document["batch_norm"] = "deferred";
  expectError(document, "/batch_norm", "has replicas");
  document["variants"] = parsed(R"([{"strategy": "single"}])");
  EXPECT_TRUE(read(document));
}

TEST(Replicas, HaveTheSettingsOfTheirAllReduce) {
  const Variant variant =
      good(on(2, R"([{"strategy": "data_parallel", "bucket_mb": 5, "first_bucket_mb": 0.5,
                      "gradient_as_bucket_view": true, "find_unused": true}])"))
          .variants.front();
  EXPECT_EQ(variant.reduce.bucketMb, 5.0);
  EXPECT_EQ(variant.reduce.firstBucketMb, 0.5);
  EXPECT_TRUE(variant.reduce.gradientAsBucketView);
  EXPECT_TRUE(variant.reduce.findUnused);
  const ReduceSpec unset = good(on(2, kDataParallel)).variants.front().reduce;
  EXPECT_EQ(unset.bucketMb, 25.0);
  EXPECT_EQ(unset.firstBucketMb, 1.0);
  EXPECT_TRUE(read(on(4, pipeline(R"("replicas": 2, "bucket_mb": 5)"))));
  expectError(on(4, pipeline(R"("bucket_mb": 5)")), "/variants/0/bucket_mb", "data_parallel");
  expectError(on(2, R"([{"strategy": "single", "find_unused": true}])"), "/variants/0/find_unused",
              "data_parallel");
  for (const char* key : {"processes", "threads", "updates"}) {
    const std::string value = std::string(key) == "threads" ? "true" : "3";
    expectError(
        on(2, R"([{"strategy": "data_parallel", ")" + std::string(key) + "\": " + value + "}]"),
        "/variants/0/" + std::string(key), "hogwild");
  }
}

TEST(ReplicaGroups, AreTheNextDevicesInTurn) {
  std::vector<DeviceSpec> all;
  for (const char* id : {"a", "b", "c", "d", "e", "f"}) all.push_back({DeviceId{id}, {}, {}});
  const auto texts = [&](std::vector<DeviceId> first, int replicas) {
    std::vector<std::string> answer;
    for (const DeviceGroup& group : replicaGroups(all, first, replicas)) {
      answer.push_back(group.text());
    }
    return answer;
  };
  EXPECT_THAT(texts({{"a"}, {"b"}}, 3), ElementsAre("a+c+e", "b+d+f"));
  EXPECT_THAT(texts({{"d"}, {"b"}}, 2), ElementsAre("d+a", "b+c"));
  EXPECT_THAT(texts({{"a"}, {"b"}}, 1), ElementsAre("a", "b"));
  EXPECT_THAT(texts({{"a"}, {"b"}}, 4), IsEmpty());
}

TEST(FixedPlan, KeepsTheDevicesOfTheReplicas) {
  const Json document = on(4, pipeline(R"("replicas": 2, "placement": "optimal")"));
  Experiment found = good(document);
  found.variants.front().open.reset();
  setStages(*found.model, {{0, 0, DeviceId{"cpu:0"}}, {1, 2, DeviceId{"cpu:1"}}},
            found.variants.front());
  const Json plan = fixedPlan(found);
  EXPECT_EQ(plan["variants"]["p"]["stages"][1]["device"], (Json{"cpu:1", "cpu:3"}));
  Experiment experiment = good(document);
  ASSERT_TRUE(applyFixedPlan(plan, "plan.json", experiment));
  EXPECT_EQ(experiment.variants.front().open, nullptr);
  EXPECT_EQ(experiment.variants.front().stages, found.variants.front().stages);
  EXPECT_THAT(groupsOf(experiment.variants.front()), ElementsAre("cpu:0+cpu:2", "cpu:1+cpu:3"));
}

}  // namespace
}  // namespace stagelane::plan
