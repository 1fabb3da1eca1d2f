// Times of a part of a step: distinct ends, pieces that add up; and names that are too long.

#include "ui/tracks/step_clock.h"

#include <gtest/gtest.h>

#include <QLocale>

#include "ui/kit/text/short_name.h"

namespace stagelane::ui {
namespace {

TEST(PartsOfTime, AddUpToWhatIsSaidOfAllOfThem) {
  EXPECT_EQ(partsOfTime({140'732, 532}), (QStringList{QStringLiteral("141"), QStringLiteral("0")}));
  EXPECT_EQ(partsOfTime({1'504, 1'504, 1'504}),
            (QStringList{QStringLiteral("1.50"), QStringLiteral("1.51"), QStringLiteral("1.50")}));
  EXPECT_EQ(partsOfTime({7}), QStringList{QStringLiteral("7")});
}

TEST(PartsOfTime, AddUpWithADecimalComma) {
  const QLocale before;
  QLocale::setDefault(QLocale(QLocale::German));
  const QStringList parts = partsOfTime({1'504, 1'504, 1'504});
  QLocale::setDefault(before);
  EXPECT_EQ(parts,
            (QStringList{QStringLiteral("1,50"), QStringLiteral("1,51"), QStringLiteral("1,50")}));
}

TEST(AreaText, TellsTheEndsApartAndSaysTheLength) {
  analysis::AreaStatistics statistics;
  statistics.fromNs = 28'827'300;
  statistics.toNs = 28'904'000;
  statistics.all.count = 2;
  statistics.all.totalNs = 60'000;
  statistics.cutOff = 1;
  EXPECT_EQ(
      areaText(statistics, 1'000'000).toStdString(),
      "27.827 – 27.904 ms (76.7 µs): 2 events, 60.0 µs, mean 30.0 µs (1 cut off at the edges)");
}

TEST(ShortName, IsTheBeginningOfALongOneAndWholeLetters) {
  EXPECT_EQ(shortName("gemm"), QStringLiteral("gemm"));
  std::string name;
  for (int i = 0; i < 2'000; ++i) name += "µ";
  const QString cut = shortName(name);
  EXPECT_EQ(cut.size(), kMostNameLetters);
  EXPECT_EQ(cut, QString(kMostNameLetters, QChar(u'µ')));
}

}  // namespace
}  // namespace stagelane::ui
