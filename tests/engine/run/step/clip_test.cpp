#include "engine/run/step/clip.h"

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <future>

namespace stagelane::run {
namespace {

NamedNorm norm(const std::string& name, float value) { return {name, at::tensor(value)}; }

TEST(ClipFactor, IsTheLargestNormOverThatOfAllGradients) {
  const at::Tensor factor = clipFactor({{norm("a", 3.0F)}, {norm("b", 4.0F)}}, 1.0);
  EXPECT_FLOAT_EQ(factor.item<float>(), 1.0F / (5.0F + 1e-6F));
}

TEST(ClipFactor, IsOneForGradientsThatAreSmallEnough) {
  EXPECT_EQ(clipFactor({{norm("a", 0.5F)}}, 1.0).item<float>(), 1.0F);
}

TEST(ClipFactor, CountsASharedParameterOnce) {
  const at::Tensor factor =
      clipFactor({{norm("a", 3.0F)}, {norm("b", 4.0F), norm("a", 3.0F)}}, 1.0);
  EXPECT_FLOAT_EQ(factor.item<float>(), 1.0F / (5.0F + 1e-6F));
}

TEST(ClipFactor, OfNoGradientsIsNone) { EXPECT_FALSE(clipFactor({{}, {}}, 1.0).defined()); }

TEST(NormBoard, HoldsARowUntilAllStagesHavePosted) {
  NormBoard board(2);
  RunControl control{nullptr};
  board.post(1, {norm("b", 1.0F)});
  auto waited = std::async(std::launch::async, [&] { return board.wait(control); });
  EXPECT_EQ(waited.wait_for(std::chrono::milliseconds(30)), std::future_status::timeout);
  board.post(0, {norm("a", 1.0F)});
  EXPECT_TRUE(waited.get());
  EXPECT_EQ(board.norms().front().front().name, "a");
  EXPECT_THROW(board.post(0, {}), std::logic_error);
  board.clear();
  EXPECT_TRUE(board.norms().empty());
}

TEST(NormBoard, LetsARowGoWhenTheRunStops) {
  NormBoard board(2);
  const std::atomic<bool> stop{true};
  EXPECT_FALSE(board.wait(RunControl(&stop)));
}

}  // namespace
}  // namespace stagelane::run
