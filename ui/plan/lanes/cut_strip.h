#pragma once

/// "Step time by cut": the predicted step time of every possible cut, on the chips' own x axis. A
/// click cuts there. Draws what PlanModel computed.

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/kit/text/label_places.h"
#include "ui/kit/virtual_controls.h"
#include "ui/plan/lanes/lanes_view.h"
#include "ui/session/prediction/cut_curve.h"

namespace stagelane::ui {

class CutStrip final : public QWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  CutStrip(PlanModel* model, const LanesView* lanes, QWidget* parent = nullptr);
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;
  [[nodiscard]] QSize sizeHint() const override { return {600, 104}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  struct Axis {
    double low = 0.0;
    double high = 1.0;
    double step = 1.0;
  };
  void refresh();
  void paintLabels(QPainter& painter) const;
  void paintGrid(QPainter& painter, const Axis& axis) const;
  /// Labels of the grid lines, in the column of the lane headers.
  void paintScale(QPainter& painter, const Axis& axis) const;
  void paintCurve(QPainter& painter, const Axis& axis) const;
  /// A label beside a point of the curve.
  struct MarkLabel {
    QPointF at;
    QString text;
    QColor color;
    bool below = false;
  };
  void paintMarks(QPainter& painter, const Axis& axis) const;
  void paintLabel(QPainter& painter, std::vector<Obstacle>& taken, const MarkLabel& label) const;
  [[nodiscard]] MarkLabel paintShownCut(QPainter& painter, const CutPoint& point, const QPointF& at,
                                        bool best) const;
  [[nodiscard]] QString approximateText(TimeNs stepNs) const;
  [[nodiscard]] Axis axis() const;
  [[nodiscard]] static std::vector<double> linesOf(const Axis& axis);
  [[nodiscard]] QPointF pointOf(const CutPoint& point, const Axis& axis) const;
  [[nodiscard]] std::optional<std::size_t> pointAt(const QPointF& at) const;
  /// The block before which the measured plan was cut, if the curve contains it.
  [[nodiscard]] std::optional<std::size_t> measuredCut() const;

  PlanModel* m_model;
  const LanesView* m_lanes;
  std::optional<std::size_t> m_hovered;
};

}  // namespace stagelane::ui
