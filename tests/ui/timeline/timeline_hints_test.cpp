#include "ui/timeline/timeline_hints.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

TEST(TimelineHints, SayOfAGapItsSentence) {
  TargetText gap;
  gap.title = QStringLiteral("gap on cpu:1");
  gap.sentence = QStringLiteral("starved by cpu:0");
  gap.facts = {{QStringLiteral("Duration"), QStringLiteral("3 ms")}};
  EXPECT_EQ(hintText(gap), gap.sentence);
  EXPECT_EQ(tipText(gap), QStringLiteral("gap on cpu:1\nstarved by cpu:0"));
}

TEST(TimelineHints, SayOfAnEventItsTimesInOneLineAndAllInTheTip) {
  TargetText event;
  event.title = QStringLiteral("F0");
  event.facts = {{QStringLiteral("Start"), QStringLiteral("1 ms")},
                 {QStringLiteral("Duration"), QStringLiteral("3 ms")},
                 {QStringLiteral("Predicted"), QStringLiteral("2 ms")}};
  EXPECT_EQ(hintText(event), QStringLiteral("F0 · duration 3 ms · predicted 2 ms"));
  EXPECT_EQ(tipText(event).count(QChar(u'\n')), 3);
}

}  // namespace
}  // namespace stagelane::ui
