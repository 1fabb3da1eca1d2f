#include "ui/kit/text/typed_numbers.h"

#include <gtest/gtest.h>

#include <limits>

namespace stagelane::ui {
namespace {

const NumberRange kRate{};
const NumberRange kShare{0.0, 1.0, false, true};
const NumberRange kNorm{0.0, 1e6, true, false};

TEST(TypedNumber, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(numberFromText(QStringLiteral("1e-3"), kRate), 0.001);
  EXPECT_EQ(numberFromText(QStringLiteral("  0.5 "), kShare), 0.5);
  EXPECT_EQ(numberFromText(QStringLiteral("0"), kRate), 0.0);
}

TEST(TypedNumber, RefusesWhatIsNone) {
  for (const char* text : {"", "abc", "nan", "NaN", "inf", "-inf", "1e999", "-1", "1,5", "0.1 x"}) {
    EXPECT_FALSE(numberFromText(QString::fromLatin1(text), kRate)) << text;
  }
}

TEST(TypedNumber, KeepsToItsRangeAndSaysIt) {
  EXPECT_TRUE(numberFromText(QStringLiteral("1"), NumberRange{0.0, 1.0}));
  EXPECT_FALSE(numberFromText(QStringLiteral("1"), kShare));
  EXPECT_FALSE(numberFromText(QStringLiteral("0"), kNorm));
  EXPECT_EQ(numberFromText(QStringLiteral("2"), kShare).error().message,
            "Enter a number from 0 to below 1");
  EXPECT_EQ(rangeInWords(NumberRange{0.0, 1.0}), QStringLiteral("a number from 0 to 1"));
  EXPECT_EQ(rangeInWords(kRate), QStringLiteral("a number of at least 0"));
  EXPECT_EQ(rangeInWords(kNorm), QStringLiteral("a number above 0"));
}

TEST(TypedShape, TakesTheUsualSigns) {
  const model::Shape image{3, 128, 64};
  for (const char* text : {"3×128×64", "3x128x64", "3, 128, 64", "3 128 64", " 3 X 128 * 64 "}) {
    EXPECT_EQ(shapeFromText(QString::fromUtf8(text)), image) << text;
  }
  EXPECT_EQ(shapeFromText(QStringLiteral("10")), model::Shape{10});
}

TEST(TypedInteger, SaysBothEndsOfItsRangeWhereItHasThem) {
  EXPECT_EQ(integersInWords(1, 1'000'000), QStringLiteral("a whole number from 1 to 1000000"));
  EXPECT_EQ(integersInWords(0, std::numeric_limits<int>::max()),
            QStringLiteral("a whole number of at least 0"));
}

TEST(TypedShape, RefusesWhatIsNone) {
  for (const char* text : {"", "×", "3×-1", "3×0", "a", "1 2 3 4 5", "99999999999", "3.5"}) {
    EXPECT_FALSE(shapeFromText(QString::fromUtf8(text))) << text;
  }
}

TEST(BytesFromText, TakesUnitsInAnyCase) {
  for (const char* text : {"8GiB", "8 GiB", "8gib", " 8 gib "}) {
    const auto bytes = bytesFromText(QString::fromLatin1(text));
    ASSERT_TRUE(bytes) << text;
    EXPECT_EQ(*bytes, Bytes{8} << 30) << text;
  }
  EXPECT_EQ(*bytesFromText(QStringLiteral("500mb")), 500'000'000);
  EXPECT_EQ(*bytesFromText(QStringLiteral("2 kb")), 2000);
  EXPECT_EQ(*bytesFromText(QStringLiteral("7 b")), 7);
  for (const char* bad : {"", "8", "1024", "1e9", "8 G", "8 xb", "gib", "-1 MB", "8 gibb"}) {
    EXPECT_FALSE(bytesFromText(QString::fromLatin1(bad))) << bad;
  }
}

}  // namespace
}  // namespace stagelane::ui
