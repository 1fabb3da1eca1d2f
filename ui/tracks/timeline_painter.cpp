#include "ui/tracks/timeline_painter.h"

#include <QFontMetricsF>
#include <QImage>
#include <algorithm>
#include <array>
#include <cmath>

namespace stagelane::ui {

QColor fillOfKey(const Theme& theme, ColorKey key) {
  if (key < trace::kCategoryCount) return fillOf(theme, static_cast<trace::Category>(key));
  if (key == kMutedColor) return theme.action.optimizer;
  return theme.numbered[key - trace::kCategoryCount];
}

QColor textOnKey(const Theme& theme, ColorKey key) {
  if (key < trace::kCategoryCount) return textOn(theme, static_cast<trace::Category>(key));
  if (key == kMutedColor) return theme.action.onOptimizer;
  return theme.onNumbered[key - trace::kCategoryCount];
}

namespace {

constexpr double kHatchTile = 8.0;

/// Parallel lines x + slope·y = k·8 clipped to a rectangle; slope +1 is "/", −1 is "\".
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

constexpr double kGhostAlpha = 0.42;
/// Room for a few letters and the ellipsis; and more letters than fit into any bar.
constexpr double kElidedFrom = 30.0;
constexpr qsizetype kMostLetters = 400;

class ScenePainter {
 public:
  ScenePainter(QPainter& painter, const Theme& theme, PaintMode mode)
      : m_painter(painter), m_theme(theme), m_mode(mode) {
    for (std::size_t key = 0; key < kColorKeys; ++key) {
      m_fills[key] = fillOfKey(theme, static_cast<ColorKey>(key));
    }
  }

  void paint(const TimelineScene& scene) {
    m_painter.fillRect(QRectF(0, 0, scene.width, scene.height), m_theme.control.panel);
    for (const SceneLine& line : scene.lines) {
      if (line.kind == SceneLine::Kind::Grid) drawLine(line);
    }
    for (const SceneCurve& curve : scene.curves) drawCurve(curve);
    for (const SceneStrip& strip : scene.strips) drawStrip(strip, scene);
    for (const SceneRect& rect : scene.rects) drawRect(rect);
    for (const SceneLine& line : scene.lines) {
      if (line.kind != SceneLine::Kind::Grid) drawLine(line);
    }
    for (const SceneOutline& outline : scene.outlines) drawOutline(outline);
    for (const SceneArrow& arrow : scene.arrows) drawArrow(arrow, scene);
    for (const SceneText& text : scene.texts) drawText(text, scene);
  }

 private:
  void drawRect(const SceneRect& entry) {
    switch (entry.ink.kind) {
      case Ink::Kind::Action:
        m_painter.fillRect(gapped(entry.rect), m_fills[entry.ink.color]);
        drawLabel(entry);
        break;
      case Ink::Kind::Ghost:
        m_painter.fillRect(gapped(entry.rect), ghostOf(m_fills[entry.ink.color]));
        break;
      case Ink::Kind::Idle: drawIdle(entry); break;
      case Ink::Kind::HeaderGround: m_painter.fillRect(entry.rect, m_theme.control.panel2); break;
      case Ink::Kind::Dropped:
        m_painter.fillRect(entry.rect, m_theme.control.warningGround);
        m_painter.fillRect(QRectF(entry.rect.left(), entry.rect.top(), 3.0, entry.rect.height()),
                           m_theme.control.warning);
        break;
    }
  }

  [[nodiscard]] double alphaOf(const SceneStrip& strip, const StripPixel& pixel) const {
    const double share = pixel.share / 255.0;
    return strip.kind == Ink::Kind::Ghost ? share * kGhostAlpha : share;
  }

  void drawStrip(const SceneStrip& strip, const TimelineScene& scene) {
    if (m_mode == PaintMode::Vector) {
      drawMerged(strip, scene.resolution);
    } else {
      drawPixels(strip, scene.resolution);
    }
  }

  /// Renders one line of pixels and repeats it over the strip's height.
  void drawPixels(const SceneStrip& strip, double resolution) {
    const int width = static_cast<int>(strip.pixels.size());
    const int height = std::max(1, static_cast<int>(std::lround(strip.rect.height() * resolution)));
    m_pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    QRgb* const first = m_pixels.data();
    for (int x = 0; x < width; ++x) {
      const StripPixel& pixel = strip.pixels[static_cast<std::size_t>(x)];
      const QRgb color = m_fills[pixel.color].rgb();
      const int alpha = static_cast<int>(alphaOf(strip, pixel) * 255.0 + 0.5);
      first[x] = qPremultiply(qRgba(qRed(color), qGreen(color), qBlue(color), alpha));
    }
    for (int y = 1; y < height; ++y) {
      std::copy(first, first + width, first + static_cast<std::ptrdiff_t>(width) * y);
    }
    QImage image(reinterpret_cast<const uchar*>(first), width, height,
                 width * static_cast<int>(sizeof(QRgb)), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(resolution);
    m_painter.drawImage(strip.rect.topLeft(), image);
  }

  /// Merges neighbors of similar color into one rectangle.
  void drawMerged(const SceneStrip& strip, double resolution) {
    constexpr int kShades = 8;
    const auto shade = [](const StripPixel& pixel) {
      return std::pair(pixel.color, (pixel.share * kShades + 254) / 255);
    };
    for (std::size_t begin = 0, end = 0; begin < strip.pixels.size(); begin = end) {
      end = begin + 1;
      while (end < strip.pixels.size() && shade(strip.pixels[end]) == shade(strip.pixels[begin])) {
        ++end;
      }
      const int level = shade(strip.pixels[begin]).second;
      if (level == 0) continue;
      const StripPixel whole{strip.pixels[begin].color,
                             static_cast<std::uint8_t>(level * 255 / kShades)};
      QColor color = m_fills[whole.color];
      color.setAlphaF(static_cast<float>(alphaOf(strip, whole)));
      const double left = strip.rect.left() + static_cast<double>(begin) / resolution;
      const double right =
          std::min(strip.rect.right(), strip.rect.left() + static_cast<double>(end) / resolution);
      m_painter.fillRect(QRectF(left, strip.rect.top(), right - left, strip.rect.height()), color);
    }
  }

  /// Neighbors are one pixel apart if there is room.
  static QRectF gapped(const QRectF& rect) {
    return rect.width() > 4.0 ? rect.adjusted(0.5, 0.0, -0.5, 0.0) : rect;
  }

  void drawIdle(const SceneRect& entry) {
    if (m_mode == PaintMode::Vector) {
      paintHatch(m_painter, entry.rect, m_theme, entry.ink.cause);
      return;
    }
    QBrush& hatch = m_hatches[static_cast<std::size_t>(entry.ink.cause)];
    if (hatch.style() == Qt::NoBrush) {
      const qreal ratio =
          m_painter.device() != nullptr ? m_painter.device()->devicePixelRatioF() : 1.0;
      hatch = brushOf(m_theme, entry.ink.cause, ratio);
    }
    m_painter.fillRect(entry.rect, hatch);
  }

  void drawLabel(const SceneRect& entry) {
    if (entry.label.isEmpty()) return;
    m_painter.setFont(fontOf(TextSize::Caption));
    const QFontMetricsF metrics(m_painter.font());
    const double room = entry.rect.width() - 4.0;
    QString text = entry.label;
    if (metrics.horizontalAdvance(text.left(kMostLetters)) > room) {
      if (room < kElidedFrom) return;
      text = metrics.elidedText(text.left(kMostLetters), Qt::ElideRight, room);
    }
    m_painter.setPen(textOnKey(m_theme, entry.ink.color));
    m_painter.drawText(entry.rect, Qt::AlignCenter, text);
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
      case SceneLine::Kind::Grid: m_painter.setPen(QPen(m_theme.control.grid, 1.0)); break;
      case SceneLine::Kind::Failure: m_painter.setPen(QPen(m_theme.control.error, 2.0)); break;
      case SceneLine::Kind::MeasuredEnd: m_painter.setPen(QPen(m_theme.control.text, 1.0)); break;
      case SceneLine::Kind::PredictedEnd:
        m_painter.setPen(QPen(m_theme.control.muted, 1.0, Qt::DashLine));
        break;
    }
    m_painter.drawLine(QPointF(line.x1, line.y1), QPointF(line.x2, line.y2));
  }

  void drawOutline(const SceneOutline& outline) {
    using Kind = SceneOutline::Kind;
    const bool found = outline.kind == Kind::Found;
    const QColor color = found                                  ? m_theme.control.warning
                         : outline.kind == Kind::SameMicroBatch ? m_theme.control.text
                                                                : m_theme.control.accent;
    const double width = outline.kind == Kind::Gap ? 2.5 : 2.0;
    if (outline.rect.width() <= 2.0 * width) {
      m_painter.fillRect(outline.rect, color);
      return;
    }
    m_painter.setBrush(Qt::NoBrush);
    if (outline.kind == Kind::Selected && outline.rect.width() > 5.0 * width) {
      // The accent is blue, as forward is: a line in the background color separates them.
      m_painter.setPen(
          QPen(m_theme.control.panel, 1.5, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
      m_painter.drawRect(outline.rect.adjusted(2.75, 2.75, -2.75, -2.75));
    }
    m_painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    m_painter.drawRect(outline.rect.adjusted(1.0, 1.0, -1.0, -1.0));
  }

  void drawArrow(const SceneArrow& arrow, const TimelineScene& scene) {
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(m_theme.control.text, 1.5, Qt::DashLine, Qt::FlatCap, Qt::MiterJoin));
    m_painter.drawPolyline(QPolygonF(QList<QPointF>(arrow.points.begin(), arrow.points.end())));
    if (!arrow.head || arrow.points.size() < 2) return;
    const QPointF tip = arrow.points.back();
    const QPointF way = tip - arrow.points[arrow.points.size() - 2];
    const double length = std::hypot(way.x(), way.y());
    if (length < 1e-6) return;
    const QPointF back = way / length * -6.0;
    const QPointF side(-back.y() / 2.0, back.x() / 2.0);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_theme.control.text);
    const QPolygonF head({tip, tip + back + side, tip + back - side});
    m_painter.drawPolygon(head.intersected(QRectF(0, 0, scene.width, scene.height)));
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
    m_painter.setPen(penOf(text.kind));
    if (!text.lead.isEmpty()) {
      drawLed(text, rect);
      return;
    }
    const QString said = metrics.elidedText(text.text, Qt::ElideRight, rect.width());
    if (text.kind == SceneText::Kind::Header) clearBehind(rect, metrics.horizontalAdvance(said));
    m_painter.drawText(rect, (text.right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                       said);
  }

  /// Lines skip the headers' text.
  void clearBehind(const QRectF& rect, double width) {
    if (width <= 0.0) return;
    m_painter.fillRect(
        QRectF(rect.left() - 2.0, rect.top() + 1.0, width + 4.0, rect.height() - 2.0),
        m_theme.control.panel2);
  }

  /// Bold lead, then muted text.
  void drawLed(const SceneText& text, const QRectF& rect) {
    constexpr double kApart = 14.0;
    m_painter.setFont(fontOf(TextSize::Caption, TextWeight::Bold));
    const QFontMetricsF bold(m_painter.font());
    clearBehind(rect, std::min(rect.width(), bold.horizontalAdvance(text.lead)));
    m_painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
                       bold.elidedText(text.lead, Qt::ElideRight, rect.width()));
    const QRectF rest = rect.adjusted(bold.horizontalAdvance(text.lead) + kApart, 0.0, 0.0, 0.0);
    if (rest.width() <= kApart) return;
    m_painter.setFont(fontOf(TextSize::Caption));
    m_painter.setPen(m_theme.control.muted);
    const QFontMetricsF metrics(m_painter.font());
    const QString said = metrics.elidedText(text.text, Qt::ElideRight, rest.width());
    clearBehind(rest, metrics.horizontalAdvance(said));
    m_painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, said);
  }

  [[nodiscard]] QColor penOf(SceneText::Kind kind) const {
    switch (kind) {
      case SceneText::Kind::Muted: return m_theme.control.muted;
      case SceneText::Kind::Warning: return m_theme.control.warning;
      case SceneText::Kind::Failure: return m_theme.control.error;
      default: return m_theme.control.text;
    }
  }

  QPainter& m_painter;
  const Theme& m_theme;
  PaintMode m_mode;
  std::array<QColor, kColorKeys> m_fills;
  std::array<QBrush, analysis::kCauseCount> m_hatches;  ///< each is created on first use
  std::vector<QRgb> m_pixels;                           ///< of the current strip
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
