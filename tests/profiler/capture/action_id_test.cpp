#include "profiler/capture/action_id.h"

#include <gtest/gtest.h>

#include <limits>

namespace stagelane::capture::detail {
namespace {

TEST(ActionId, ComesBackAsItWas) {
  constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
  for (const ActionTag& tag :
       {ActionTag{}, ActionTag{0, StageId{0}, MicroBatchId{0}},
        ActionTag{3, StageId{-1}, MicroBatchId{9}}, ActionTag{-1, StageId{2}, MicroBatchId{-1}},
        ActionTag{65534, StageId{65534}, MicroBatchId{kLargest}}}) {
    EXPECT_EQ(unpackAction(packAction(tag)), tag);
  }
  EXPECT_EQ(packAction({}), 0U);
}

TEST(ActionId, SaysNoneForWhatDoesNotFit) {
  EXPECT_EQ(unpackAction(packAction({65535, StageId{70000}, MicroBatchId{1}})),
            (ActionTag{-1, StageId{-1}, MicroBatchId{1}}));
}

}  // namespace
}  // namespace stagelane::capture::detail
