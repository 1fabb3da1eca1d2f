#include "ui/kit/badge.h"

#include <QFontMetrics>
#include <QPainter>

#include "ui/kit/icons.h"

namespace stagelane::ui {
namespace {

constexpr int kPadding = 6;
constexpr int kIconSize = 12;

}  // namespace

Tone toneOf(predict::Basis basis) {
  const bool doubtful = basis == predict::Basis::Estimate || basis == predict::Basis::Stale;
  return doubtful ? Tone::Warning : Tone::Success;
}

ToneColors colorsOf(const Theme& theme, Tone tone) {
  const ControlColors& colors = theme.control;
  switch (tone) {
    case Tone::Accent: return {colors.accent, colors.accentSoft};
    case Tone::Success: return {colors.success, colors.successGround};
    case Tone::Warning: return {colors.warning, colors.warningGround};
    case Tone::Error: return {colors.error, colors.errorGround};
    case Tone::Neutral: break;
  }
  return {colors.muted, colors.panel2};
}

int paintBadge(QPainter* painter, const Theme& theme, const QPoint& topLeft, const QString& text,
               Tone tone, const QString& iconName) {
  const QFont font = fontOf(TextSize::Caption);
  const int iconSpace = iconName.isEmpty() ? 0 : kIconSize + 4;
  const int width = QFontMetrics(font).horizontalAdvance(text) + 2 * kPadding + iconSpace;
  if (painter == nullptr) return width;
  const ToneColors colors = colorsOf(theme, tone);
  const QRect rect(topLeft, QSize(width, measure::kBadgeHeight));
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(tone == Tone::Neutral ? QPen(theme.control.border) : QPen(Qt::NoPen));
  painter->setBrush(colors.ground);
  painter->drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), measure::kChipRadius,
                           measure::kChipRadius);
  if (!iconName.isEmpty()) {
    paintIcon(*painter, iconName, colors.text,
              QRectF(rect.left() + kPadding - 1, rect.top() + (rect.height() - kIconSize) / 2.0,
                     kIconSize, kIconSize));
  }
  painter->setPen(colors.text);
  painter->setFont(font);
  painter->drawText(rect.adjusted(kPadding + iconSpace, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                    text);
  painter->restore();
  return width;
}

Badge::Badge(QWidget* parent) : QWidget(parent), m_theme(&lightTheme()) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::show(const Theme& theme, const QString& text, Tone tone, const QString& iconName) {
  m_theme = &theme;
  m_text = text;
  m_tone = tone;
  m_icon = iconName;
  setVisible(!text.isEmpty());
  setAccessibleName(text);
  updateGeometry();
  update();
}

QSize Badge::sizeHint() const {
  return {paintBadge(nullptr, *m_theme, {}, m_text, m_tone, m_icon), measure::kBadgeHeight};
}

void Badge::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintBadge(&painter, *m_theme, {0, 0}, m_text, m_tone, m_icon);
}

}  // namespace stagelane::ui
