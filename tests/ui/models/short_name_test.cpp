#include "ui/models/short_name.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

TEST(ShownName, IsOneLineWhateverIsWrittenInTheFile) {
  EXPECT_EQ(shownName(std::string_view("two\nlines \t and a tab")),
            QStringLiteral("two lines and a tab"));
  EXPECT_EQ(shownName(QStringLiteral(" a \r\n b")), QStringLiteral("a b"));
  EXPECT_EQ(shownName(QString(5000, QChar(u'x'))).size(), kMostNameLetters);
}

TEST(ShownName, KeepsItsAmpersandsOnAButton) {
  EXPECT_EQ(buttonName(QStringLiteral("R&D, a & b")), QStringLiteral("R&&D, a && b"));
}

}  // namespace
}  // namespace stagelane::ui
