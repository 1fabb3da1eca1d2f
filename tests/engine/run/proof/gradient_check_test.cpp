#include "engine/run/proof/gradient_check.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/engine/run/cuts.h"
#include "tests/engine/run/run_fixture.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::run {
namespace {

using namespace test;

std::string everySchedule(const std::string& split, const std::string& stages) {
  const std::string at = R"(,"split_size":)" + split + "," + stages + "}";
  return R"("variants":[{"name":"one","strategy":"single","device":"cpu:1","split_size":)" + split +
         R"(},{"name":"mp","strategy":"model_parallel",)" + stages +
         R"(},{"name":"tutorial","strategy":"pipeline","schedule":"tutorial")" + at +
         R"(,{"name":"gpipe","strategy":"pipeline","schedule":"gpipe")" + at +
         R"(,{"name":"1f1b","strategy":"pipeline","schedule":"1f1b")" + at + "]";
}

const std::vector<std::string> kFive{"one", "mp", "tutorial", "gpipe", "1f1b"};
const std::string kResnetStages =
    R"("stages":[{"first":"conv1","device":"cpu:0"},{"first":"layer3.0","device":"cpu:1"}])";

TEST(GradientCheck, IsBitEqualAtEveryCutOfResnet18) {
  EXPECT_EQ(expectBitEqualAtEveryCut("resnet18"), 13);
}

TEST(GradientCheck, IsBitEqualForEveryScheduleAtAnUnevenTail) {
  Bench bench(resnet18("10", everySchedule("3", kResnetStages)));
  for (const std::string& id : kFive) expectBitEqual(bench, id);
}

TEST(GradientCheck, IsBitEqualForTheToyAtBatch120AndSplit20) {
  Bench bench(toy("120", everySchedule("20", kToyStages)));
  for (const std::string& id : kFive) expectBitEqual(bench, id);
}

TEST(GradientCheck, IsBitEqualInFloat64AndChannelsLast) {
  Bench bench(R"({"stagelane":1,"name":"r","model":{"zoo":"resnet18","num_classes":10},
    "input":{"shape":[3,64,64],"dtype":"float64"},"data":{"batch_size":4,"labels":"class"},
    "loss":"cross_entropy","memory_format":"channels_last","devices":["cpu:0","cpu:1"],)" +
              everySchedule("2", kResnetStages) + "}");
  for (const std::string& id : kFive) expectBitEqual(bench, id);
}

TEST(GradientCheck, IsBitEqualForAScheduleFromAFileWithTwoStagesInARowOnADevice) {
  const stagelane::test::TemporaryFolder folder;
  const std::filesystem::path csv = folder / "v.csv";
  std::ofstream(csv) << "0F0,0F1,0B1,0B0\n1F0,2F0,1F1,2F1,2B1,1B1,2B0,1B0\n";
  Bench bench(resnet18("4", R"("variants":[{"name":"v","strategy":"pipeline","schedule":{"csv":")" +
                                csv.string() + R"("},"split_size":2,"stages":[
    {"first":"conv1","device":"cpu:0"},{"first":"layer2.0","device":"cpu:1"},
    {"first":"layer3.0","device":"cpu:1"}]}])"));
  expectBitEqual(bench, "v");
}

TEST(GradientCheck, IsBitEqualWhereTheFirstStageHasNoParameters) {
  Bench bench(R"({"stagelane":1,"name":"r","model":{"layers":[
      {"kind":"ReLU"},{"kind":"Linear","in_features":6,"out_features":4}]},
    "input":{"shape":[6]},"data":{"batch_size":4,"labels":"normal"},"devices":["cpu:0","cpu:1"],
    "variants":[{"name":"p","strategy":"pipeline","schedule":"1f1b","split_size":2,
      "stages":[{"first":"0","device":"cpu:0"},{"first":"1","device":"cpu:1"}]}]})");
  expectBitEqual(bench, "p");
}

TEST(GradientCheck, FailsWhenTheLossIsScaledWrongly) {
  Bench bench(toy("20", everySchedule("6", kToyStages)));
  ExecutorOptions wrong;
  wrong.lossFactor = 6.0 / 5.0;
  for (const std::string& id : kFive) {
    const GradientVerdict verdict = bench.check(id, wrong);
    EXPECT_FALSE(verdict.passed) << id;
    EXPECT_FALSE(verdict.result.bitEqual) << id;
    EXPECT_NEAR(verdict.result.maxRelError, 0.2, 0.01) << id;
    EXPECT_FALSE(verdict.worst.empty()) << id;
  }
}

TEST(GradientCheck, ComparesWithTheUndividedBatchWhereNoBatchStatisticsAre) {
  Bench bench(toy("20", everySchedule("6", kToyStages)));
  const GradientVerdict verdict = bench.check("1f1b");
  ASSERT_TRUE(verdict.result.fullBatchError.has_value());
  EXPECT_LE(*verdict.result.fullBatchError, 1e-12);

  Bench withBatchNorm(resnet18("4", everySchedule("2", kResnetStages)));
  EXPECT_FALSE(withBatchNorm.check("1f1b").result.fullBatchError.has_value());
}

TEST(GradientCheck, SharesTheReferenceBetweenVariantsThatDifferInCutsOnly) {
  Bench bench(toy("20", everySchedule("6", kToyStages)));
  const auto key = [&](const std::string& id) {
    GradientCheck check;
    check.plan = bench.variant(id).stepPlan(bench.experiment);
    return GradientChecker::referenceKey(check);
  };
  EXPECT_EQ(key("one"), key("1f1b"));
  EXPECT_NE(key("mp"), key("1f1b"));
  EXPECT_NE(key("tutorial"), key("1f1b"));
}

TEST(Compare, NamesTheWorstTensor) {
  TrainingSnapshot a;
  TrainingSnapshot b;
  a.gradients = {{"x", at::ones({3})}, {"y", at::full({2}, 2.2F)}};
  b.gradients = {{"x", at::ones({3})}, {"y", at::full({2}, 2.0F)}};
  const Comparison result = compare(a, b);
  EXPECT_FALSE(result.bitEqual);
  EXPECT_EQ(result.worst, "gradient of y");
  EXPECT_NEAR(result.maxRelError, 0.1, 1e-6);
}

TEST(Compare, EqualSnapshotsAreEqualAndEmptyOnesToo) {
  TrainingSnapshot a;
  a.losses = {at::ones({})};
  a.buffers = {{"m", at::ones({2})}};
  EXPECT_TRUE(compare(a, a).bitEqual);
  EXPECT_TRUE(compare({}, {}).bitEqual);
}

TEST(Compare, AMissingTensorAndANanAreDifferences) {
  TrainingSnapshot a;
  TrainingSnapshot b;
  a.buffers = {{"m", at::ones({2})}};
  EXPECT_FALSE(compare(a, b).bitEqual);
  EXPECT_FALSE(compare(b, a).bitEqual);
  a.buffers = {};
  a.losses = {at::full({}, std::nan(""))};
  b.losses = {at::ones({})};
  const Comparison result = compare(a, b);
  EXPECT_FALSE(result.bitEqual);
  EXPECT_EQ(result.worst, "loss of micro-batch 0");
}

}  // namespace
}  // namespace stagelane::run
