#include "ui/kit/combo.h"

#include <QAbstractItemView>
#include <QGuiApplication>
#include <QPainter>
#include <QScreen>
#include <QStyle>
#include <QWheelEvent>
#include <algorithm>

#include "ui/kit/icons.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr int kArrow = 16;

}  // namespace

Combo::Combo(const CurrentTheme* theme, QWidget* parent) : QComboBox(parent), m_theme(theme) {
  setFocusPolicy(Qt::StrongFocus);
}

Combo::Combo(QWidget* parent) : Combo(nullptr, parent) {}

void Combo::showPopup() {
  const int bar =
      count() > maxVisibleItems() ? style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0;
  const int entries = view()->sizeHintForColumn(0) + bar + 2 * view()->frameWidth();
  const int most = screen() == nullptr ? entries : screen()->availableGeometry().width();
  view()->setMinimumWidth(std::min(entries, most));
  QComboBox::showPopup();
}

void Combo::hidePopup() {
  const bool open = view()->isVisible();
  QComboBox::hidePopup();
  if (open) Q_EMIT listClosed();
}

void Combo::paintEvent(QPaintEvent* event) {
  QComboBox::paintEvent(event);
  QPainter painter(this);
  const QPalette palette = QGuiApplication::palette();
  const QColor on = m_theme != nullptr ? m_theme->theme().control.muted
                                       : palette.color(QPalette::PlaceholderText);
  const QColor off = m_theme != nullptr ? m_theme->theme().control.faint
                                        : palette.color(QPalette::Disabled, QPalette::Text);
  paintIcon(painter, u"down"_s, isEnabled() ? on : off,
            QRectF(width() - kArrow - 5, (height() - kArrow) / 2.0, kArrow, kArrow));
}

void Combo::wheelEvent(QWheelEvent* event) {
  // Scrolling past a combo box must not change an experiment.
  if (hasFocus()) {
    QComboBox::wheelEvent(event);
  } else {
    event->ignore();
  }
}

PrimaryButton::PrimaryButton(const CurrentTheme* theme, QWidget* parent)
    : QToolButton(parent), m_theme(theme) {
  setProperty("look", u"primary"_s);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setFocusPolicy(Qt::StrongFocus);
}

void PrimaryButton::paintEvent(QPaintEvent* event) {
  QToolButton::paintEvent(event);
  if (menu() == nullptr) return;
  QPainter painter(this);
  const ControlColors& colors = m_theme->theme().control;
  paintIcon(painter, u"down"_s, isEnabled() ? colors.onAccent : colors.faint,
            QRectF((width() - kArrow) / 2.0, (height() - kArrow) / 2.0, kArrow, kArrow));
}

}  // namespace stagelane::ui
