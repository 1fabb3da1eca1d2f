#include "ui/kit/pictures/export_path.h"

#include <gtest/gtest.h>

#include <QDir>

namespace stagelane::ui {
namespace {

TEST(ExportPaths, KnowTheFormatByTheEndingAlone) {
  EXPECT_EQ(formatOfPath(QStringLiteral("/tmp/a.SVG")), QStringLiteral("svg"));
  EXPECT_EQ(formatOfPath(QStringLiteral("/tmp/fig.v2")), QString());
  EXPECT_EQ(formatOfPath(QStringLiteral("/tmp/a")), QString());
}

TEST(ExportPaths, TakeTheFormatInPlaceOfAnotherOrBehindTheName) {
  const QString svg = QStringLiteral("svg");
  EXPECT_EQ(pathWithFormat(QStringLiteral("/tmp/x.png"), svg), QStringLiteral("/tmp/x.svg"));
  EXPECT_EQ(pathWithFormat(QStringLiteral("/tmp/x.SVG"), svg), QStringLiteral("/tmp/x.SVG"));
  EXPECT_EQ(pathWithFormat(QStringLiteral("/tmp/fig.v2"), svg), QStringLiteral("/tmp/fig.v2.svg"));
  EXPECT_EQ(pathWithFormat(QStringLiteral("/tmp.png/x"), svg), QStringLiteral("/tmp.png/x.svg"));
}

TEST(ExportPaths, AreBelowTheSuggestedFolderOrWhereAPersonsHomeIs) {
  const QString runs = QStringLiteral("/runs/one");
  const auto meant = [&runs](const char* typed) {
    return absolutePath(QString::fromUtf8(typed), runs);
  };
  EXPECT_EQ(meant("a.png"), QStringLiteral("/runs/one/a.png"));
  EXPECT_EQ(meant(" pictures/a.png "), QStringLiteral("/runs/one/pictures/a.png"));
  EXPECT_EQ(meant("../a.png"), QStringLiteral("/runs/a.png"));
  EXPECT_EQ(meant("/tmp/a.png"), QStringLiteral("/tmp/a.png"));
  EXPECT_EQ(meant("~/a.png"), QDir::homePath() + QStringLiteral("/a.png"));
  EXPECT_EQ(meant("~"), QDir::homePath());
  EXPECT_EQ(meant("~a.png"), QStringLiteral("/runs/one/~a.png")) << "a name like another";
  EXPECT_EQ(meant("  "), QString());
}

TEST(ExportPaths, PreviewWholeLinesOfATableAndCountTheRest) {
  const QString table = QStringLiteral("variant,repeat\na,1\na,2\na,3\n");
  EXPECT_EQ(tablePreview(table, 4, 40), table.chopped(1));
  EXPECT_EQ(tablePreview(table, 3, 40), QStringLiteral("variant,repeat\na,1\nand 2 more rows"));
  EXPECT_EQ(tablePreview(table, 4, 8), QStringLiteral("variant…\na,1\na,2\na,3"));
}

}  // namespace
}  // namespace stagelane::ui
