#include "ui/kit/text/short_name.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

TEST(ShownName, IsOneLineWhateverIsWrittenInTheFile) {
  EXPECT_EQ(shownName(std::string_view("two\nlines \t and a tab")),
            QStringLiteral("two lines and a tab"));
  EXPECT_EQ(shownName(QStringLiteral(" a \r\n b")), QStringLiteral("a b"));
  EXPECT_EQ(shownName(QString(5000, QChar(u'x'))).size(), kMostNameLetters);
}

TEST(ShownName, OfRightToLeftWritingLeavesWhatFollowsInItsPlace) {
  const QString hebrew = QStringLiteral("שלום (test)");
  ASSERT_TRUE(hebrew.isRightToLeft());
  const QString label = shownName(hebrew) + QStringLiteral(" (n = 3)");
  EXPECT_FALSE(label.isRightToLeft()) << "it would be laid out from the right";
  EXPECT_TRUE(label.contains(hebrew));
}

TEST(ShownName, KeepsItsAmpersandsOnAButton) {
  EXPECT_EQ(buttonName(QStringLiteral("R&D, a & b")), QStringLiteral("R&&D, a && b"));
}

}  // namespace
}  // namespace stagelane::ui
