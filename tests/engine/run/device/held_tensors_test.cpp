#include "engine/run/device/held_tensors.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "tests/engine/run/device/stuck_marker.h"

namespace stagelane::run {
namespace {

TEST(HeldTensors, KeepATensorUntilItsWorkIsDone) {
  HeldTensors held;
  const at::Tensor watched = at::ones({2});
  held.hold(watched, std::make_shared<StuckMarker>());
  held.hold(watched, std::make_shared<StuckMarker>(/*untilAsked=*/2));
  EXPECT_EQ(watched.use_count(), 3U);
  held.releaseReached();
  EXPECT_EQ(watched.use_count(), 3U);
  held.releaseReached();
  EXPECT_EQ(watched.use_count(), 2U) << "the one that is reached, not the one before it";
}

}  // namespace
}  // namespace stagelane::run
