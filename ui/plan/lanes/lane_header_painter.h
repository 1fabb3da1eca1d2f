#pragma once

/// Draws the column of device headers beside the lanes: name, number of blocks, and gauges of
/// memory and busy time. The column stays in place over lanes that are scrolled sideways.

#include <optional>
#include <utility>
#include <vector>

#include "ui/plan/lanes/lanes_canvas.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/run/measured_marks.h"

namespace stagelane::ui {

class LaneHeaderPainter {
 public:
  explicit LaneHeaderPainter(const LanesCanvas& canvas);
  void paint();

 private:
  /// A part of a gauge's bar: its share of the bar's width.
  struct GaugePart {
    double share = 0.0;
    QColor color;
  };
  struct Gauge {
    QString label;
    QString text;
    std::vector<GaugePart> parts;
    std::optional<double> tick;                      ///< the plan before a drag
    std::optional<std::pair<double, double>> range;  ///< error bar
    std::optional<double> measured;
    bool over = false;
  };
  /// Gauge values of a device. `before` is null without a drag.
  struct Figures {
    DeviceId device;
    const PredictedDevice* after = nullptr;
    const PredictedDevice* before = nullptr;
    const MeasuredDevice* measured = nullptr;
    TimeNs stepNs = 0, stepBeforeNs = 0;
    predict::Basis basis = predict::Basis::Estimate;
  };
  void paintHeader(int lane);
  void paintName(const QRectF& rect, int lane);
  void paintDevice(const QRectF& line, const DeviceId& device);
  [[nodiscard]] Gauge memoryGauge(const Figures& figures) const;
  [[nodiscard]] Gauge busyGauge(const Figures& figures) const;
  void paintGauge(const QRectF& row, const Gauge& gauge);

  QPainter& m_painter;
  const PlanModel& m_model;
  const LanesGeometry& m_geometry;
  const Theme& m_theme;
};

}  // namespace stagelane::ui
