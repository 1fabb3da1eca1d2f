#include "ui/widgets/variant_tabs.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/models/formatting.h"
#include "ui/models/measured_plan.h"
#include "ui/models/plan_edits.h"
#include "ui/models/schedule_choices.h"
#include "ui/widgets/icons.h"

namespace stagelane::ui {
namespace {

constexpr int kCheck = 14;
constexpr int kPadding = 12;
constexpr int kGap = 8;
constexpr int kSummaryWidth = 150;
constexpr int kArrow = 22;  ///< of the two that scroll where tabs do not fit
constexpr int kAdd = 24;
constexpr int kScrollStep = 160;

}  // namespace

VariantTabs::VariantTabs(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_editor(new QLineEdit(this)) {
  setObjectName(QStringLiteral("variantTabs"));
  setAccessibleName(tr("Variants"));
  setFixedHeight(measure::kTabHeight);
  setFocusPolicy(Qt::TabFocus);
  setMouseTracking(true);
  m_editor->setObjectName(QStringLiteral("variantName"));
  m_editor->setAccessibleName(tr("Name of the variant"));
  m_editor->hide();
  connect(m_editor, &QLineEdit::editingFinished, this, &VariantTabs::finishRename);
  connect(session, &Session::documentChanged, this, &VariantTabs::relayout);
  connect(session, &Session::currentVariantChanged, this, &VariantTabs::relayout);
  connect(session, &Session::resultChanged, this, &VariantTabs::relayout);
  connect(session, &Session::predictionChanged, this, &VariantTabs::relayout);
  connect(session, &Session::themeChanged, this, [this] { update(); });
  relayout();
}

void VariantTabs::setBadge(const VariantTab& tab, Place& place) const {
  const auto set = [&](const QString& text, Tone tone, const QString& tip) {
    place.badge = text;
    place.tone = tone;
    place.tip = tip;
  };
  if (tab.error) {
    set(tr("Impossible"), Tone::Error, errorText(*tab.error));
    return;
  }
  const QString shown = tab.variantIds.contains(m_session->currentVariantId())
                            ? m_session->currentVariantId()
                            : tab.variantIds.value(0);
  const auto experiment = m_session->experiment();
  const plan::Variant* variant = experiment ? experiment->variantById(utf8(shown)) : nullptr;
  if (const QString breach = variant != nullptr ? unsuited(*experiment, *variant) : QString();
      !breach.isEmpty()) {
    set(tr("Impossible"), Tone::Error, breach);
    return;
  }
  const record::VariantResult* result = m_session->resultOf(shown);
  const PlanPredictionPtr prediction = m_session->prediction();
  const bool predicted = prediction && prediction->variantId == utf8(shown);
  if (predicted && !m_session->predictionStale() && !prediction->impediment().isEmpty() &&
      (result == nullptr || !measuredAsItIs(*m_session, shown))) {
    set(tr("Does not fit"), Tone::Error, prediction->impediment());
    return;
  }
  if (const auto& error = m_session->predictionError();
      error && !m_session->predictionStale() && shown == m_session->currentVariantId()) {
    set(tr("Impossible"), Tone::Error, errorText(*error));
    return;
  }
  if (result == nullptr) {
    set(tr("Predicted"), Tone::Accent, tr("Not measured yet"));
    return;
  }
  const QString reason = qstring(result->reason);
  switch (result->status) {
    case record::RunStatus::Done:
      if (!measuredAsItIs(*m_session, shown)) {
        set(tr("Predicted"), Tone::Accent,
            tr("Changed since it was measured: %1 a step then").arg(timeText(result->stepNs)));
        return;
      }
      set(tr("Measured"), Tone::Success, tr("%1 a step").arg(timeText(result->stepNs)));
      return;
    case record::RunStatus::Failed: set(tr("Failed"), Tone::Error, reason); return;
    case record::RunStatus::Canceled: set(tr("Canceled"), Tone::Warning, reason); return;
    case record::RunStatus::NotRun:
      set(reason.contains(QLatin1String("fit")) ? tr("Does not fit") : tr("Not run"), Tone::Error,
          reason);
      return;
    case record::RunStatus::Running: set(tr("Running"), Tone::Accent, tr("Being measured")); return;
  }
}

void VariantTabs::relayout() {
  m_places.clear();
  const QFont bold = fontOf(TextSize::Body, TextWeight::Bold);
  const QFontMetrics metrics(bold);
  int x = 0;
  for (const VariantTab& tab : m_session->document().tabs()) {
    Place place;
    place.id = tab.id;
    const auto members = tab.variantIds.size();
    place.name = metrics.elidedText(
        tab.sweep() ? QStringLiteral("%1 (%2)").arg(tab.name.simplified()).arg(members)
                    : tab.name.simplified(),
        Qt::ElideRight, 180);
    place.include = tab.include;
    setBadge(tab, place);
    const bool current = tab.id == m_session->currentTabId();
    const int width = kPadding + kCheck + kGap + metrics.horizontalAdvance(place.name) + kGap +
                      paintBadge(nullptr, m_session->theme(), {}, place.badge, place.tone) +
                      (current ? 22 : 0) + kPadding;
    place.tab = QRect(x - m_scroll, 0, width, height());
    place.check = QRect(place.tab.left() + kPadding, (height() - kCheck) / 2, kCheck, kCheck);
    if (current) {
      place.menu = QRect(place.tab.right() - kPadding - 14, (height() - 16) / 2, 18, 16);
    }
    x += width;
    m_places.push_back(place);
  }
  m_total = x;
  placeEnds();
  const int available = room();
  const int limit = std::max(0, m_total - available);
  if (const Place* current = placeOf(m_session->currentTabId())) {
    int wanted = m_scroll;
    if (current->tab.left() < 0) {
      wanted += current->tab.left();
    } else if (current->tab.right() > available) {
      wanted += std::min(current->tab.left(), current->tab.right() - available);
    }
    wanted = std::clamp(wanted, 0, limit);
    if (wanted != m_scroll) {
      m_scroll = wanted;
      relayout();
      return;
    }
  }
  update();
}

bool VariantTabs::overflows() const {
  return m_total + kAdd + 8 > std::max(0, width() - kSummaryWidth);
}

/// For the tabs themselves.
int VariantTabs::room() const {
  const int ends = overflows() ? 2 * kArrow + kAdd + 8 : kAdd + 8;
  return std::max(0, width() - kSummaryWidth - ends);
}

/// The + is behind the last tab, or behind the arrows: it never leaves the window.
void VariantTabs::placeEnds() {
  const int middle = height() / 2;
  const int left = overflows() ? room() : m_total - m_scroll;
  m_before = overflows() ? QRect(left, middle - 12, kArrow, 24) : QRect();
  m_after = overflows() ? QRect(left + kArrow, middle - 12, kArrow, 24) : QRect();
  m_add = QRect(left + (overflows() ? 2 * kArrow : 0) + 4, middle - kAdd / 2, kAdd, kAdd);
}

void VariantTabs::scrollBy(int pixels) {
  m_scroll = std::clamp(m_scroll + pixels, 0, std::max(0, m_total - room()));
  int x = -m_scroll;
  for (Place& place : m_places) {
    const int shift = x - place.tab.left();
    place.tab.translate(shift, 0);
    place.check.translate(shift, 0);
    place.menu.translate(shift, 0);
    x += place.tab.width();
  }
  placeEnds();
  update();
}

void VariantTabs::resizeEvent(QResizeEvent*) { relayout(); }

void VariantTabs::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const ControlColors& colors = m_session->theme().control;
  painter.fillRect(rect(), colors.window);
  const int available = room();
  painter.save();
  painter.setClipRect(0, 0, available, height());
  for (const Place& place : m_places) {
    paintTab(painter, place);
  }
  painter.restore();
  paintIcon(painter, QStringLiteral("plus"), colors.muted, QRectF(m_add.adjusted(4, 4, -4, -4)));
  if (overflows()) {
    const bool more = m_scroll < m_total - room();
    paintIcon(painter, QStringLiteral("left"), m_scroll > 0 ? colors.text : colors.faint,
              QRectF(m_before.adjusted(3, 4, -3, -4)));
    paintIcon(painter, QStringLiteral("right"), more ? colors.text : colors.faint,
              QRectF(m_after.adjusted(3, 4, -3, -4)));
  }
  painter.setPen(colors.border);
  painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
  if (const Place* current = placeOf(m_session->currentTabId())) {
    // The current tab is open towards the toolbar below.
    painter.fillRect(
        QRectF(current->tab.left() + 0.5, height() - 1.0,
               std::min(current->tab.width(), available - current->tab.left()) - 1.0, 1),
        colors.panel);
  }
  const auto included = std::count_if(m_places.begin(), m_places.end(),
                                      [](const Place& place) { return place.include; });
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(colors.muted);
  painter.drawText(QRect(width() - kSummaryWidth, 0, kSummaryWidth - kPadding, height()),
                   Qt::AlignVCenter | Qt::AlignRight,
                   tr("included in Run: %1 of %2").arg(included).arg(m_places.size()));
}

void VariantTabs::paintTab(QPainter& painter, const Place& place) const {
  const ControlColors& colors = m_session->theme().control;
  const bool current = place.id == m_session->currentTabId();
  if (current) {
    painter.fillRect(place.tab, colors.panel);
    painter.fillRect(QRect(place.tab.left(), 0, place.tab.width(), 2), colors.accent);
  }
  painter.setPen(colors.border);
  painter.drawLine(QPointF(place.tab.right() + 0.5, 0), QPointF(place.tab.right() + 0.5, height()));
  const QRectF box = QRectF(place.check).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(place.include ? colors.accent : colors.border2);
  painter.setBrush(place.include ? colors.accent : colors.raised);
  painter.drawRoundedRect(box, 3, 3);
  if (place.include) {
    paintIcon(painter, QStringLiteral("check"), colors.onAccent, box.adjusted(-1, -1, 1, 1));
  }
  painter.setFont(fontOf(TextSize::Body, current ? TextWeight::Bold : TextWeight::Regular));
  painter.setPen(colors.text);
  const int left = place.check.right() + 1 + kGap;
  painter.drawText(QRect(left, 0, place.tab.width(), height()), Qt::AlignVCenter, place.name);
  const int textWidth = QFontMetrics(painter.font()).horizontalAdvance(place.name);
  paintBadge(&painter, m_session->theme(),
             {left + textWidth + kGap, (height() - measure::kBadgeHeight) / 2}, place.badge,
             place.tone);
  if (current) {
    paintIcon(painter, QStringLiteral("down"), colors.muted, QRectF(place.menu));
    if (hasFocus()) {
      painter.setPen(QPen(colors.accent, 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(QRectF(place.tab).adjusted(3, 4, -3, -3), 3, 3);
    }
  }
}

const VariantTabs::Place* VariantTabs::placeAt(const QPoint& at) const {
  const auto found = std::find_if(m_places.begin(), m_places.end(), [&](const Place& place) {
    return place.tab.contains(at) && at.x() < room();
  });
  return found == m_places.end() ? nullptr : &*found;
}

const VariantTabs::Place* VariantTabs::placeOf(const QString& id) const {
  const auto found = std::find_if(m_places.begin(), m_places.end(),
                                  [&](const Place& place) { return place.id == id; });
  return found == m_places.end() ? nullptr : &*found;
}

void VariantTabs::mousePressEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  if (event->button() != Qt::LeftButton) {
    return;
  }
  if (m_add.contains(at)) {
    duplicate(m_session->currentTabId());
    return;
  }
  if (m_before.contains(at) || m_after.contains(at)) {
    scrollBy(m_before.contains(at) ? -kScrollStep : kScrollStep);
    return;
  }
  const Place* place = placeAt(at);
  if (place == nullptr) {
    return;
  }
  const QString id = place->id;
  if (place->check.adjusted(-4, -6, 4, 6).contains(at)) {
    toggleInclude(id);
  } else if (place->menu.contains(at)) {
    showMenu(id, mapToGlobal(QPoint(place->menu.left(), height())));
  } else {
    m_session->setCurrentTab(id);
  }
}

void VariantTabs::mouseDoubleClickEvent(QMouseEvent* event) {
  const Place* place = placeAt(event->position().toPoint());
  if (place != nullptr &&
      !place->check.adjusted(-4, -6, 4, 6).contains(event->position().toPoint())) {
    startRename(place->id);
  }
}

void VariantTabs::mouseMoveEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  const bool end = m_add.contains(at) || m_before.contains(at) || m_after.contains(at);
  setCursor(end || placeAt(at) != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void VariantTabs::contextMenuEvent(QContextMenuEvent* event) {
  if (const Place* place = placeAt(event->pos())) {
    const QString id = place->id;
    m_session->setCurrentTab(id);
    showMenu(id, event->globalPos());
  }
}

void VariantTabs::showMenu(const QString& id, const QPoint& globalAt) {
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("variantMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](const QString& text, const QString& name, auto act) {
    menu->addAction(text, this, act)->setObjectName(name);
  };
  const VariantTab* tab = m_session->document().tab(id);
  const bool included = tab != nullptr && tab->include;
  add(included ? tr("Leave out of Run\tSpace") : tr("Include in Run\tSpace"),
      QStringLiteral("includeTab"), [this, id] { toggleInclude(id); });
  menu->addSeparator();
  add(tr("Rename\tF2"), QStringLiteral("renameTab"), [this, id] { startRename(id); });
  add(tr("Duplicate\tCtrl+D"), QStringLiteral("duplicateTab"), [this, id] { duplicate(id); });
  if (m_session->document().tabs().size() > 1) {
    add(tr("Delete\tDel"), QStringLiteral("deleteTab"), [this, id] { remove(id); });
  }
  menu->popup(globalAt);
}

void VariantTabs::keyPressEvent(QKeyEvent* event) {
  const QString id = m_session->currentTabId();
  if (m_session->document().tab(id) == nullptr) {
    return;
  }
  if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
    step(event->key() == Qt::Key_Left ? -1 : 1);
  } else if (event->key() == Qt::Key_Space) {
    toggleInclude(id);
  } else if (event->key() == Qt::Key_F2) {
    startRename(id);
  } else if (event->key() == Qt::Key_Delete) {
    remove(id);
  } else {
    QWidget::keyPressEvent(event);
  }
}

void VariantTabs::wheelEvent(QWheelEvent* event) {
  const QPoint delta = event->angleDelta();
  scrollBy(-(delta.y() + delta.x()) / 2);
}

bool VariantTabs::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Place* place = placeAt(help->pos());
    QString text;
    if (m_add.contains(help->pos())) {
      text = tr("New variant: a copy of this one");
    } else if (place != nullptr) {
      text = place->check.contains(help->pos()) ? tr("Include in Run") : place->tip;
    }
    QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QWidget::event(event);
}

void VariantTabs::step(int places) {
  const auto& tabs = m_session->document().tabs();
  const VariantTab* here = m_session->document().tab(m_session->currentTabId());
  if (here == nullptr) {
    return;
  }
  const auto last = static_cast<int>(tabs.size()) - 1;
  const int next = std::clamp(static_cast<int>(here->index) + places, 0, last);
  m_session->setCurrentTab(QString(tabs[static_cast<std::size_t>(next)].id));
}

void VariantTabs::toggleInclude(const QString& id) {
  ExperimentDocument& document = m_session->document();
  if (const VariantTab* tab = document.tab(id)) {
    const QString step =
        (tab->include ? tr("Leave %1 out of Run") : tr("Include %1 in Run")).arg(tab->name);
    document.apply(step, withVariantMember(document.json(), tab->index, "include", !tab->include));
  }
}

void VariantTabs::duplicate(const QString& tabId) {
  ExperimentDocument& document = m_session->document();
  if (const VariantTab* tab = document.tab(tabId)) {
    const std::size_t index = tab->index;
    document.apply(tr("Duplicate %1").arg(tab->name),
                   withDuplicatedVariant(document.json(), index));
    if (index + 1 < document.tabs().size()) {
      m_session->setCurrentTab(QString(document.tabs()[index + 1].id));
    }
  }
}

void VariantTabs::remove(const QString& tabId) {
  ExperimentDocument& document = m_session->document();
  const VariantTab* tab = document.tab(tabId);
  if (tab != nullptr && document.tabs().size() > 1) {
    document.apply(tr("Delete %1").arg(tab->name), withoutVariant(document.json(), tab->index));
  }
}

void VariantTabs::startRename(const QString& tabId) {
  const Place* place = placeOf(tabId);
  const VariantTab* tab = m_session->document().tab(tabId);
  if (place == nullptr || tab == nullptr) {
    return;
  }
  m_renaming = tabId;
  m_editor->setText(tab->name);
  m_editor->setGeometry(place->check.right() + 4, 5, std::max(140, place->tab.width() - 40), 26);
  m_editor->show();
  m_editor->setFocus();
  m_editor->selectAll();
}

void VariantTabs::finishRename() {
  const QString id = m_renaming;
  const QString name = m_editor->text().trimmed();
  m_renaming.clear();
  m_editor->hide();
  ExperimentDocument& document = m_session->document();
  const VariantTab* tab = document.tab(id);
  if (tab == nullptr || name.isEmpty() || name == tab->name) {
    return;
  }
  const std::size_t index = tab->index;
  document.apply(tr("Rename %1 to %2").arg(tab->name, name),
                 withRenamedVariant(document.json(), index, name));
}

QList<VirtualControl> VariantTabs::virtualControls() const {
  QList<VirtualControl> controls;
  const QRect seen(0, 0, room(), height());
  for (const Place& place : m_places) {
    if (!seen.intersects(place.check)) {
      continue;
    }
    const bool current = place.id == m_session->currentTabId();
    controls.append(
        {QStringLiteral("variant.") + place.id, QStringLiteral("tab"), place.name,
         current ? QStringLiteral("current") : QString(),
         place.tab.adjusted(place.check.right() - place.tab.left() + 6, 2, 0, -2).intersected(seen),
         true});
    controls.append({QStringLiteral("include.") + place.id, QStringLiteral("checkbox"), place.name,
                     place.include ? QStringLiteral("true") : QStringLiteral("false"), place.check,
                     true});
  }
  if (overflows()) {
    controls.append({QStringLiteral("tabsBefore"),
                     QStringLiteral("button"),
                     tr("Tabs to the left"),
                     {},
                     m_before,
                     m_scroll > 0});
    controls.append({QStringLiteral("tabsAfter"),
                     QStringLiteral("button"),
                     tr("Tabs to the right"),
                     {},
                     m_after,
                     m_scroll < m_total - room()});
  }
  controls.append(
      {QStringLiteral("newVariant"), QStringLiteral("button"), tr("New variant"), {}, m_add, true});
  return controls;
}

}  // namespace stagelane::ui
