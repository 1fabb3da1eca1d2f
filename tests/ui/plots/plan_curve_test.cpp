#include "ui/plots/plan_curve.h"

#include <gtest/gtest.h>

#include <QImage>

namespace stagelane::ui {
namespace {

PlanCurve curve() {
  PlanCurve curve;
  curve.title = QStringLiteral("Step time by split size: pipeline");
  curve.subtitle = QStringLiteral("gpipe · estimate");
  curve.xTitle = QStringLiteral("split size");
  curve.column = QStringLiteral("split_size");
  curve.points = {{QStringLiteral("4"), 2.0, 40'000'000, false},
                  {QStringLiteral("8"), 3.0, 20'000'000, false},
                  {QStringLiteral("a, b"), 4.0, 10'000'000, true}};
  curve.own = 0;
  curve.best = 1;
  return curve;
}

TEST(PlanCurve, IsATableOfItsPoints) {
  EXPECT_EQ(planCurveCsv(curve()).toStdString(),
            "split_size,predicted_step_s,predicted_from,fits,own,best\n"
            "4,0.04,estimate,yes,yes,no\n"
            "8,0.02,estimate,yes,no,yes\n"
            "\"a, b\",0.01,estimate,no,no,no\n");
}

TEST(PlanCurve, PaintsWhatIsTooLargeInRedAndNothingOutside) {
  const QSize size(400, 250);
  QImage image(size + QSize(40, 40), QImage::Format_ARGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  paintPlanCurve(painter, curve(), size, lightTheme());
  painter.end();
  bool red = false;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      red = red || image.pixelColor(x, y) == lightTheme().control.error;
      if (x >= size.width() || y >= size.height()) {
        ASSERT_EQ(image.pixelColor(x, y), QColor(Qt::white)) << x << " " << y;
      }
    }
  }
  EXPECT_TRUE(red);
}

TEST(PlanCurve, OfOnePointIsAPicture) {
  PlanCurve one = curve();
  one.points.resize(1);
  one.best.reset();
  QImage image(300, 200, QImage::Format_ARGB32);
  QPainter painter(&image);
  paintPlanCurve(painter, one, image.size(), lightTheme());
  EXPECT_EQ(image.pixelColor(0, 0), lightTheme().control.panel);
}

}  // namespace
}  // namespace stagelane::ui
