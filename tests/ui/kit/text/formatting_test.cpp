#include "ui/kit/text/formatting.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

TEST(Formatting, ATimeHasThreeDigitsAndItsUnit) {
  EXPECT_EQ(timeText(0).toStdString(), "0 ms");
  EXPECT_EQ(timeText(12).toStdString(), "12 ns");
  EXPECT_EQ(timeInUnitOf(28'800, 180'000).toStdString(), "29");
  EXPECT_EQ(timeInUnitOf(5'100'000, 38'200'000).toStdString(), "5.1");
  EXPECT_EQ(timeInUnitOf(1'234'000'000, 1'500'000'000).toStdString(), "1.23");
  EXPECT_EQ(timeText(12'000).toStdString(), "12.0 µs");
  EXPECT_EQ(timeText(38'200'000).toStdString(), "38.2 ms");
  EXPECT_EQ(timeText(999'600'000).toStdString(), "1.00 s");
  EXPECT_EQ(timeText(3'754'000'000).toStdString(), "3.75 s");
}

TEST(Formatting, NegativeNumbersHaveATrueMinus) {
  EXPECT_EQ(timeDifferenceText(-20'000'000).toStdString(), "−20.0 ms");
  EXPECT_EQ(timeDifferenceText(20'000'000).toStdString(), "+20.0 ms");
  EXPECT_EQ(timeDifferenceText(0).toStdString(), "±0 ms");
  EXPECT_EQ(percentDifferenceText(-0.059).toStdString(), "−5.9 %");
  EXPECT_EQ(percentDifferenceText(0.00001).toStdString(), "±0 %");
}

TEST(Formatting, BytesOfATotalShareItsUnit) {
  const Bytes gib = Bytes{1} << 30;
  EXPECT_EQ(bytesOfText(gib * 33 / 10, 8 * gib, QStringLiteral(" of ")).toStdString(),
            "3.3 of 8 GiB");
  EXPECT_EQ(bytesText(784 << 20).toStdString(), "784 MiB");
  EXPECT_EQ(bytesText(0).toStdString(), "0 B");
  EXPECT_EQ(bytesText(1023).toStdString(), "1023 B");
}

TEST(Formatting, CountsAreShortAndZeroIsADash) {
  EXPECT_EQ(countText(0).toStdString(), "–");
  EXPECT_EQ(countText(999).toStdString(), "999");
  EXPECT_EQ(countText(25'557'032).toStdString(), "25.6 M");
  EXPECT_EQ(countText(379'392).toStdString(), "379 k");
}

TEST(Formatting, TimeLeftIsCoarse) {
  EXPECT_EQ(durationText(0).toStdString(), "0 s");
  EXPECT_EQ(durationText(19.2).toStdString(), "20 s");
  EXPECT_EQ(durationText(130).toStdString(), "2 min");
  EXPECT_EQ(durationText(3900).toStdString(), "1 h 5 min");
}

TEST(Formatting, WhatIsFarOverABudgetHasItsOwnUnit) {
  const QString of = QStringLiteral(" of ");
  EXPECT_EQ(bytesOfText(24'669'536, 1000, of).toStdString(), "23.5 MiB of 1000 B");
  EXPECT_EQ(bytesOfText(Bytes{3} << 30, Bytes{8} << 30, of).toStdString(), "3 of 8 GiB");
}

TEST(Formatting, ARangeOfOneIsItsName) {
  EXPECT_EQ(rangeText(QStringLiteral("conv1"), QStringLiteral("conv1")).toStdString(), "conv1");
  EXPECT_EQ(rangeText(QStringLiteral("layer3.0"), QStringLiteral("layer3.5")).toStdString(),
            "layer3.0–layer3.5");
}

TEST(Formatting, AnErrorSaysWhereAndWhatToDo) {
  const Error error{ErrorCode::Invalid, "no block \"x\"", "/variants/0", "Write \"fc\""};
  EXPECT_EQ(errorText(error).toStdString(), "No block \"x\" (at /variants/0). Write \"fc\"");
}

TEST(Formatting, AnErrorThatBeginsWithAHostKeepsItsName) {
  Error error{ErrorCode::EngineFailure, "box did not answer", "", ""};
  EXPECT_EQ(errorText(error).toStdString(), "Box did not answer");
  error.failure.host = "box";
  EXPECT_EQ(errorText(error).toStdString(), "box did not answer");
}

TEST(Formatting, AnErrorOfAPlanIsASentenceWithoutThePlaceInTheFile) {
  const Error error{ErrorCode::Invalid, "gpipe wants one stage a device", "/variants/0",
                    "join the stages"};
  EXPECT_EQ(sentenceText(error).toStdString(), "Gpipe wants one stage a device. Join the stages");
}

TEST(Formatting, KeepsTheDigitsOfASpeedUpThatIsAlmostNone) {
  EXPECT_EQ(timesText(1.4949), QStringLiteral("1.49×"));
  EXPECT_EQ(timesText(0.33), QStringLiteral("0.33×"));
  EXPECT_EQ(timesText(0.0046), QStringLiteral("0.00460×"));
  EXPECT_EQ(timesText(0.0), QStringLiteral("0.00×"));
}

}  // namespace
}  // namespace stagelane::ui
