#include "ui/kit/theme.h"

#include <QPainter>
#include <QPen>
#include <QPixmap>
#include <QPixmapCache>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

using analysis::Cause;
using trace::Category;

constexpr int kTileSize = 8;
constexpr qreal kHatchGroundAlpha = 0.16;

QColor rgb(unsigned value) { return QColor::fromRgb(value); }

/// After Okabe and Ito's set for color-blind readers, ordered so that neighbors differ most.
void addNumbered(Theme& theme) {
  theme.numbered = {rgb(0x0072B2), rgb(0xE69F00), rgb(0x009E73), rgb(0xCC79A7),
                    rgb(0x56B4E9), rgb(0xD55E00), rgb(0xF0E442), rgb(0x6A5FA0)};
  const QColor dark = rgb(0x0B0E13), light = rgb(0xFFFFFF);
  theme.onNumbered = {light, dark, dark, dark, dark, dark, dark, light};
}

Theme makeLight() {
  Theme theme;
  theme.kind = ThemeKind::Light;
  theme.control = {rgb(0xECEEF2), rgb(0xFFFFFF), rgb(0xF6F7F9), rgb(0xFFFFFF), rgb(0xF6F7F9),
                   rgb(0xE4E8EE), rgb(0xD3D8E0), rgb(0xB4BCC8), rgb(0x1A1F28), rgb(0x566072),
                   rgb(0x8B95A5), rgb(0x2458C6), rgb(0xFFFFFF), rgb(0xE4ECFB), rgb(0xD6E3FA),
                   rgb(0x1B7A48), rgb(0xE0F3E8), rgb(0x8A5A00), rgb(0xFDF1D6), rgb(0xB4232F),
                   rgb(0xFBE5E6)};
  theme.action = {rgb(0x2F6DB8), rgb(0xFFFFFF), rgb(0xEE9C33), rgb(0x241803), rgb(0x35A793),
                  rgb(0x04211B), rgb(0xD3BDEE), rgb(0x2A1245), rgb(0x4A525E), rgb(0xFFFFFF),
                  rgb(0x3E8E9E), rgb(0x9DBDE3), rgb(0x0B1E36), rgb(0x7C9A2D), rgb(0x131A04),
                  rgb(0xA06A8C), rgb(0xFFFFFF), rgb(0xB3BAC6), rgb(0x1A1F28)};
  theme.cause = {rgb(0x63738C), rgb(0xC22F52), rgb(0x149CC4), rgb(0xC08A12),
                 rgb(0x5A4A9C), rgb(0x8F8A84), rgb(0xA0A7B2)};
  addNumbered(theme);
  return theme;
}

Theme makeDark() {
  Theme theme;
  theme.kind = ThemeKind::Dark;
  theme.control = {rgb(0x15171C), rgb(0x1D2026), rgb(0x23272E), rgb(0x2A2F38), rgb(0x191C22),
                   rgb(0x2A2F38), rgb(0x343A45), rgb(0x4A5260), rgb(0xE5E8EE), rgb(0x9CA6B6),
                   rgb(0x6C7686), rgb(0x7FA8F5), rgb(0x0D1420), rgb(0x24324D), rgb(0x29395A),
                   rgb(0x5CC98F), rgb(0x1B3327), rgb(0xE8B84E), rgb(0x3A2F17), rgb(0xF27D85),
                   rgb(0x3F2125)};
  theme.action = {rgb(0x4F93E0), rgb(0x05101F), rgb(0xF0A345), rgb(0x241803), rgb(0x2FA08D),
                  rgb(0x03140F), rgb(0xDCCBF5), rgb(0x2A1245), rgb(0x616A78), rgb(0xFFFFFF),
                  rgb(0x5FB4C4), rgb(0xA9C9F0), rgb(0x0B1E36), rgb(0x9BBC4A), rgb(0x131A04),
                  rgb(0xC490B4), rgb(0x24101C), rgb(0x8D96A5), rgb(0x0B0E13)};
  theme.cause = {rgb(0x7488A6), rgb(0xEE5F80), rgb(0x46C3E6), rgb(0xE3BC5C),
                 rgb(0x9A87EA), rgb(0xA39E97), rgb(0x7B8493)};
  addNumbered(theme);
  return theme;
}

/// Lines of one hatch within a tile; they extend beyond its edges so that neighboring tiles join.
void drawDiagonals(QPainter& painter, bool rising) {
  for (const int shift : {-kTileSize, 0, kTileSize}) {
    const QPointF left(shift - 1.0, rising ? kTileSize + 1.0 : -1.0);
    const QPointF right(shift + kTileSize + 1.0, rising ? -1.0 : kTileSize + 1.0);
    painter.drawLine(left, right);
  }
}

void drawHatch(QPainter& painter, Cause cause) {
  constexpr qreal kMiddle = kTileSize / 2.0;
  switch (cause) {
    case Cause::Warmup: drawDiagonals(painter, true); return;
    case Cause::Starved: drawDiagonals(painter, false); return;
    case Cause::Host:
      drawDiagonals(painter, true);
      drawDiagonals(painter, false);
      return;
    case Cause::TransferWait:
      painter.drawLine(QPointF(kMiddle, 0), QPointF(kMiddle, kTileSize));
      return;
    case Cause::Tail: painter.drawLine(QPointF(0, kMiddle), QPointF(kTileSize, kMiddle)); return;
    case Cause::Drain:
      painter.drawLine(QPointF(kMiddle, 0), QPointF(kMiddle, kTileSize));
      painter.drawLine(QPointF(0, kMiddle), QPointF(kTileSize, kMiddle));
      return;
    default:
      painter.setBrush(painter.pen().color());
      painter.setPen(Qt::NoPen);
      painter.drawEllipse(QPointF(kMiddle, kMiddle), 1.1, 1.1);
      return;
  }
}

QPixmap emptyTile(int size, qreal ratio) {
  QPixmap tile(QSize(size, size) * ratio);
  tile.setDevicePixelRatio(ratio);
  tile.fill(Qt::transparent);
  return tile;
}

/// Cached, because every chip and action of a picture uses the tile.
QBrush diagonalLines(const QColor& color, int size, qreal width, qreal ratio) {
  const QString key =
      u"diagonalLines %1 %2 %3 %4"_s.arg(color.rgba64()).arg(size).arg(width).arg(ratio);
  QPixmap tile;
  if (QPixmapCache::find(key, &tile)) return QBrush(tile);
  tile = emptyTile(size, ratio);
  QPainter painter(&tile);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color, width));
  for (const int shift : {-size, 0, size}) {
    painter.drawLine(QPointF(shift - 1.0, size + 1.0), QPointF(shift + size + 1.0, -1.0));
  }
  painter.end();
  QPixmapCache::insert(key, tile);
  return QBrush(tile);
}

qreal pointsOf(TextSize size) {
  switch (size) {
    case TextSize::Caption: return 8.25;
    case TextSize::Body: return 9.0;
    case TextSize::ReportLead: return 9.75;
    case TextSize::KeyFigure: return 10.5;
    case TextSize::ReportTitle: return 16.5;
    case TextSize::StepTime: return 19.5;
  }
  return 9.0;
}

}  // namespace

const Theme& lightTheme() {
  static const Theme theme = makeLight();
  return theme;
}

const Theme& darkTheme() {
  static const Theme theme = makeDark();
  return theme;
}

const Theme& themeOf(ThemeKind kind) {
  return kind == ThemeKind::Dark ? darkTheme() : lightTheme();
}

ThemeKind themeKindFromWord(const QString& word) {
  return word == QLatin1String("dark") ? ThemeKind::Dark : ThemeKind::Light;
}

QPalette makePalette(const Theme& theme) {
  const ControlColors& colors = theme.control;
  QPalette palette;
  palette.setColor(QPalette::Window, colors.window);
  palette.setColor(QPalette::WindowText, colors.text);
  palette.setColor(QPalette::Base, colors.panel);
  palette.setColor(QPalette::AlternateBase, colors.panel2);
  palette.setColor(QPalette::Text, colors.text);
  palette.setColor(QPalette::PlaceholderText, colors.muted);
  palette.setColor(QPalette::Button, colors.raised);
  palette.setColor(QPalette::ButtonText, colors.text);
  palette.setColor(QPalette::BrightText, colors.onAccent);
  palette.setColor(QPalette::Light, colors.panel);
  palette.setColor(QPalette::Midlight, colors.grid);
  palette.setColor(QPalette::Mid, colors.border);
  palette.setColor(QPalette::Dark, colors.border2);
  palette.setColor(QPalette::Shadow, colors.border2);
  palette.setColor(QPalette::Highlight, colors.accent);
  palette.setColor(QPalette::HighlightedText, colors.onAccent);
  palette.setColor(QPalette::Link, colors.accent);
  palette.setColor(QPalette::LinkVisited, colors.accent);
  palette.setColor(QPalette::ToolTipBase, colors.text);
  palette.setColor(QPalette::ToolTipText, colors.panel);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, colors.faint);
  }
  palette.setColor(QPalette::Disabled, QPalette::Highlight, colors.border);
  return palette;
}

QColor fillOf(const Theme& theme, Category category) {
  switch (category) {
    case Category::Forward:
    case Category::Loss: return theme.action.forward;
    case Category::Operator: return theme.action.operators;
    case Category::Backward: return theme.action.backward;
    case Category::BackwardInput: return theme.action.input;
    case Category::BackwardWeight: return theme.action.weight;
    case Category::Optimizer: return theme.action.optimizer;
    case Category::Kernel: return theme.action.kernel;
    case Category::Sync: return theme.action.sync;
    case Category::Other: return theme.action.other;
    default: return theme.action.copy;
  }
}

QColor textOn(const Theme& theme, Category category) {
  switch (category) {
    case Category::Backward: return theme.action.onBackward;
    case Category::BackwardInput: return theme.action.onInput;
    case Category::BackwardWeight: return theme.action.onWeight;
    case Category::Optimizer: return theme.action.onOptimizer;
    case Category::Operator: return theme.action.onOperators;
    case Category::Kernel: return theme.action.onKernel;
    case Category::Sync: return theme.action.onSync;
    case Category::Other: return theme.action.onOther;
    default: return theme.action.onForward;
  }
}

QColor colorOf(const Theme& theme, Cause cause) {
  switch (cause) {
    case Cause::Forward:
    case Cause::Compute: return theme.action.forward;
    case Cause::Backward: return theme.action.backward;
    case Cause::BackwardInput: return theme.action.input;
    case Cause::BackwardWeight: return theme.action.weight;
    case Cause::Optimizer: return theme.action.optimizer;
    case Cause::Warmup: return theme.cause.warmup;
    case Cause::Drain: return theme.cause.drain;
    case Cause::Tail: return theme.cause.tail;
    case Cause::Starved: return theme.cause.starved;
    case Cause::TransferWait: return theme.cause.transfer;
    case Cause::Host: return theme.cause.host;
    case Cause::Unattributed: return theme.cause.unattributed;
  }
  return theme.cause.unattributed;
}

QBrush brushOf(const Theme& theme, Cause cause, qreal devicePixelRatio) {
  const QColor color = colorOf(theme, cause);
  if (analysis::isBusy(cause)) return QBrush(color);
  QPixmap tile = emptyTile(kTileSize, devicePixelRatio);
  QColor ground = color;
  ground.setAlphaF(static_cast<float>(kHatchGroundAlpha));
  tile.fill(ground);
  QPainter painter(&tile);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color, cause == Cause::Drain ? 1.0 : 1.4));
  drawHatch(painter, cause);
  painter.end();
  return QBrush(tile);
}

QBrush estimateHatch(const Theme& theme, qreal devicePixelRatio) {
  // The text color: visible on the darkest and the lightest action in both themes.
  QColor color = theme.control.text;
  color.setAlphaF(0.24F);
  return diagonalLines(color, 6, 1.0, devicePixelRatio);
}

QColor ghostOf(const QColor& color) {
  QColor ghost = color;
  ghost.setAlphaF(0.42F);
  return ghost;
}

QFont fontOf(TextSize size, TextWeight weight) {
  QFont font;
  font.setFamilies({u"Noto Sans"_s, u"Sans Serif"_s});
  font.setStyleHint(QFont::SansSerif);
  font.setPointSizeF(pointsOf(size));
  font.setBold(weight == TextWeight::Bold);
  return font;
}

QFont monospaceFont(TextSize size) {
  QFont font;
  font.setFamilies({u"Noto Sans Mono"_s, u"Monospace"_s});
  font.setStyleHint(QFont::Monospace);
  font.setPointSizeF(pointsOf(size));
  return font;
}

}  // namespace stagelane::ui
