// Turns on a device with a memory of its own.

#include "engine/run/measure/turn.h"

#include <gtest/gtest.h>

#include <atomic>

#include "engine/run/device/allocator.h"
#include "tests/engine/run/run_fixture.h"
#include "tests/support/async_device/async_device.h"

namespace stagelane::run {
namespace {

using namespace test;

constexpr Bytes kWeights = Bytes{2048} * 4096 * 4;

/// One layer of 32 MiB, and as many gradients.
Bench heavyLayer() {
  return Bench(R"({"stagelane":1,"name":"h","model":{"layers":[
      {"kind":"Linear","in_features":2048,"out_features":4096,"bias":false}]},
    "input":{"shape":[2048]},"data":{"labels":"normal","batch_size":1},"timing":"steady",
    "devices":["cuda:0"],"variants":[{"name":"s","strategy":"single","device":"cuda:0"}]})");
}

class AsyncTurn : public ::testing::Test {
 protected:
  void TearDown() override { async_device::reset(); }
};

TEST_F(AsyncTurn, IsTakenAgainIfItsDeviceHadToFetchMemory) {
  Bench bench = heavyLayer();
  VariantRun& run = bench.variant("s");
  const auto once = static_cast<int>(run.lowered.actionCount);
  std::atomic<int> actions{0};
  ExecutorOptions options;
  options.beforeAction = [&actions](int, const schedule::LoweredAction&) { ++actions; };
  TurnTaker turns(bench.experiment, bench.control, options);
  ASSERT_TRUE(turns.prepare());
  const auto actionsOf = [&](int repeat) {
    actions = 0;
    EXPECT_TRUE(valueOf(turns.take(run, repeat)).has_value());
    return actions.load();
  };
  static_cast<void>(actionsOf(0));  // fetches memory of the host as well

  run.workers.front()->backend().releaseCache();
  EXPECT_EQ(actionsOf(1), 2 * once) << "cold";
  const Bytes fetched = fetchedBytes();
  const int warm = actionsOf(2);
  // On a machine with little free memory, the host's cache is released before each turn.
  if (fetchedBytes() - fetched < kWeights) {
    EXPECT_EQ(warm, once) << "warm";
  }
}

}  // namespace
}  // namespace stagelane::run
