#include "ui/kit/text/round_ticks.h"

#include <gmock/gmock.h>

namespace stagelane::ui {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

TEST(RoundTicks, AreOneTwoOrFiveTimesAPowerOfTenApart) {
  const RoundTicks ticks = roundTicks(118e-6, 1.42e-3, 3);
  EXPECT_DOUBLE_EQ(ticks.step, 0.5e-3);
  EXPECT_THAT(ticks.values, ElementsAre(DoubleNear(0.5e-3, 1e-12), DoubleNear(1e-3, 1e-12)));
  EXPECT_DOUBLE_EQ(roundTicks(0.0, 10.0, 5).step, 2.0);
  EXPECT_EQ(roundTicks(0.0, 10.0, 5).values.size(), 6U);
}

TEST(RoundTicks, StayInsideTheRangeAndFew) {
  for (const double low : {1e-7, 0.3, 99.5}) {
    for (const double width : {1e-6, 0.07, 3.0, 123.0}) {
      for (const int about : {1, 3, 7}) {
        const RoundTicks ticks = roundTicks(low, low + width, about);
        EXPECT_LE(ticks.values.size(), static_cast<std::size_t>(about) + 1);
        for (const double value : ticks.values) {
          EXPECT_GE(value, low - 1e-6 * width);
          EXPECT_LE(value, low + width * (1 + 1e-6));
        }
      }
    }
  }
}

TEST(RoundTicks, AreWrittenWithTheDecimalsOfTheirStep) {
  const SecondsUnit unit = secondsUnitOf(1.42e-3);
  EXPECT_EQ(tickText(1e-3, 0.5e-3, unit), QStringLiteral("1.0 ms"));
  EXPECT_EQ(tickText(20e-3, 10e-3, unit), QStringLiteral("20 ms"));
  EXPECT_EQ(tickText(20e-6, 10e-6, secondsUnitOf(20e-6)), QStringLiteral("20 µs"));
}

}  // namespace
}  // namespace stagelane::ui
