#include "ui/plots/sweep_picture.h"

#include <gtest/gtest.h>

#include <QImage>

namespace stagelane::ui {
namespace {

SweepPoint point(const char* label, double predictedS, double meanS, int repeats) {
  SweepPoint point;
  point.label = QString::fromUtf8(label);
  point.predictedS = predictedS;
  point.estimated = true;
  point.meanS = meanS;
  point.stdS = repeats > 1 ? 0.1 * meanS : 0.0;
  point.repeats = repeats;
  point.repeatsAsked = 5;
  point.status = repeats == 5 ? QStringLiteral("measured") : QString();
  return point;
}

SweepView view() {
  SweepView sweep;
  sweep.points = {point("s5", 0.5, 1.0, 5), point("s10, \"late\"", 0.75, 0.0, 0),
                  point("s20", 0.25, 2.0, 1)};
  return sweep;
}

const QSizeF kSize(376, 128);

TEST(SweepPicture, FindsThePointOfAColumnAndItsPlace) {
  const SweepAxes axes(view(), kSize);
  EXPECT_DOUBLE_EQ(axes.most(), 2.0);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(axes.pointAt(axes.at(i, 1.0).x()), static_cast<int>(i));
  }
  EXPECT_EQ(axes.pointAt(axes.plot().left() - 1.0), -1);
  EXPECT_EQ(axes.pointAt(axes.plot().right() + 1.0), -1);
  EXPECT_DOUBLE_EQ(axes.at(0, 0.0).y(), axes.plot().bottom());
  EXPECT_DOUBLE_EQ(axes.at(0, 2.0).y(), axes.plot().top());
}

TEST(SweepPicture, HasNoPointWhereThereIsNone) {
  const SweepAxes axes(SweepView{}, kSize);
  EXPECT_DOUBLE_EQ(axes.most(), 0.0);
}

TEST(SweepPicture, PaintsWhatIsMeasuredAndNothingOutside) {
  QImage image((kSize + QSizeF(40, 40)).toSize(), QImage::Format_ARGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  paintSweep(painter, view(), kSize, lightTheme());
  painter.end();
  const SweepAxes axes(view(), kSize);
  EXPECT_EQ(image.pixelColor(axes.at(0, 1.0).toPoint()), lightTheme().control.accent);
  for (int y = 0; y < image.height(); ++y) {
    for (int x = static_cast<int>(kSize.width()); x < image.width(); ++x) {
      ASSERT_EQ(image.pixelColor(x, y), QColor(Qt::white)) << x << " " << y;
    }
  }
}

TEST(SweepPicture, IsATableOfItsPoints) {
  EXPECT_EQ(sweepCsv(view()).toStdString(),
            "point,predicted_s,predicted_from,mean_s,std_s,repeats,repeats_asked,status,reason\n"
            "s5,0.5,estimate,1,0.1,5,5,measured,\n"
            "\"s10, \"\"late\"\"\",0.75,estimate,,,0,5,,\n"
            "s20,0.25,estimate,2,,1,5,,\n");
}

}  // namespace
}  // namespace stagelane::ui
