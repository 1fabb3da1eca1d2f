#include "ui/session/prediction/prediction_error.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

TEST(PredictionError, IsOfTheMeasuredTimeAsInResultJson) {
  EXPECT_DOUBLE_EQ(predictionError(50, 200).value(), -0.75) << "a prediction that was too short";
  EXPECT_DOUBLE_EQ(predictionError(300, 200).value(), 0.5);
  EXPECT_FALSE(predictionError(0, 200));
  EXPECT_FALSE(predictionError(200, 0));
}

}  // namespace
}  // namespace stagelane::ui
