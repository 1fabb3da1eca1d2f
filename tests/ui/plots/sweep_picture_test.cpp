#include "ui/plots/sweep_picture.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QTemporaryDir>
#include <algorithm>

#include "engine/base/files.h"
#include "ui/kit/pictures/picture.h"
#include "ui/kit/text/formatting.h"

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
  EXPECT_GT(axes.at(0, axes.most()).y(), axes.plot().top() + 2) << "a whisker ends inside";
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

/// 24 points over two batches, two ways of recompute, two schedules, three split sizes.
SweepView gridView() {
  SweepView sweep;
  sweep.name = QStringLiteral("grid");
  for (const char* batch : {"64", "100"}) {
    for (const char* recompute : {"never", "always"}) {
      for (const char* schedule : {"1f1b", "gpipe"}) {
        for (const char* split : {"s4", "s8", "s16"}) {
          sweep.points.push_back(point("", 40e-6, 55e-6, 5));
          sweep.points.back().label =
              QStringLiteral("batch %1 · optimal %2 %3 %4")
                  .arg(QString::fromUtf8(batch), QString::fromUtf8(recompute),
                       QString::fromUtf8(schedule), QString::fromUtf8(split));
        }
      }
    }
  }
  return sweep;
}

/// All texts of the picture on paper, as they are written.
std::string textsOnPaper(const SweepView& sweep) {
  const QTemporaryDir folder;
  PictureSpec spec;
  spec.path = folder.filePath(QStringLiteral("sweep.svg"));
  EXPECT_TRUE(writePicture(spec, [&](QPainter& painter, QSizeF size, PaintMode) {
    paintSweep(painter, sweep, size, lightTheme(), SweepUse::Paper);
  }));
  return readFile(utf8(spec.path)).value_or("");
}

TEST(SweepPicture, OnPaperHasTitlesAndNoNameThatIsCut) {
  const std::string text = textsOnPaper(gridView());
  for (const char* whole : {">Sweep grid<", ">time per sample (µs)<", ">sweep points<",
                            ">optimal in all points<", ">batch 64<", ">batch 100<", ">never<",
                            ">always<", ">1f1b<", ">gpipe<", ">s4<", ">s16<", ">20<", ">60<"}) {
    EXPECT_NE(text.find(whole), std::string::npos) << whole;
  }
  EXPECT_NE(text.find("best so far: batch 64"), std::string::npos);
  EXPECT_EQ(text.find("…"), std::string::npos);
}

TEST(SweepPicture, ANameStandsBelowItsPoint) {
  SweepView sweep = view();
  QImage image(kSize.toSize(), QImage::Format_ARGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  for (SweepPoint& point : sweep.points) point.label = QString();
  sweep.points[2].label = QStringLiteral("s");
  paintSweep(painter, sweep, kSize, lightTheme());
  painter.end();
  const SweepAxes axes(sweep, kSize);
  int left = image.width(), right = -1;
  for (int y = static_cast<int>(axes.plot().bottom()) + 4; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (image.pixelColor(x, y) == QColor(Qt::white)) continue;
      left = std::min(left, x);
      right = std::max(right, x);
    }
  }
  EXPECT_NEAR((left + right) / 2.0, axes.at(2, 0.0).x(), 3.0);
}

TEST(SweepPicture, NeedsRoomForEachRowOfNames) {
  EXPECT_GT(leastSweepHeight(gridView()), leastSweepHeight(view()) + 30);
  const SweepAxes axes(gridView(), QSizeF(800, leastSweepHeight(gridView())));
  EXPECT_GT(axes.plot().height(), 50);
  const SweepAxes good(gridView(), QSizeF(800, goodSweepHeight(gridView())));
  EXPECT_GT(good.plot().height(), 100);
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
