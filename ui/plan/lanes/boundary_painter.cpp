#include "ui/plan/lanes/boundary_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <utility>

#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/plan_figures.h"

namespace stagelane::ui {

BoundaryPainter::BoundaryPainter(const LanesCanvas& canvas)
    : m_painter(canvas.painter),
      m_model(canvas.model),
      m_geometry(canvas.geometry),
      m_theme(canvas.theme) {}

std::vector<QRectF> BoundaryPainter::paint() {
  const PlanShape& now = m_model.shape();
  const PlanShape& shown = m_model.dropPreview().shownShape();
  for (std::size_t block = 1; block < shown.stageBegins.size(); ++block) {
    if (now.stageBegins[block] && !shown.stageBegins[block]) paintCutBeforeDrag(block);
  }
  std::vector<BoundaryBar> bars;
  std::vector<std::size_t> blocks;
  for (std::size_t block = 1; block < shown.stageBegins.size(); ++block) {
    const auto bar = shown.stageBegins[block] ? barBefore(block, shown) : std::nullopt;
    if (bar) {
      paintBar(*bar, QPen(m_theme.control.accent, 3));
      paintFollowers(block, shown);
      bars.push_back(*bar);
      blocks.push_back(block);
    }
  }
  const auto labels = boundaryLabels(bars, m_geometry.headerRight(), m_geometry.width, m_labels);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i]) paintLabel(*labels[i], blocks[i]);
  }
  return std::move(m_labels);
}

QString BoundaryPainter::textOf(std::size_t block, bool brief) const {
  const QString bytes = bytesText(m_model.figures().cutBytes(block));
  return brief                        ? bytes
         : m_model.figures().trains() ? QObject::tr("%1/step, both ways").arg(bytes)
                                      : u"%1/step"_s.arg(bytes);
}

std::optional<BoundaryBar> BoundaryPainter::barBefore(std::size_t block,
                                                      const PlanShape& shape) const {
  const int one = m_model.laneOf(shape.deviceOfBlock[block - 1]);
  const int other = m_model.laneOf(shape.deviceOfBlock[block]);
  if (one < 0 || other < 0) return std::nullopt;
  const QFontMetricsF metrics(fontOf(TextSize::Caption));
  const LaneStack& lanes = m_geometry.lanes;
  BoundaryBar bar{m_geometry.cutX(block), std::min(one, other), std::max(one, other)};
  bar.labelTop = lanes.laneTop(bar.upper) + lanes.laneHeight + 4.5;
  bar.labelHeight = lanes.laneGap - 9;
  bar.whole = metrics.horizontalAdvance(textOf(block, false)) + 20;
  bar.brief = metrics.horizontalAdvance(textOf(block, true)) + 12;
  return bar;
}

/// The same boundary in the lanes of the other replicas.
void BoundaryPainter::paintFollowers(std::size_t block, const PlanShape& shape) {
  const std::vector<int> before = lanesOfBlock(m_model, shape, block - 1);
  const std::vector<int> behind = lanesOfBlock(m_model, shape, block);
  const QPen pen(m_theme.control.muted, 1.5, Qt::DashLine);
  for (std::size_t replica = 1; replica < std::min(before.size(), behind.size()); ++replica) {
    const auto [upper, lower] = std::minmax(before[replica], behind[replica]);
    paintBar({m_geometry.cutX(block), upper, lower}, pen);
  }
}

void BoundaryPainter::paintBar(const BoundaryBar& bar, const QPen& pen) {
  m_painter.setPen(pen);
  m_painter.drawLine(
      QPointF(bar.x, m_geometry.lanes.laneTop(bar.upper)),
      QPointF(bar.x, m_geometry.lanes.laneTop(bar.lower) + m_geometry.lanes.laneHeight));
}

/// Marks the current cut during a drag.
void BoundaryPainter::paintCutBeforeDrag(std::size_t block) {
  const auto bar = barBefore(block, m_model.shape());
  if (!bar) return;
  paintBar(*bar, QPen(m_theme.control.muted, 1, Qt::DashLine));
  if (bar->upper == bar->lower) return;
  m_painter.setFont(fontOf(TextSize::Caption));
  m_painter.setPen(m_theme.control.muted);
  const QRectF label(bar->x + 8, bar->labelTop, 44, bar->labelHeight);
  m_labels.push_back(label);
  m_painter.drawText(label, Qt::AlignVCenter, QObject::tr("current"));
}

void BoundaryPainter::paintLabel(const BoundaryLabel& label, std::size_t block) {
  m_painter.setFont(fontOf(TextSize::Caption));
  m_painter.setPen(m_theme.control.accent);
  m_painter.setBrush(m_theme.control.panel);
  m_painter.drawRoundedRect(label.rect, 3, 3);
  m_painter.drawText(label.rect, Qt::AlignCenter, textOf(block, label.brief));
  m_labels.push_back(label.rect);
}

}  // namespace stagelane::ui
