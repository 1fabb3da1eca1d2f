#include "ui/timeline/timeline_legend.h"

#include <QPainter>
#include <QPixmap>
#include <QToolButton>

#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr int kSwatch = 12;
/// Extra width of a labeled button: padding, and gaps to the swatch and to the next button.
constexpr int kBesideWord = 20;

/// A swatch; for a hidden entry only its outline.
QIcon swatch(const QBrush& brush, bool hidden, qreal ratio) {
  QPixmap pixmap(QSize(kSwatch, kSwatch) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  if (hidden) {
    painter.setPen(QPen(brush, 1.0));
    painter.drawRect(QRectF(0.5, 0.5, kSwatch - 1.0, kSwatch - 1.0));
  } else {
    painter.fillRect(QRect(0, 0, kSwatch, kSwatch), brush);
  }
  return QIcon(pixmap);
}

}  // namespace

TimelineLegend::TimelineLegend(QWidget* parent) : QWidget(parent), m_theme(&lightTheme()) {
  setObjectName(u"timelineLegend"_s);
  setAccessibleName(tr("Legend: show or hide kinds of actions and idle causes"));
  rowLayout(this, {.margins = {0, 0, 0, 0}, .spacing = 2});
}

void TimelineLegend::setTheme(const Theme& theme) {
  m_theme = &theme;
  rebuild();
}

void TimelineLegend::setFilter(const LegendFilter& filter) {
  if (filter == m_filter) return;
  m_filter = filter;
  rebuild();
}

void TimelineLegend::setRoom(int widthPx) {
  m_room = widthPx;
  updateWords();
}

void TimelineLegend::setColorBy(ColorBy colorBy) {
  m_colorBy = colorBy;
  rebuild();
}

void TimelineLegend::setData(const TimelineDataPtr& timeline) {
  m_timeline = timeline;
  m_categories = timeline ? legendEntries(timeline->categories()) : std::vector<trace::Category>{};
  m_causes = timeline ? timeline->idleCauses() : std::vector<analysis::Cause>{};
  rebuild();
}

void TimelineLegend::rebuild() {
  while (QLayoutItem* item = layout()->takeAt(0)) {
    if (item->widget() != nullptr) {
      item->widget()->hide();
      item->widget()->deleteLater();
    }
    delete item;
  }
  m_buttons.clear();
  addNumbers();
  addCategories();
  addCauses();
  updateWords();
}

void TimelineLegend::addNumbers() {
  if (!m_timeline) return;
  for (const NumberedEntry& entry : numberedEntries(*m_timeline, m_colorBy)) {
    const auto place = static_cast<std::size_t>(entry.color) - trace::kCategoryCount;
    auto* button = add({u"number.%1"_s.arg(place), entry.text, m_theme->numbered[place], false});
    button->setCheckable(false);
    button->setFocusPolicy(Qt::NoFocus);
    button->setAccessibleName(entry.text);
    button->setToolTip(tr("This color is %1").arg(entry.text));
  }
}

void TimelineLegend::addCategories() {
  for (const trace::Category category : m_categories) {
    // If colors show numbers, kinds have none.
    const QBrush brush = m_colorBy == ColorBy::Kind ? QBrush(fillOf(*m_theme, category))
                                                    : QBrush(m_theme->control.border2);
    auto* button = addSwitch(
        {qstring(trace::word(category)), categoryText(category), brush, hides(m_filter, category)});
    connect(button, &QToolButton::toggled, this, [this, category](bool on) {
      setSwitchedOff(m_filter, category, !on);
      showStates();
      Q_EMIT filterChanged();
    });
  }
}

void TimelineLegend::addCauses() {
  for (const analysis::Cause cause : m_causes) {
    auto* button =
        addSwitch({qstring(analysis::word(cause)), causeText(cause),
                   brushOf(*m_theme, cause, devicePixelRatioF()), hides(m_filter, cause)});
    connect(button, &QToolButton::toggled, this, [this, cause](bool on) {
      setSwitchedOff(m_filter, cause, !on);
      showStates();
      Q_EMIT filterChanged();
    });
  }
}

QToolButton* TimelineLegend::addSwitch(const Entry& entry) {
  QToolButton* button = add(entry);
  // The status bar shows the button only later.
  addAction(new ControlAction(tr("Legend: hide or show %1").arg(entry.text), button, button,
                              WhileHidden::On));
  return button;
}

QToolButton* TimelineLegend::add(const Entry& entry) {
  auto* button = new QToolButton(this);
  button->setObjectName(u"legend."_s + entry.name);
  button->setAccessibleName(tr("Show %1").arg(entry.text));
  button->setToolTip(tr("Click to hide or show: %1").arg(entry.text));
  button->setText(entry.text);
  setLook(button, u"legend"_s);
  button->setFixedHeight(measure::kStatusBarHeight - 4);
  button->setStyleSheet(u"min-height: 0;"_s);
  button->setCheckable(true);
  button->setChecked(!entry.hidden);
  button->setFont(fontOf(TextSize::Caption));
  layout()->addWidget(button);
  m_buttons.emplace_back(button, entry.brush);
  showState(*button, entry.brush);
  return button;
}

void TimelineLegend::showState(QToolButton& button, const QBrush& brush) {
  const bool hidden = button.isCheckable() && !button.isChecked();
  button.setIcon(swatch(brush, hidden, devicePixelRatioF()));
  QFont font = button.font();
  font.setStrikeOut(hidden);
  button.setFont(font);
}

void TimelineLegend::showStates() {
  for (const auto& [button, brush] : m_buttons) showState(*button, brush);
}

void TimelineLegend::updateWords() {
  int wanted = 0;
  for (const auto& each : m_buttons) {
    wanted +=
        kSwatch + kBesideWord + each.first->fontMetrics().horizontalAdvance(each.first->text());
  }
  const auto style = wanted <= m_room ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly;
  for (const auto& each : m_buttons) each.first->setToolButtonStyle(style);
}

}  // namespace stagelane::ui
