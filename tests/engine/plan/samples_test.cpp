// `data.samples`: the last batch may be smaller.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/rows.h"
#include "tests/engine/plan/documents.h"

namespace stagelane::plan {
namespace {

using namespace testing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

Json withSamples(const Json& samples, const std::string& variants,
                 const Json& batchSize = Json(20)) {
  Json document = toyWith(variants);
  document["data"]["batch_size"] = batchSize;
  document["data"]["samples"] = samples;
  return document;
}

const std::string kSingle = R"([{"strategy": "single"}])";

TEST(Samples, GiveTheNumberOfBatches) {
  const DataSpec data = good(withSamples(50, kSingle)).data;
  EXPECT_EQ(data.batches, 3);
  EXPECT_EQ(data.samples, 50);
  EXPECT_EQ(good(withSamples(40, kSingle)).data.batches, 2);
  EXPECT_EQ(good(withSamples(20, kSingle)).data.batches, 1);
  Json document = withSamples(50, kSingle);
  document["data"]["batches"] = 3;
  EXPECT_EQ(good(document).data.samples, 50) << "the same said twice";
  document["data"].erase("samples");
  EXPECT_EQ(good(document).data.samples, 60);
}

TEST(Samples, MustAgreeWithTheBatches) {
  Json document = withSamples(50, kSingle);
  for (const int batches : {1, 2, 4}) {
    document["data"]["batches"] = batches;
    expectError(document, "/data/samples", "50 samples are 3 batches of 20");
  }
  expectError(withSamples(19, kSingle), "/data/samples", "at least batch_size");
  for (const Json& value : {Json(0), Json(-5), Json(2.5), Json("50"), Json()}) {
    expectError(withSamples(value, kSingle), "/data/samples", "integer");
  }
  expectError(withSamples(1'000'000'000'000, kSingle), "/data/samples", "1000000 batches");
}

TEST(LastBatch, HasAsManyMicroBatchesAsTheOthers) {
  const auto pipeline = [](int split) {
    return R"([{"name": "p", "strategy": "pipeline", "split_size": )" + std::to_string(split) +
           "}]";
  };
  EXPECT_TRUE(read(withSamples(39, pipeline(5)))) << "5, 5, 5 and 4";
  EXPECT_TRUE(read(withSamples(36, pipeline(5)))) << "5, 5, 5 and 1";
  expectError(withSamples(35, pipeline(5)), "/data/samples",
              "the last batch (samples: 15) has 3 micro-batches in the variant \"p\", the others "
              "have 4");
  EXPECT_TRUE(read(withSamples(25, kSingle))) << "one part";
  EXPECT_TRUE(read(withSamples(40, pipeline(5)))) << "the last batch is a whole one";
}

TEST(LastBatch, IsCutForEveryReplica) {
  const std::string replicas = R"([{"strategy": "data_parallel"}])";
  const Experiment experiment = good(withSamples(100, replicas, 30));
  EXPECT_EQ(experiment.data.batches, 4);
  const Variant& variant = experiment.variants.front();
  EXPECT_THAT(microBatchSizes(30, splitOf(variant, 30)), ElementsAre(15, 15));
  EXPECT_THAT(microBatchSizes(10, splitOf(variant, 10)), ElementsAre(5, 5));
  EXPECT_THAT(microBatchSizes(9, splitOf(variant, 9)), ElementsAre(5, 4));
  expectError(withSamples(31, replicas, 30), "/data/samples",
              "the last batch (samples: 1) has 1 micro-batch in");
}

TEST(LastBatch, IsNormalizedOverMoreThanOneValue) {
  Json document = resnetWith(R"([{"strategy": "single"}])");
  document["input"]["shape"] = {3, 32, 32};
  document["data"]["samples"] = 10;
  EXPECT_TRUE(read(document));
  document["data"]["samples"] = 9;
  expectError(document, "/data/samples", "batch norm");
  document["task"] = "infer";
  EXPECT_TRUE(read(document));
}

TEST(LastBatch, LeavesOutBaselinesThatCannotCutIt) {
  Json document = withSamples(50, R"([{"strategy": "data_parallel"}])");
  document["baseline_sweep"] = true;
  EXPECT_THAT(idsOf(good(document), true), Not(Contains("baseline-mb10")));
  EXPECT_THAT(idsOf(good(document), true), Contains("baseline-mb20"));
  document["data"]["samples"] = 40;
  EXPECT_THAT(idsOf(good(document), true), Contains("baseline-mb10"));
}

}  // namespace
}  // namespace stagelane::plan
