#include "ui/kit/text/translation.h"

#include <gtest/gtest.h>

#include <clocale>

#include "tests/support/german_numbers.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/typed_numbers.h"

namespace stagelane::ui {
namespace {

using German = test::GermanNumbers;

TEST(Translation, NumbersOnTheScreenAreOfTheLocale) {
  const German german;
  EXPECT_EQ(timeText(38'240'000).toStdString(), "38,2 ms");
  EXPECT_EQ(bytesText(1'610'612'736).toStdString(), "1,5 GiB");
  EXPECT_EQ(percentDifferenceText(-0.0589).toStdString(), "−5,9 %");
  EXPECT_EQ(timesText(1.594).toStdString(), "1,59×");
  EXPECT_EQ(numberText(12345.678, 1).toStdString(), "12345,7") << "no group separators";
}

TEST(Translation, NumbersInFilesHaveAPoint) {
  const German german;
  {
    const FileNumbers file;
    const FileNumbers within;
    EXPECT_EQ(timeText(38'240'000).toStdString(), "38.2 ms");
  }
  EXPECT_EQ(timeText(38'240'000).toStdString(), "38,2 ms");
}

TEST(Translation, NumbersAreReadAsTheyAreWritten) {
  const NumberRange range{.least = 0.0, .most = 10.0};
  const German german;
  EXPECT_EQ(numberFromText(QStringLiteral("1,5"), range).value(), 1.5);
  EXPECT_EQ(numberFromText(QStringLiteral("1.5"), range).value(), 1.5) << "pasted from a file";
  EXPECT_EQ(bytesFromText(QStringLiteral("1,5 GiB")).value(), 1'610'612'736);
  EXPECT_EQ(bytesFromText(QStringLiteral("1.5 GiB")).value(), 1'610'612'736);
  EXPECT_EQ(rangeInWords({.least = 0.5, .most = 10.0}).toStdString(), "a number from 0,5 to 10");
}

TEST(Translation, ACommaIsNoDecimalSignInEnglish) {
  EXPECT_FALSE(numberFromText(QStringLiteral("1,5"), {.least = 0.0, .most = 10.0}));
  EXPECT_FALSE(bytesFromText(QStringLiteral("1,5 GiB")));
}

TEST(Translation, OfPrintfIsNotThatOfTheSystem) {
  // main() has created an application, which installed the system's locale and the catalogs.
  EXPECT_STREQ(std::setlocale(LC_NUMERIC, nullptr), "C");
}

}  // namespace
}  // namespace stagelane::ui
