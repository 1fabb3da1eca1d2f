#include "ui/session/run/sweep_labels.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

/// "s4 0-0, s8 1-1": one row.
std::string rowText(const std::vector<SweepLabel>& row) {
  QStringList texts;
  for (const SweepLabel& label : row) {
    texts << QStringLiteral("%1 %2-%3").arg(label.text).arg(label.first).arg(label.last);
  }
  return texts.join(QStringLiteral(", ")).toStdString();
}

QStringList names(std::initializer_list<const char*> texts) {
  QStringList list;
  for (const char* text : texts) list << QString::fromUtf8(text);
  return list;
}

TEST(SweepLabels, SayWhatAllHaveInCommonOnceAndGroupTheRest) {
  const SweepLabels labels = sweepLabels(
      names({"batch 64 · never 1f1b s4", "batch 64 · never 1f1b s8", "batch 64 · never gpipe s4",
             "batch 100 · never 1f1b s4", "batch 100 · never gpipe s4"}));
  EXPECT_EQ(labels.common.toStdString(), "never");
  ASSERT_EQ(labels.rows.size(), 3U);
  EXPECT_EQ(rowText(labels.rows[0]), "s4 0-0, s8 1-1, s4 2-2, s4 3-3, s4 4-4");
  EXPECT_EQ(rowText(labels.rows[1]), "1f1b 0-1, gpipe 2-2, 1f1b 3-3, gpipe 4-4");
  EXPECT_EQ(rowText(labels.rows[2]), "batch 64 0-2, batch 100 3-4");
}

TEST(SweepLabels, ABatchHangsTogetherAndStandsInTheCommonPart) {
  const SweepLabels labels = sweepLabels(names({"batch 64 · gpipe s4", "batch 64 · gpipe s8"}));
  EXPECT_EQ(labels.common.toStdString(), "batch 64 · gpipe");
  ASSERT_EQ(labels.rows.size(), 1U);
  EXPECT_EQ(rowText(labels.rows[0]), "s4 0-0, s8 1-1");
}

TEST(SweepLabels, OfOnePointOrOfNamesThatAreNoTableTheyAreWhole) {
  EXPECT_EQ(rowText(sweepLabels(names({"gpipe s4"})).rows[0]), "gpipe s4 0-0");
  const SweepLabels mixed = sweepLabels(names({"gpipe s4", "s8"}));
  EXPECT_TRUE(mixed.common.isEmpty());
  ASSERT_EQ(mixed.rows.size(), 1U);
  EXPECT_EQ(rowText(mixed.rows[0]), "gpipe s4 0-0, s8 1-1");
  EXPECT_TRUE(sweepLabels({}).rows.empty());
}

}  // namespace
}  // namespace stagelane::ui
