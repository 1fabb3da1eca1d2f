#include "engine/model/shape_memo.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace stagelane::model {
namespace {

TEST(ShapeMemo, AnswersTheSameQuestionOnce) {
  const ShapeMemo memo(*modelFromArgument("toy"));
  const auto first = memo.at({4, 10}, DType::Float32);
  ASSERT_TRUE(first);
  EXPECT_EQ((*first)->input, (Shape{4, 10}));
  EXPECT_EQ(*memo.at({4, 10}, DType::Float32), *first);
  const auto larger = memo.at({8, 10}, DType::Float32);
  const auto wider = memo.at({4, 10}, DType::Float64);
  EXPECT_EQ((*larger)->blocks.front().outputBytes, 2 * (*first)->blocks.front().outputBytes);
  EXPECT_EQ((*wider)->blocks.front().outputBytes, 2 * (*first)->blocks.front().outputBytes);
}

TEST(ShapeMemo, ForgetsWhatWasAskedLongAgo) {
  const ShapeMemo memo(*modelFromArgument("toy"));
  const auto first = *memo.at({1, 10}, DType::Float32);
  const std::weak_ptr<const ModelShapes> second = *memo.at({2, 10}, DType::Float32);
  for (std::int64_t samples = 3; samples < 103; ++samples) {
    ASSERT_TRUE(memo.at({samples, 10}, DType::Float32));
    EXPECT_EQ(*memo.at({1, 10}, DType::Float32), first) << samples;
  }
  EXPECT_TRUE(second.expired());
}

TEST(ShapeMemo, SaysWhatDoesNotFitEachTime) {
  const ShapeMemo memo(*modelFromArgument("toy"));
  for (int time = 0; time < 2; ++time) {
    const auto shapes = memo.at({4, 11}, DType::Float32);
    ASSERT_FALSE(shapes);
    EXPECT_EQ(shapes.error().code, ErrorCode::Invalid);
  }
}

TEST(ShapeMemo, MayBeAskedFromSeveralThreads) {
  const ShapeMemo memo(*modelFromArgument("toy"));
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&memo] {
      for (std::int64_t samples = 1; samples < 200; ++samples) {
        const auto shapes = memo.at({samples % 40 + 1, 10}, DType::Float32);
        ASSERT_TRUE(shapes);
        ASSERT_EQ((*shapes)->input.front(), samples % 40 + 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace stagelane::model
