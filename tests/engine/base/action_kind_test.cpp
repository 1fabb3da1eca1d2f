#include "engine/base/action_kind.h"

#include <gtest/gtest.h>

namespace stagelane {
namespace {

TEST(ActionKind, WordsGoBothWays) {
  for (int i = 0; i <= static_cast<int>(ActionKind::Reduce); ++i) {
    const auto kind = static_cast<ActionKind>(i);
    EXPECT_EQ(actionKindFromWord(word(kind)), kind);
  }
  EXPECT_EQ(actionKindFromWord("f"), std::nullopt);
  EXPECT_EQ(word(ActionKind::SendForward), "SEND_F");
}

TEST(ActionKind, LossAndOptimizerAreComputeAndReduceIsNot) {
  EXPECT_TRUE(isCompute(ActionKind::Loss));
  EXPECT_TRUE(isCompute(ActionKind::Optimizer));
  EXPECT_FALSE(isCompute(ActionKind::Reduce));
  EXPECT_FALSE(isCompute(ActionKind::RecvForward));
  EXPECT_TRUE(isTransfer(ActionKind::RecvBackward));
  EXPECT_FALSE(isScheduled(ActionKind::Loss));
}

}  // namespace
}  // namespace stagelane
