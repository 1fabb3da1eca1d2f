#include "ui/kit/pictures/themed_svg.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

const QString kLight = QStringLiteral(
    "<svg width=\"9\"><g fill=\"#ffffff\" stroke=\"#111111\" fill-opacity=\"1\"><path d=\"M0,0\"/>"
    "</g><text fill=\"#111111\">F3</text></svg>");
const QString kDark = QStringLiteral(
    "<svg width=\"9\"><g fill=\"#000000\" stroke=\"#eeeeee\" fill-opacity=\"1\"><path d=\"M0,0\"/>"
    "</g><text fill=\"#eeeeee\">F3</text></svg>");

TEST(ThemedSvg, GivesEachPairOfColoursAVariable) {
  ThemedSvg pictures;
  const auto merged = pictures.merge(kLight, kDark);
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->toStdString(),
            "<svg width=\"9\"><g style=\"fill:var(--c0);stroke:var(--c1);\"   "
            "fill-opacity=\"1\"><path d=\"M0,0\"/></g><text style=\"fill:var(--c1);\" >F3</text>"
            "</svg>");
  EXPECT_TRUE(pictures.variables(ThemeKind::Light).contains(QStringLiteral("--c0: #ffffff;")));
  EXPECT_TRUE(pictures.variables(ThemeKind::Light).contains(QStringLiteral("--c1: #111111;")));
  EXPECT_TRUE(pictures.variables(ThemeKind::Dark).contains(QStringLiteral("--c0: #000000;")));
  EXPECT_TRUE(pictures.variables(ThemeKind::Dark).contains(QStringLiteral("--c1: #eeeeee;")));
}

TEST(ThemedSvg, KeepsAPictureThatIsTheSameInBoth) {
  ThemedSvg pictures;
  EXPECT_EQ(pictures.merge(kLight, kLight), kLight);
  EXPECT_TRUE(pictures.variables(ThemeKind::Light).isEmpty());
}

TEST(ThemedSvg, HasNoAnswerWhereMoreThanColoursDiffers) {
  const auto changed = [](QString text, const char* from, const char* to) {
    return text.replace(QString::fromUtf8(from), QString::fromUtf8(to));
  };
  for (const QString& other :
       {changed(kDark, "M0,0", "M0,1"), changed(kDark, "F3", "F4"),
        changed(kDark, "<path d=\"M0,0\"/>", ""), changed(kDark, "width=\"9\"", "width=\"8\""),
        changed(kDark, " stroke=\"#eeeeee\"", ""), kDark + QStringLiteral("<!-- more -->")}) {
    ThemedSvg pictures;
    EXPECT_FALSE(pictures.merge(kLight, other)) << other.toStdString();
  }
}

}  // namespace
}  // namespace stagelane::ui
