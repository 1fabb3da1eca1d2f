#include "engine/plan/device.h"

#include <gtest/gtest.h>

namespace stagelane::plan {
namespace {

TEST(ParseDevice, TakesEveryFormApart) {
  const auto worker = parseDevice({"cpu:3"});
  ASSERT_TRUE(worker);
  EXPECT_EQ(worker->kind, DeviceKind::CpuWorker);
  EXPECT_EQ(worker->index, 3);

  const auto partition = parseDevice({"cuda:1/2of4@5"});
  ASSERT_TRUE(partition);
  EXPECT_EQ(partition->kind, DeviceKind::GpuPartition);
  EXPECT_EQ(partition->index, 1);
  EXPECT_EQ(partition->partition, 2);
  EXPECT_EQ(partition->partitions, 4);
  EXPECT_EQ(partition->rank, 5);

  const auto imagined = parseDevice({"sim:0"});
  ASSERT_TRUE(imagined);
  EXPECT_EQ(imagined->kind, DeviceKind::Imagined);
  EXPECT_EQ(parseDevice({"cuda:0"})->kind, DeviceKind::Gpu);
}

TEST(IsGpu, HoldsForGpusAndTheirPartitionsOnly) {
  EXPECT_TRUE(isGpu({"cuda:0"}));
  EXPECT_TRUE(isGpu({"cuda:1/2of4"}));
  EXPECT_FALSE(isGpu({"cpu:0"}));
  EXPECT_FALSE(isGpu({"sim:0"}));
  EXPECT_FALSE(isGpu({"cuda"}));
}

TEST(ParseDevice, RefusesWhatIsNoDeviceAndListsTheForms) {
  for (const char* text :
       {"", "cpu", "cpu:", "cpu:-1", "cpu:01", "cpu:1x", "CPU:0", "gpu:0", "cuda", "cuda:0/0of4",
        "cuda:0/5of4", "cuda:0/1of", "cpu:0/1of2", "cuda:0@", "cuda:0@-1", "cuda:99999999999",
        "cuda:0 ", " cuda:0", "sim:0/1of2"}) {
    const auto device = parseDevice({text});
    ASSERT_FALSE(device) << text;
    EXPECT_EQ(device.error().code, ErrorCode::Invalid);
    EXPECT_NE(device.error().hint.find("cpu:N"), std::string::npos);
  }
}

}  // namespace
}  // namespace stagelane::plan
