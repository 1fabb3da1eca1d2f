#include "ui/frame/banner.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

/// One text for screen readers; the title may already end as a sentence.
QString joined(const QString& title, const QString& detail) {
  if (detail.isEmpty()) return title;
  const bool ended = title.endsWith(QChar(u'.'));
  return title + (ended ? u" "_s : u". "_s) + detail;
}

}  // namespace

Banner::Banner(const CurrentTheme* theme, const QString& name, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_title(new QLabel(this)),
      m_detail(new QLabel(this)),
      m_buttons(new QHBoxLayout) {
  setObjectName(name);
  m_title->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  m_title->setWordWrap(true);
  m_detail->setWordWrap(true);
  m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* text = columnLayout({.spacing = 2}, {m_title, m_detail});
  m_buttons->setSpacing(measure::kControlGap);
  rowLayout(this, {.margins = {40, 7, 12, 7}}, {{text, 1}, m_buttons});
  hide();
}

void Banner::show(Tone tone, const QString& title, const QString& detail,
                  const std::vector<BannerButton>& buttons) {
  m_tone = tone;
  m_title->setText(title);
  m_detail->setText(detail);
  m_detail->setVisible(!detail.isEmpty());
  setAccessibleName(joined(title, detail));
  for (QAction* old : actions()) {
    removeAction(old);  // owned by its button, which may be the one just pressed
  }
  while (QLayoutItem* item = m_buttons->takeAt(0)) {
    item->widget()->deleteLater();
    item->widget()->hide();
    delete item;
  }
  for (const BannerButton& entry : buttons) {
    auto* button = new QPushButton(entry.text, this);
    setNames(button, entry.name, entry.text);
    button->setToolTip(entry.tip);
    // A click leaves the focus on the page, where it stays when the banner disappears.
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QPushButton::clicked, this, entry.act);
    addAction(new ControlAction(entry.text, button, this));
    m_buttons->addWidget(button);
  }
  setVisible(true);
  update();
}

void Banner::clear() { hide(); }

QPushButton* Banner::button(const QString& name) const {
  for (int at = 0; !isHidden() && at < m_buttons->count(); ++at) {
    auto* button = qobject_cast<QPushButton*>(m_buttons->itemAt(at)->widget());
    if (button->objectName() == name) return button;
  }
  return nullptr;
}

double Banner::firstLineMiddle() const {
  // The title's box is higher than its lines if the buttons are.
  const double line = QFontMetricsF(m_title->font()).lineSpacing();
  const double lines = std::max(1.0, std::round(m_title->heightForWidth(m_title->width()) / line));
  return m_title->y() + m_title->height() / 2.0 - (lines - 1.0) * line / 2.0;
}

void Banner::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ToneColors colors = colorsOf(m_theme->theme(), m_tone);
  painter.fillRect(rect(), colors.ground);
  painter.fillRect(QRect(0, height() - 1, width(), 1), colors.text);
  const bool bad = m_tone == Tone::Error || m_tone == Tone::Warning;
  paintIcon(painter, bad ? u"warn"_s : u"info"_s, colors.text,
            QRectF(13, firstLineMiddle() - 9.0, 18, 18));
  QPalette palette = m_title->palette();
  if (palette.color(QPalette::WindowText) != colors.text) {
    palette.setColor(QPalette::WindowText, colors.text);
    m_title->setPalette(palette);
  }
}

}  // namespace stagelane::ui
