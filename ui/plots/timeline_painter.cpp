#include "ui/plots/timeline_painter.h"

#include <QFontMetricsF>
#include <algorithm>

namespace stagelane::ui {
namespace {

constexpr double kHatchTile = 8.0;

/// Parallel lines x + slope·y = k·8 cut to a rectangle; slope +1 is "/", −1 is "\".
void diagonals(QPainter& painter, const QRectF& rect, int slope) {
  const double s = slope;
  const auto value = [&](double x, double y) { return x + s * y; };
  const double low =
      std::min({value(rect.left(), rect.top()), value(rect.left(), rect.bottom()),
                value(rect.right(), rect.top()), value(rect.right(), rect.bottom())});
  const double high =
      std::max({value(rect.left(), rect.top()), value(rect.left(), rect.bottom()),
                value(rect.right(), rect.top()), value(rect.right(), rect.bottom())});
  for (double k = std::ceil(low / kHatchTile) * kHatchTile; k < high; k += kHatchTile) {
    double y1 = (k - rect.left()) / s, y2 = (k - rect.right()) / s;
    if (y1 > y2) std::swap(y1, y2);
    y1 = std::max(y1, rect.top());
    y2 = std::min(y2, rect.bottom());
    if (y1 < y2) painter.drawLine(QPointF(k - s * y1, y1), QPointF(k - s * y2, y2));
  }
}

void verticals(QPainter& painter, const QRectF& rect, double gap) {
  for (double x = std::ceil(rect.left() / gap) * gap; x < rect.right(); x += gap) {
    painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
  }
}

void horizontals(QPainter& painter, const QRectF& rect, double gap) {
  for (double y = std::ceil(rect.top() / gap) * gap; y < rect.bottom(); y += gap) {
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
  }
}

void dots(QPainter& painter, const QRectF& rect, const QColor& color) {
  constexpr double kGap = kHatchTile / 2.0, kDot = 1.4;
  for (double y = std::ceil(rect.top() / kGap) * kGap; y + kDot < rect.bottom(); y += kGap) {
    for (double x = std::ceil(rect.left() / kGap) * kGap; x + kDot < rect.right(); x += kGap) {
      painter.fillRect(QRectF(x, y, kDot, kDot), color);
    }
  }
}

void hatchLines(QPainter& painter, const QRectF& rect, analysis::Cause cause, const QColor& color) {
  painter.setPen(
      QPen(color, cause == analysis::Cause::Drain ? 1.0 : 1.4, Qt::SolidLine, Qt::FlatCap));
  switch (cause) {
    case analysis::Cause::Warmup: diagonals(painter, rect, 1); break;
    case analysis::Cause::Starved: diagonals(painter, rect, -1); break;
    case analysis::Cause::TransferWait: verticals(painter, rect, kHatchTile / 2.0); break;
    case analysis::Cause::Host:
      diagonals(painter, rect, 1);
      diagonals(painter, rect, -1);
      break;
    case analysis::Cause::Drain:
      verticals(painter, rect, kHatchTile);
      horizontals(painter, rect, kHatchTile);
      break;
    case analysis::Cause::Tail: horizontals(painter, rect, kHatchTile / 2.0); break;
    default: dots(painter, rect, color); break;
  }
}

class ScenePainter {
 public:
  ScenePainter(QPainter& painter, const Theme& theme, PaintMode mode)
      : m_painter(painter), m_theme(theme), m_mode(mode) {}

  void paint(const TimelineScene& scene) {
    m_painter.fillRect(QRectF(0, 0, scene.width, scene.height), m_theme.control.panel);
    for (const SceneLine& line : scene.lines) {
      if (line.kind == SceneLine::Kind::Grid) drawLine(line);
    }
    for (const SceneCurve& curve : scene.curves) drawCurve(curve);
    for (const SceneRect& rect : scene.rects) drawRect(rect);
    for (const SceneLine& line : scene.lines) {
      if (line.kind != SceneLine::Kind::Grid) drawLine(line);
    }
    for (const SceneOutline& outline : scene.outlines) drawOutline(outline);
    for (const SceneText& text : scene.texts) drawText(text, scene);
  }

 private:
  void drawRect(const SceneRect& entry) {
    switch (entry.ink.kind) {
      case Ink::Kind::Action:
        m_painter.fillRect(gapped(entry.rect), fillOf(m_theme, entry.ink.category));
        drawLabel(entry);
        break;
      case Ink::Kind::Ghost:
        m_painter.fillRect(gapped(entry.rect), ghostOf(fillOf(m_theme, entry.ink.category)));
        break;
      case Ink::Kind::Idle: drawIdle(entry); break;
      case Ink::Kind::HeaderGround:
      case Ink::Kind::RowGround: m_painter.fillRect(entry.rect, m_theme.control.panel2); break;
      case Ink::Kind::Busy: m_painter.fillRect(entry.rect, m_theme.control.muted); break;
      case Ink::Kind::Dropped: m_painter.fillRect(entry.rect, m_theme.control.warningGround); break;
    }
  }

  /// Neighbours stay apart by one pixel where there is room.
  static QRectF gapped(const QRectF& rect) {
    return rect.width() > 4.0 ? rect.adjusted(0.5, 0.0, -0.5, 0.0) : rect;
  }

  void drawIdle(const SceneRect& entry) {
    if (m_mode == PaintMode::Vector) {
      paintHatch(m_painter, entry.rect, m_theme, entry.ink.cause);
      return;
    }
    const qreal ratio =
        m_painter.device() != nullptr ? m_painter.device()->devicePixelRatioF() : 1.0;
    m_painter.fillRect(entry.rect, brushOf(m_theme, entry.ink.cause, ratio));
  }

  void drawLabel(const SceneRect& entry) {
    if (entry.label.isEmpty()) return;
    m_painter.setFont(fontOf(TextSize::Caption));
    if (QFontMetricsF(m_painter.font()).horizontalAdvance(entry.label) > entry.rect.width() - 4.0) {
      return;
    }
    m_painter.setPen(textOn(m_theme, entry.ink.category));
    m_painter.drawText(entry.rect, Qt::AlignCenter, entry.label);
  }

  void drawCurve(const SceneCurve& curve) {
    QPolygonF line(QList<QPointF>(curve.points.begin(), curve.points.end()));
    QPolygonF area = line;
    area << QPointF(line.last().x(), curve.baseline) << QPointF(line.first().x(), curve.baseline);
    QColor fill = m_theme.control.accent;
    fill.setAlphaF(0.16F);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(fill);
    m_painter.drawPolygon(area);
    m_painter.setPen(QPen(m_theme.control.accent, 1.0));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPolyline(line);
  }

  void drawLine(const SceneLine& line) {
    switch (line.kind) {
      case SceneLine::Kind::Grid:
      case SceneLine::Kind::Separator: m_painter.setPen(QPen(m_theme.control.grid, 1.0)); break;
      case SceneLine::Kind::MeasuredEnd: m_painter.setPen(QPen(m_theme.control.text, 1.0)); break;
      case SceneLine::Kind::PredictedEnd:
        m_painter.setPen(QPen(m_theme.control.muted, 1.0, Qt::DashLine));
        break;
    }
    m_painter.drawLine(QPointF(line.x1, line.y1), QPointF(line.x2, line.y2));
  }

  void drawOutline(const SceneOutline& outline) {
    const bool same = outline.kind == SceneOutline::Kind::SameMicroBatch;
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(same ? m_theme.control.text : m_theme.control.accent,
                          outline.kind == SceneOutline::Kind::Gap ? 2.5 : 2.0, Qt::SolidLine,
                          Qt::SquareCap, Qt::MiterJoin));
    m_painter.drawRect(outline.rect.adjusted(1.0, 1.0, -1.0, -1.0));
  }

  void drawText(const SceneText& text, const TimelineScene& scene) {
    const QRectF whole(0, 0, scene.width, scene.height);
    const QRectF rect = text.rect & whole;
    if (rect.height() < text.rect.height() || rect.width() < 8.0) return;
    m_painter.setFont(fontOf(TextSize::Caption));
    const QFontMetricsF metrics(m_painter.font());
    if (text.kind == SceneText::Kind::GapLength) {
      const double width = metrics.horizontalAdvance(text.text) + 10.0;
      const double left =
          std::clamp(rect.center().x() - width / 2.0, 0.0, std::max(0.0, scene.width - width));
      const QRectF pill(left, rect.top(), width, rect.height());
      m_painter.setPen(Qt::NoPen);
      m_painter.setBrush(m_theme.control.accent);
      m_painter.drawRect(pill);
      m_painter.setPen(m_theme.control.onAccent);
      m_painter.drawText(pill, Qt::AlignCenter, text.text);
      return;
    }
    m_painter.setPen(text.kind == SceneText::Kind::Muted ? m_theme.control.muted
                                                         : m_theme.control.text);
    m_painter.drawText(rect, (text.right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                       metrics.elidedText(text.text, Qt::ElideRight, rect.width()));
  }

  QPainter& m_painter;
  const Theme& m_theme;
  PaintMode m_mode;
};

}  // namespace

void paintScene(QPainter& painter, const TimelineScene& scene, const Theme& theme, PaintMode mode) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, mode == PaintMode::Vector);
  if (mode == PaintMode::Screen) painter.setClipRect(QRectF(0, 0, scene.width, scene.height));
  ScenePainter(painter, theme, mode).paint(scene);
  painter.restore();
}

void paintHatch(QPainter& painter, const QRectF& rect, const Theme& theme, analysis::Cause cause) {
  const QColor color = colorOf(theme, cause);
  QColor ground = color;
  ground.setAlphaF(0.16F);
  painter.fillRect(rect, ground);
  painter.save();
  hatchLines(painter, rect, cause, color);
  painter.restore();
}

}  // namespace stagelane::ui
