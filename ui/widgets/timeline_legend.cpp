#include "ui/widgets/timeline_legend.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPixmap>
#include <QToolButton>
#include <algorithm>

#include "ui/models/formatting.h"
#include "ui/widgets/look.h"

namespace stagelane::ui {
namespace {

constexpr int kSwatch = 12;

/// Paints a swatch; the brush says what it stands for.
QIcon swatch(const QBrush& brush, qreal ratio) {
  QPixmap pixmap(QSize(kSwatch, kSwatch) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.fillRect(QRect(0, 0, kSwatch, kSwatch), brush);
  return QIcon(pixmap);
}

template <class T>
void toggle(std::vector<T>& values, T value, bool present) {
  values.erase(std::remove(values.begin(), values.end(), value), values.end());
  if (present) values.push_back(value);
}

}  // namespace

TimelineLegend::TimelineLegend(QWidget* parent) : QWidget(parent), m_theme(&lightTheme()) {
  setObjectName(QStringLiteral("timelineLegend"));
  setAccessibleName(QStringLiteral("Legend: switches kinds of actions and idle causes on and off"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
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

void TimelineLegend::setCompact(bool compact) {
  if (compact == m_compact) return;
  m_compact = compact;
  rebuild();
}

void TimelineLegend::setData(const TimelineDataPtr& timeline) {
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
  const auto add = [this](const QString& name, const QString& text, const QBrush& brush,
                          bool hidden) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("legend.") + name);
    button->setAccessibleName(QStringLiteral("Show %1").arg(text));
    button->setToolTip(QStringLiteral("Click to hide or show: %1").arg(text));
    button->setText(text);
    button->setIcon(swatch(brush, devicePixelRatioF()));
    button->setToolButtonStyle(m_compact ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    setLook(button, QStringLiteral("flat"));
    button->setFixedHeight(measure::kStatusBarHeight - 4);
    button->setStyleSheet(QStringLiteral("min-height: 0;"));
    button->setCheckable(true);
    button->setChecked(!hidden);
    button->setFont(fontOf(TextSize::Caption));
    layout()->addWidget(button);
    return button;
  };
  for (const trace::Category category : m_categories) {
    const bool hidden = std::count(m_filter.hiddenCategories.begin(),
                                   m_filter.hiddenCategories.end(), category) != 0;
    auto* button = add(qstring(trace::word(category)), categoryText(category),
                       fillOf(*m_theme, category), hidden);
    connect(button, &QToolButton::toggled, this, [this, category](bool on) {
      for (int each = 0; each <= static_cast<int>(trace::Category::Other); ++each) {
        const auto member = static_cast<trace::Category>(each);
        if (legendCategory(member) == category) toggle(m_filter.hiddenCategories, member, !on);
      }
      Q_EMIT filterChanged();
    });
  }
  for (const analysis::Cause cause : m_causes) {
    const bool hidden =
        std::count(m_filter.hiddenCauses.begin(), m_filter.hiddenCauses.end(), cause) != 0;
    auto* button = add(qstring(analysis::word(cause)), causeText(cause),
                       brushOf(*m_theme, cause, devicePixelRatioF()), hidden);
    connect(button, &QToolButton::toggled, this, [this, cause](bool on) {
      toggle(m_filter.hiddenCauses, cause, !on);
      Q_EMIT filterChanged();
    });
  }
}

}  // namespace stagelane::ui
