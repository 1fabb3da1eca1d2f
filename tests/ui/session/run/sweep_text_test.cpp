#include "ui/session/run/sweep_text.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

SweepPoint point(const char* label, double meanS, int repeats, const char* status) {
  SweepPoint point;
  point.label = QString::fromLatin1(label);
  point.status = QString::fromLatin1(status);
  point.meanS = meanS;
  point.stdS = 0.1 * meanS;
  point.repeats = repeats;
  return point;
}

SweepView view() {
  SweepView view;
  view.points = {point("gpipe s5", 9e-6, 1, "begun"), point("1f1b s5", 10e-6, 20, "measured"),
                 point("1f1b s10", 12e-6, 20, "measured"), point("zb-h1 s5", 0.0, 0, "")};
  view.repeatsDone = 41;
  view.repeatsAsked = 80;
  view.state = SweepState::Running;
  return view;
}

TEST(SweepText, PointsThatHaveBegunAreNotMeasured) {
  EXPECT_EQ(sweepProgressText(view()).toStdString(),
            "2 of 4 points measured, 1 started, 41 of 80 repeats");
}

TEST(SweepText, OneRepeatDoesNotOutrankTwenty) {
  EXPECT_EQ(bestOf(view())->label.toStdString(), "1f1b s5");
  SweepView early = view();
  early.points.resize(1);
  EXPECT_EQ(bestOf(early)->label.toStdString(), "gpipe s5") << "while there is nothing else";
  EXPECT_EQ(sweepBestText(early).toStdString(),
            "best so far: gpipe s5, 9.00 µs per sample, one repeat");
}

TEST(SweepText, AfterTheEndTheBestIsTheBest) {
  SweepView done = view();
  EXPECT_TRUE(sweepBestText(done).startsWith(QStringLiteral("best so far: 1f1b s5, 10.0 ± 1.0 µs")))
      << sweepBestText(done).toStdString();
  done.state = SweepState::Done;
  EXPECT_TRUE(sweepBestText(done).startsWith(QStringLiteral("best: 1f1b s5")));
  EXPECT_TRUE(sweepBestText({}).isEmpty());
}

TEST(SweepText, APointSaysHowManyRepeatsItHas) {
  EXPECT_EQ(sweepPointText(view().points[0]).toStdString(), "gpipe s5, so far 9.00 µs, n = 1");
  EXPECT_EQ(sweepPointText(view().points[1]).toStdString(),
            "1f1b s5, measured 10.0 ± 1.0 µs, n = 20");
}

}  // namespace
}  // namespace stagelane::ui
