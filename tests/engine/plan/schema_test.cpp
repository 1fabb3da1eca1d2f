#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "engine/plan/device.h"
#include "engine/plan/experiment_keys.h"
#include "engine/plan/experiment_schema.h"
#include "engine/plan/strategies.h"
#include "engine/schedule/methods.h"
#include "tests/engine/plan/documents.h"
#include "tests/support/paths.h"

namespace stagelane::plan {
namespace {

Json schema() {
  const auto document = readJsonFile(checkout::root() + "/resources/experiment.schema.json");
  EXPECT_TRUE(document) << describe(document.error());
  return document ? *document : Json{};
}

const Json& objectOf(const Json& root, KeysOf object) {
  switch (object) {
    case KeysOf::Experiment: return root;
    case KeysOf::Input: return root["$defs"]["input"];
    case KeysOf::Data: return root["$defs"]["data"];
    case KeysOf::Optimizer: return root["$defs"]["optimizer"];
    case KeysOf::Device: return root["$defs"]["device"];
    case KeysOf::Variant: break;
  }
  return root["$defs"]["variant"];
}

std::set<std::string> keysOf(const Json& object) {
  std::set<std::string> keys;
  for (const auto& member : object.items()) keys.insert(member.key());
  return keys;
}

TEST(Schema, ListsExactlyTheKeysThatTheReaderKnows) {
  const Json root = schema();
  for (const KeysOf object : {KeysOf::Experiment, KeysOf::Input, KeysOf::Data, KeysOf::Optimizer,
                              KeysOf::Device, KeysOf::Variant}) {
    const Json& part = objectOf(root, object);
    const auto& known = knownKeys(object);
    EXPECT_EQ(keysOf(part["properties"]), std::set<std::string>(known.begin(), known.end()));
    EXPECT_EQ(part["additionalProperties"], false);
  }
}

TEST(Schema, ListsTheNamesOfTheTablesOnceItIsBuilt) {
  const auto built = withNames(schema());
  ASSERT_TRUE(built);
  EXPECT_EQ((*built)["$defs"]["schedule"]["anyOf"][0],
            Json({{"enum", schedule::allScheduleNames()}}));
  const Json& strategy = (*built)["$defs"]["variant"]["properties"]["strategy"];
  EXPECT_EQ(strategy["enum"].size(), strategies().size());
  EXPECT_EQ(strategy["description"],
            inWords(strategyNames(&StrategyRow::available, false), " and ") +
                " are not available in this version.");
  EXPECT_FALSE(withNames(Json::object()));
}

TEST(Schema, AllowsTheDeviceNamesThatTheReaderAllows) {
  const std::regex pattern(schema()["$defs"]["deviceId"]["pattern"].get<std::string>());
  for (const char* name : {"cpu:0",
                           "cpu:7",
                           "cpu:99",
                           "cpu:999",
                           "cpu:1000",
                           "cpu:3999",
                           "cpu:4089",
                           "cpu:4095",
                           "cpu:4096",
                           "cpu:4100",
                           "cpu:5000",
                           "cpu:9999",
                           "cpu:10000",
                           "cpu:01",
                           "cpu:",
                           "cpu",
                           "sim:4095",
                           "sim:4096",
                           "cuda:4095",
                           "cuda:4096",
                           "cuda:0/1of2",
                           "cuda:0/0of2",
                           "cuda:0/4095of4095",
                           "cuda:0/1of4096",
                           "cuda:0/1of02",
                           "cpu:0/1of2",
                           "cpu:0@0",
                           "cpu:0@4095",
                           "cpu:0@4096",
                           "cpu:0@01",
                           "cpu:0@",
                           "cuda:0/1of2@3",
                           "gpu:0"}) {
    EXPECT_EQ(std::regex_match(name, pattern), parseDevice({name}).has_value()) << name;
  }
}

TEST(Schema, HasTheDefaultsOfTheReader) {
  const Json root = schema();
  const Json& properties = root["properties"];
  const Experiment experiment = testing::good(testing::toyDocument());
  EXPECT_EQ(properties["repeat"]["default"], experiment.repeat);
  EXPECT_EQ(properties["warmup"]["default"], experiment.warmup);
  EXPECT_EQ(properties["threads_per_cpu_worker"]["default"], experiment.threadsPerCpuWorker);
  EXPECT_EQ(properties["verify_gradients"]["default"], experiment.verifyGradients);
  EXPECT_EQ(properties["baseline_sweep"]["default"], experiment.baselineSweep);
  EXPECT_EQ(root["$defs"]["optimizer"]["properties"]["lr"]["default"],
            experiment.optimizer.learningRate);
  const Json& keys = root["$defs"]["variant"]["properties"];
  const Variant& variant = experiment.variants.front();
  EXPECT_EQ(keys["bucket_mb"]["default"], variant.reduce.bucketMb);
  EXPECT_EQ(keys["first_bucket_mb"]["default"], variant.reduce.firstBucketMb);
  EXPECT_EQ(keys["gradient_as_bucket_view"]["default"], variant.reduce.gradientAsBucketView);
  EXPECT_EQ(keys["find_unused"]["default"], variant.reduce.findUnused);
  EXPECT_EQ(keys["processes"]["default"], variant.hogwild.processes);
  EXPECT_EQ(keys["threads"]["default"], variant.hogwild.threads);
}

}  // namespace
}  // namespace stagelane::plan
