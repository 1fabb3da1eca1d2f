#pragma once

/// Draws a chip of the lanes view: a block or a closed group, with its name, its figures, and the
/// share of its forward pass.

#include "ui/plan/lanes/lanes_canvas.h"

namespace stagelane::ui {

class ChipPainter {
 public:
  explicit ChipPainter(const LanesCanvas& canvas);
  void paint(std::size_t chip, int lane);

 private:
  void paintGround(const QRectF& rect, std::size_t chip, bool failed);
  void paintText(const ChipPlace& chip, const QRectF& rect, const QString& problem);
  /// Below the name: time, kept memory, problem.
  void paintFigures(const ChipPlace& chip, const QRectF& inner, const QString& problem,
                    qreal iconSpace);
  void paintRatio(const ChipPlace& chip, const QRectF& rect);
  [[nodiscard]] QString labelOf(const ChipPlace& chip) const;
  [[nodiscard]] QString widthText(const ChipPlace& chip) const;
  /// Locked, failed or tied; empty for none of these.
  [[nodiscard]] QString iconOf(const ChipPlace& chip, bool failed) const;
  [[nodiscard]] QColor colorOf(const QString& icon) const;
  /// "tied to fc"; empty for none.
  [[nodiscard]] QString tiedWords(const ChipPlace& chip) const;

  const LanesCanvas& m_canvas;
  QPainter& m_painter;
  const PlanModel& m_model;
  const Theme& m_theme;
};

}  // namespace stagelane::ui
