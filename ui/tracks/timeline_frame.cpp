#include "ui/tracks/timeline_frame.h"

#include <algorithm>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr double kHeaderText = 22.0, kRowText = 28.0, kFoldX = 11.0, kRowFoldX = 20.0;
constexpr double kPinSize = 12.0;

/// The arrow of a folded or open row; drawn because Noto Sans lacks the glyph.
void paintFold(QPainter& painter, const QPointF& center, bool folded) {
  const QPolygonF arrow = folded ? QPolygonF({{-2.0, -3.5}, {2.5, 0.0}, {-2.0, 3.5}})
                                 : QPolygonF({{-3.5, -2.0}, {3.5, -2.0}, {0.0, 2.5}});
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(painter.pen().color());
  painter.setPen(Qt::NoPen);
  painter.drawPolygon(arrow.translated(center));
  painter.restore();
}

/// Labels at the edges of a counter's row. @returns their width
double paintScale(QPainter& painter, const TimelineRow& row, const QRectF& room) {
  const QFontMetricsF metrics(painter.font());
  painter.drawText(room, Qt::AlignRight | Qt::AlignTop, row.highest);
  painter.drawText(room, Qt::AlignRight | Qt::AlignBottom, row.lowest);
  return std::max(metrics.horizontalAdvance(row.highest), metrics.horizontalAdvance(row.lowest));
}

/// A pin, upright if the row is pinned.
void paintPin(QPainter& painter, const QRectF& rect, const QColor& color, bool holds) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(rect.center());
  if (!holds) painter.rotate(45.0);
  painter.setPen(QPen(color, 1.4));
  painter.setBrush(holds ? QBrush(color) : QBrush(Qt::NoBrush));
  painter.drawRect(QRectF(-2.0, -5.0, 4.0, 5.0));
  painter.drawLine(QPointF(-4.0, 0.0), QPointF(4.0, 0.0));
  painter.drawLine(QPointF(0.0, 0.0), QPointF(0.0, 5.0));
  painter.restore();
}

void paintTreeRow(QPainter& painter, const TreeView& tree, const TimelineRow& row,
                  const Theme& theme, const QRectF& rect) {
  const bool header = row.kind == RowKind::Header;
  if (header) painter.fillRect(rect, theme.control.panel2);
  if (row.kind == RowKind::Notice) {
    painter.fillRect(rect, theme.control.warningGround);
    return;  // the lanes show it
  }
  painter.setPen(header ? theme.control.text : theme.control.muted);
  if (row.foldable) {
    const double y = row.height > 20.0 && !header ? rect.top() + 8.0 : rect.center().y();
    paintFold(painter, QPointF(rect.left() + (header ? kFoldX : kRowFoldX), y), row.folded);
  }
  const bool pinned = row.track >= 0 && std::count(tree.options.pinned.begin(),
                                                   tree.options.pinned.end(), row.track) != 0;
  const bool hovered =
      tree.hovered >= 0 && &row == &tree.layout.rows[static_cast<std::size_t>(tree.hovered)];
  const bool pin = row.track >= 0 && row.lane == 0 && (pinned || hovered);
  if (pin) paintPin(painter, pinRect(rect), theme.control.accent, pinned);
  QRectF text = rect.adjusted(header ? kHeaderText : kRowText, 0, pin ? -22 : -6, 0);
  painter.setFont(fontOf(TextSize::Caption));
  const bool below = row.kind == RowKind::Counter && row.height > 30.0;
  if (below) text.adjust(0, 0, -paintScale(painter, row, text) - 6.0, 0);
  if (!row.detail.isEmpty()) {
    const QFontMetricsF metrics(painter.font());
    const QString detail = metrics.elidedText(row.detail, Qt::ElideRight, text.width());
    const double width = metrics.horizontalAdvance(detail);
    const bool fits = header ? width < text.width() * 0.6 : true;
    painter.setPen(theme.control.muted);
    if (below) {
      painter.drawText(QRectF(text.left(), rect.top() + 15.0, text.width(), 14.0),
                       Qt::AlignLeft | Qt::AlignVCenter, detail);
      text.setHeight(16.0);
    } else if (fits) {
      painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, detail);
      text.adjust(0, 0, -width - 6.0, 0);
    }
  }
  painter.setFont(fontOf(header ? TextSize::Body : TextSize::Caption,
                         header ? TextWeight::Bold : TextWeight::Regular));
  painter.setPen(header ? theme.control.text : theme.control.muted);
  painter.drawText(
      text, Qt::AlignLeft | Qt::AlignVCenter,
      painter.fontMetrics().elidedText(row.label, header ? Qt::ElideMiddle : Qt::ElideRight,
                                       static_cast<int>(text.width())));
}

}  // namespace

QRectF pinRect(const QRectF& row) {
  return {row.right() - kPinSize - 6.0, row.top() + std::min(row.height(), 16.0) / 2.0 - 6.0,
          kPinSize, kPinSize};
}

void paintTree(QPainter& painter, const TreeView& tree, const Theme& theme, const QRectF& area) {
  painter.save();
  painter.setClipRect(area);
  painter.fillRect(area, theme.control.panel);
  for (const TimelineRow& row : tree.layout.rows) {
    const QRectF rect(area.left(), area.top() + row.y - tree.top, area.width(), row.height);
    if (rect.intersects(area)) paintTreeRow(painter, tree, row, theme, rect);
  }
  painter.setPen(QPen(theme.control.border, 1.0));
  painter.drawLine(area.topRight() - QPointF(0.5, 0), area.bottomRight() - QPointF(0.5, 0));
  painter.restore();
}

void paintRuler(QPainter& painter, const TimeAxis& axis, const std::vector<RulerEnd>& ends,
                const Theme& theme, const QRectF& area) {
  painter.save();
  painter.setClipRect(area);
  painter.fillRect(area, theme.control.panel);
  painter.setFont(fontOf(TextSize::Caption));
  const QFontMetricsF metrics(painter.font());
  for (const Tick& tick : ticksOf(axis, 80.0)) {
    const double x = area.left() + axis.xOf(tick.timeNs);
    painter.setPen(QPen(theme.control.border2, 1.0));
    painter.drawLine(QPointF(x, area.bottom() - 6.0), QPointF(x, area.bottom()));
    const double width = metrics.horizontalAdvance(tick.label);
    if (x + 3.0 + width > area.right()) continue;
    const double left = x + 3.0 - area.left();
    const bool covered = std::any_of(ends.begin(), ends.end(), [&](const RulerEnd& end) {
      return left - 6.0 < end.rect.right() && left + width + 6.0 > end.rect.left();
    });
    if (covered) continue;
    painter.setPen(theme.control.muted);
    painter.drawText(QPointF(x + 3.0, area.bottom() - 8.0), tick.label);
  }
  for (const RulerEnd& end : ends) {
    painter.setFont(
        fontOf(TextSize::Caption, end.predicted ? TextWeight::Regular : TextWeight::Bold));
    painter.setPen(end.predicted ? theme.control.muted : theme.control.text);
    painter.drawText(QPointF(area.left() + end.rect.left(), area.bottom() - 8.0), end.text);
  }
  painter.setPen(QPen(theme.control.border, 1.0));
  painter.drawLine(area.bottomLeft() - QPointF(0, 0.5), area.bottomRight() - QPointF(0, 0.5));
  painter.restore();
}

namespace {

constexpr double kLegendLine = 20.0;
constexpr double kLegendPadding = 4.0;

struct LegendEntry {
  QString text;
  std::optional<ColorKey> color;
  analysis::Cause cause = analysis::Cause::Unattributed;
  QPointF at{};  ///< in the legend
};

/// The visible entries of the step, each once, actions first, wrapped to a width.
class Legend {
 public:
  Legend(const TimelinePicture& picture, double width) {
    if (picture.colorBy == ColorBy::Kind) {
      for (const trace::Category category : legendEntries(picture.data.categories())) {
        if (hides(picture.filter, category)) continue;
        m_entries.push_back({categoryText(category), colorKeyOf(category), {}, {}});
      }
    } else {
      for (const NumberedEntry& entry : numberedEntries(picture.data, picture.colorBy)) {
        m_entries.push_back({entry.text, entry.color, {}, {}});
      }
    }
    for (const analysis::Cause cause : picture.data.idleCauses()) {
      if (hides(picture.filter, cause)) continue;
      m_entries.push_back({causeText(cause), {}, cause, {}});
    }
    place(width);
  }

  [[nodiscard]] double height() const { return m_height; }

  void paint(QPainter& painter, const Theme& theme, const QRectF& area, PaintMode mode) const {
    painter.fillRect(area, theme.control.panel);
    painter.setFont(fontOf(TextSize::Caption));
    for (const LegendEntry& entry : m_entries) {
      const QPointF at = area.topLeft() + entry.at;
      const QRectF box(at.x(), at.y() + (kLegendLine - 10.0) / 2.0, 10.0, 10.0);
      if (entry.color) {
        painter.fillRect(box, fillOfKey(theme, *entry.color));
      } else if (mode == PaintMode::Vector) {
        paintHatch(painter, box, theme, entry.cause);
      } else {
        painter.fillRect(box, brushOf(theme, entry.cause));
      }
      painter.setPen(theme.control.muted);
      painter.drawText(QRectF(at.x() + 14.0, at.y(), widthOf(entry) + 2.0, kLegendLine),
                       Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    }
  }

 private:
  [[nodiscard]] static double widthOf(const LegendEntry& entry) {
    return QFontMetricsF(fontOf(TextSize::Caption)).horizontalAdvance(entry.text);
  }

  void place(double width) {
    double x = 8.0, y = kLegendPadding;
    for (LegendEntry& entry : m_entries) {
      const double taken = widthOf(entry) + 30.0;
      if (x > 8.0 && x + taken > width) {
        x = 8.0;
        y += kLegendLine;
      }
      entry.at = {x, y};
      x += taken;
    }
    m_height = y + kLegendLine + kLegendPadding;
  }

  std::vector<LegendEntry> m_entries;
  double m_height = 0.0;
};

}  // namespace

double paintTimelinePicture(QPainter* painter, const TimelinePicture& picture, double width,
                            const Theme& theme, PaintMode mode) {
  TimelineLayout layout = layoutRows(picture.data, picture.rows);
  // Paper has no folding controls.
  for (TimelineRow& row : layout.rows) row.foldable = false;
  const Legend legend(picture, width);
  const double height = kTimelineRulerHeight + layout.height + legend.height();
  if (painter == nullptr) return height;
  TimeAxis wide = picture.axis;
  wide.setWidth(std::max(1.0, width - kTimelineTreeWidth));
  painter->fillRect(QRectF(0, 0, width, height), theme.control.panel);
  paintTree(*painter, {layout, picture.rows}, theme,
            QRectF(0, kTimelineRulerHeight, kTimelineTreeWidth, layout.height));
  paintRuler(*painter, wide,
             rulerEnds(picture.data, wide, picture.predictedShiftNs, kTimelineRulerHeight), theme,
             QRectF(kTimelineTreeWidth, 0, width - kTimelineTreeWidth, kTimelineRulerHeight));
  painter->save();
  painter->translate(kTimelineTreeWidth, kTimelineRulerHeight);
  const EventFlows flows = flowsOf(picture.data, picture.selection);
  const double scale = mode == PaintMode::Screen ? std::abs(painter->deviceTransform().m11()) : 1.0;
  paintScene(*painter,
             buildScene({.data = picture.data,
                         .layout = layout,
                         .axis = wide,
                         .height = layout.height,
                         .selection = picture.selection,
                         .filter = picture.filter,
                         .colorBy = picture.colorBy,
                         .predictedShiftNs = picture.predictedShiftNs,
                         .flows = &flows,
                         .resolution = std::clamp(scale, 0.5, 8.0)}),
             theme, mode);
  painter->restore();
  legend.paint(*painter, theme, QRectF(0, height - legend.height(), width, legend.height()), mode);
  return height;
}

}  // namespace stagelane::ui
