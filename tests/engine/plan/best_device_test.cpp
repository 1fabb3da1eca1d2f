#include "engine/plan/best_device.h"

#include <gtest/gtest.h>

namespace stagelane::plan {
namespace {

Experiment with(const char* devices, bool baselines = false) {
  Json document = Json::parse(R"({"stagelane":1,"name":"t",
    "model":{"zoo":"resnet18","num_classes":10},"input":{"shape":[3,64,64]},
    "data":{"batch_size":16,"batches":1},
    "variants":[{"name":"single","strategy":"single"},
      {"name":"pipe","strategy":"pipeline","split_size":4,"placement":"optimal"}]})");
  document["devices"] = Json::parse(devices);
  document["baseline_sweep"] = baselines;
  auto experiment = readExperiment(document, ".", {});
  EXPECT_TRUE(experiment) << (experiment ? "" : describe(experiment.error()));
  return experiment ? *experiment : Experiment{};
}

std::string best(const char* devices, SingleDevices among = SingleDevices::Any) {
  return bestSingleDevice(with(devices), 16, among).value;
}

TEST(BestDevice, OfAlikeOnesIsTheFirst) {
  EXPECT_FALSE(devicesDiffer(with(R"(["cpu:1", "cpu:0"])")));
  EXPECT_EQ(best(R"(["cpu:1", "cpu:0"])"), "cpu:1");
  EXPECT_EQ(best(R"([{"id": "cuda:1", "max_memory": "8GiB"},
                     {"id": "cuda:0", "max_memory": "8GiB"}])"),
            "cuda:1");
}

TEST(BestDevice, IsTheFastestThatHoldsTheModel) {
  EXPECT_TRUE(devicesDiffer(with(R"(["cpu:0", "cuda:0"])")));
  EXPECT_EQ(best(R"(["cpu:0", "cuda:0"])"), "cuda:0");
  EXPECT_EQ(best(R"(["cuda:0/1of2", "cuda:1"])"), "cuda:1");
  EXPECT_EQ(best(R"(["cpu:0", {"id": "cuda:0", "max_memory": "1MiB"}])"), "cpu:0");
  EXPECT_EQ(best(R"([{"id": "cpu:0", "max_memory": "1MiB"}, "cpu:1"])"), "cpu:1");
  EXPECT_EQ(best(R"([{"id": "cpu:0", "max_memory": "1MiB"},
                     {"id": "cuda:0", "max_memory": "2MiB"}])"),
            "cpu:0")
      << "none holds it";
}

TEST(BestDevice, IsImaginedOnlyToPredictWith) {
  const char* devices = R"(["cpu:0", {"id": "sim:0", "like": "cpu:0", "speed": 2}])";
  EXPECT_EQ(best(devices), "sim:0");
  EXPECT_EQ(best(devices, SingleDevices::Real), "cpu:0");
}

TEST(BestDevice, IsWhereBaselinesRunAndTheirNamesSayIt) {
  const Experiment mixed = with(R"(["cpu:0", "cuda:0"])", true);
  for (const char* id : {"baseline-mb4", "baseline-mb16"}) {
    const Variant* baseline = mixed.variantById(id);
    ASSERT_NE(baseline, nullptr) << id << ": the file's single is on another device";
    EXPECT_EQ(baseline->stages.front().group.first().value, "cuda:0");
  }
  EXPECT_EQ(mixed.variantById("baseline-mb4")->name, "single on cuda:0, micro-batch 4");
  const Experiment alike = with(R"(["cpu:0", "cpu:1"])", true);
  EXPECT_EQ(alike.variantById("baseline-mb4")->name, "single, micro-batch 4");
  EXPECT_EQ(alike.variantById("baseline-mb16"), nullptr) << "the file runs it";
}

}  // namespace
}  // namespace stagelane::plan
