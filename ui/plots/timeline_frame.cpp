#include "ui/plots/timeline_frame.h"

#include <algorithm>
#include <set>

#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

/// The arrow of a folded or open device; drawn, because Noto Sans has no such letter.
void paintFold(QPainter& painter, const QPointF& centre, bool folded) {
  const QPolygonF arrow = folded ? QPolygonF({{-2.0, -3.5}, {2.5, 0.0}, {-2.0, 3.5}})
                                 : QPolygonF({{-3.5, -2.0}, {3.5, -2.0}, {0.0, 2.5}});
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(painter.pen().color());
  painter.setPen(Qt::NoPen);
  painter.drawPolygon(arrow.translated(centre));
  painter.restore();
}

}  // namespace

void paintTree(QPainter& painter, const TimelineLayout& layout, const RowOptions& options,
               const Theme& theme, const QRectF& area, double top) {
  painter.save();
  painter.setClipRect(area);
  painter.fillRect(area, theme.control.panel);
  for (const TimelineRow& row : layout.rows) {
    const QRectF rect(area.left(), area.top() + row.y - top, area.width(), row.height);
    if (!rect.intersects(area)) continue;
    const bool header = row.kind == RowKind::Header;
    if (header) painter.fillRect(rect, theme.control.panel2);
    painter.setFont(fontOf(header ? TextSize::Body : TextSize::Caption,
                           header ? TextWeight::Bold : TextWeight::Regular));
    painter.setPen(header ? theme.control.text : theme.control.muted);
    if (header) {
      const bool folded = options.collapsed.count(row.device) != 0;
      paintFold(painter, QPointF(rect.left() + 11.0, rect.center().y()), folded);
    }
    const QRectF text = rect.adjusted(header ? 22 : 28, 0, -6, 0);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(row.label, Qt::ElideRight,
                                                      static_cast<int>(text.width())));
  }
  painter.setPen(QPen(theme.control.border, 1.0));
  painter.drawLine(area.topRight() - QPointF(0.5, 0), area.bottomRight() - QPointF(0.5, 0));
  painter.restore();
}

void paintRuler(QPainter& painter, const TimeAxis& axis, const Theme& theme, const QRectF& area) {
  painter.save();
  painter.setClipRect(area);
  painter.fillRect(area, theme.control.panel);
  painter.setFont(fontOf(TextSize::Caption));
  for (const Tick& tick : ticksOf(axis, 80.0)) {
    const double x = area.left() + axis.xOf(tick.timeNs);
    painter.setPen(QPen(theme.control.border2, 1.0));
    painter.drawLine(QPointF(x, area.bottom() - 6.0), QPointF(x, area.bottom()));
    const double width = painter.fontMetrics().horizontalAdvance(tick.label);
    if (x + 3.0 + width > area.right()) continue;
    painter.setPen(theme.control.muted);
    painter.drawText(QPointF(x + 3.0, area.bottom() - 8.0), tick.label);
  }
  painter.setPen(QPen(theme.control.border, 1.0));
  painter.drawLine(area.bottomLeft() - QPointF(0, 0.5), area.bottomRight() - QPointF(0, 0.5));
  painter.restore();
}

namespace {

constexpr double kLegendHeight = 24.0;

struct LegendEntry {
  QString text;
  std::optional<trace::Category> category;
  analysis::Cause cause = analysis::Cause::Unattributed;
};

/// What occurs in the step, each once, actions first.
std::vector<LegendEntry> legendOf(const TimelineData& data) {
  std::set<trace::Category> categories;
  std::set<analysis::Cause> causes;
  for (const auto& device : data.step().devices) {
    for (const auto& piece : device.pieces) {
      if (!analysis::isBusy(piece.cause)) causes.insert(piece.cause);
    }
  }
  for (const trace::Category category : data.trace().categories()) {
    categories.insert(legendCategory(category));
  }
  std::vector<LegendEntry> entries;
  for (const trace::Category category : categories) {
    entries.push_back({categoryText(category), category, {}});
  }
  for (const analysis::Cause cause : causes) entries.push_back({causeText(cause), {}, cause});
  return entries;
}

void paintLegend(QPainter& painter, const TimelineData& data, const Theme& theme,
                 const QRectF& area, PaintMode mode) {
  painter.fillRect(area, theme.control.panel);
  painter.setFont(fontOf(TextSize::Caption));
  double x = area.left() + 8.0;
  for (const LegendEntry& entry : legendOf(data)) {
    const QRectF box(x, area.center().y() - 5.0, 10.0, 10.0);
    if (entry.category) {
      painter.fillRect(box, fillOf(theme, *entry.category));
    } else if (mode == PaintMode::Vector) {
      paintHatch(painter, box, theme, entry.cause);
    } else {
      painter.fillRect(box, brushOf(theme, entry.cause));
    }
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(entry.text);
    if (x + 14.0 + width > area.right()) break;
    painter.setPen(theme.control.muted);
    painter.drawText(QRectF(x + 14.0, area.top(), width + 2.0, area.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    x += width + 30.0;
  }
}

}  // namespace

double paintTimelinePicture(QPainter* painter, const TimelineData& data, const TimeAxis& axis,
                            double width, const Theme& theme, PaintMode mode) {
  const TimelineLayout layout = layoutRows(data.trace(), data.predicted(), {});
  const double height = kTimelineRulerHeight + layout.height + kLegendHeight;
  if (painter == nullptr) return height;
  TimeAxis wide = axis;
  wide.setWidth(std::max(1.0, width - kTimelineTreeWidth));
  painter->fillRect(QRectF(0, 0, width, height), theme.control.panel);
  paintTree(*painter, layout, {}, theme,
            QRectF(0, kTimelineRulerHeight, kTimelineTreeWidth, layout.height), 0.0);
  paintRuler(*painter, wide, theme,
             QRectF(kTimelineTreeWidth, 0, width - kTimelineTreeWidth, kTimelineRulerHeight));
  painter->save();
  painter->translate(kTimelineTreeWidth, kTimelineRulerHeight);
  paintScene(*painter,
             buildScene({.data = data, .layout = layout, .axis = wide, .height = layout.height}),
             theme, mode);
  painter->restore();
  paintLegend(*painter, data, theme, QRectF(0, height - kLegendHeight, width, kLegendHeight), mode);
  return height;
}

}  // namespace stagelane::ui
