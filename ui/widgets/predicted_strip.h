#pragma once

/// The predicted step of the plan, compact: per device its actions, copies and why it idles, and
/// the present plan as a ghost while a drag previews another. The Timeline page is where a step is
/// studied; this strip only shows what an edit does.

#include <QWidget>

#include "ui/models/plan_model.h"

namespace stagelane::ui {

class PredictedStrip final : public QWidget {
  Q_OBJECT

 public:
  explicit PredictedStrip(PlanModel* model, QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Scale {
    qreal left = 0;
    qreal width = 1;
    double endNs = 1;
    [[nodiscard]] qreal x(TimeNs ns) const {
      return left + width * static_cast<double>(ns) / endNs;
    }
  };
  void refresh();
  [[nodiscard]] Scale scale() const;
  [[nodiscard]] qreal deviceHeight() const;
  [[nodiscard]] qreal deviceTop(int device) const;
  void paintHeading(QPainter& painter) const;
  void paintLegend(QPainter& painter, qreal left) const;
  void paintRuler(QPainter& painter, const Scale& scale) const;
  void paintDevice(QPainter& painter, const Scale& scale, int lane) const;
  void paintActions(QPainter& painter, const Scale& scale, const PlanPrediction& prediction,
                    int row, const QRectF& track, bool ghost) const;
  void paintIdle(QPainter& painter, const Scale& scale, const PlanPrediction& prediction, int row,
                 const QRectF& track) const;
  void paintCopies(QPainter& painter, const Scale& scale, const PlanPrediction& prediction, int row,
                   const QRectF& track) const;

  PlanModel* m_model;
};

}  // namespace stagelane::ui
