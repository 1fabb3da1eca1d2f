#include "ui/plan/variants/variant_tabs.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QShortcut>
#include <QToolTip>
#include <algorithm>

#include "engine/plan/experiment.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/look.h"
#include "ui/kit/painted_access.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/document/tab_edits.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kScrollStep = 160;

}  // namespace

VariantTabs::VariantTabs(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_editor(new QLineEdit(this)) {
  setObjectName(u"variantTabs"_s);
  setAccessibleName(tr("Variants"));
  setFixedHeight(measure::kTabHeight);
  setFocusPolicy(Qt::TabFocus);
  setMouseTracking(true);
  m_editor->setObjectName(u"variantName"_s);
  m_editor->setAccessibleName(tr("Variant name"));
  m_editor->hide();
  connect(m_editor, &QLineEdit::editingFinished, this, &VariantTabs::finishRename);
  auto* keepName = new QShortcut(Qt::Key_Escape, m_editor);
  keepName->setContext(Qt::WidgetShortcut);
  connect(keepName, &QShortcut::activated, this, [this] {
    m_renaming.clear();
    endEditing();
  });
  connect(&session->document(), &ExperimentDocument::changed, this, &VariantTabs::relayout);
  connect(&session->selection(), &VariantSelection::changed, this, [this] {
    relayout();
    tellPaintedFocus(this);
  });
  connect(&session->results(), &MeasuredResults::changed, this, &VariantTabs::relayout);
  connect(&session->predictor(), &Predictor::changed, this, &VariantTabs::relayout);
  connect(session->currentTheme(), &CurrentTheme::changed, this, [this] { update(); });
  relayout();
}

void VariantTabs::relayout() {
  m_tabs.clear();
  const QFontMetrics metrics(fontOf(TextSize::Body, TextWeight::Bold));
  std::vector<int> widths;
  int shown = -1;
  for (const VariantTab& tab : m_session->document().tabs()) {
    Tab told;
    told.id = tab.id;
    const auto members = tab.variantIds.size();
    told.name = metrics.elidedText(
        tab.sweep() ? u"%1 (%2)"_s.arg(tab.name.simplified()).arg(members) : tab.name.simplified(),
        Qt::ElideRight, 180);
    told.include = tab.include;
    told.badge = badgeOf(*m_session, tab);
    const bool current = tab.id == m_session->selection().tabId();
    shown = current ? static_cast<int>(widths.size()) : shown;
    widths.push_back(TabLayout::widthOf(metrics.horizontalAdvance(told.name),
                                        paintBadge(nullptr, m_session->currentTheme()->theme(), {},
                                                   told.badge.text, told.badge.tone),
                                        current));
    m_tabs.push_back(told);
  }
  m_layout.place(size(), widths, shown);
  update();
}

void VariantTabs::scrollBy(int pixels) {
  m_layout.scrollBy(pixels);
  update();
}

void VariantTabs::resizeEvent(QResizeEvent*) { relayout(); }

void VariantTabs::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const ControlColors& colors = m_session->currentTheme()->theme().control;
  painter.fillRect(rect(), colors.window);
  const int available = m_layout.room();
  painter.save();
  painter.setClipRect(0, 0, available, height());
  for (std::size_t tab = 0; tab < m_tabs.size(); ++tab) {
    paintTab(painter, m_tabs[tab], m_layout.places()[tab]);
  }
  painter.restore();
  paintEnds(painter);
  painter.setPen(colors.border);
  painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
  if (const int current = indexOf(m_session->selection().tabId()); current >= 0) {
    // The current tab is open toward the toolbar below.
    const QRect tab = m_layout.places()[static_cast<std::size_t>(current)].tab;
    painter.fillRect(QRectF(tab.left() + 0.5, height() - 1.0,
                            std::min(tab.width(), available - tab.left()) - 1.0, 1),
                     colors.panel);
  }
  const auto included =
      std::count_if(m_tabs.begin(), m_tabs.end(), [](const Tab& tab) { return tab.include; });
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(colors.muted);
  painter.drawText(
      QRect(width() - TabLayout::kSummary, 0, TabLayout::kSummary - TabLayout::kPadding, height()),
      Qt::AlignVCenter | Qt::AlignRight,
      tr("included in Run: %1 of %2").arg(included).arg(m_tabs.size()));
}

void VariantTabs::paintEnds(QPainter& painter) const {
  const ControlColors& colors = m_session->currentTheme()->theme().control;
  paintIcon(painter, u"plus"_s, colors.muted, QRectF(m_layout.add().adjusted(4, 4, -4, -4)));
  if (m_layout.overflows()) {
    paintIcon(painter, u"left"_s, m_layout.moreBefore() ? colors.text : colors.faint,
              QRectF(m_layout.before().adjusted(3, 4, -3, -4)));
    paintIcon(painter, u"right"_s, m_layout.moreAfter() ? colors.text : colors.faint,
              QRectF(m_layout.after().adjusted(3, 4, -3, -4)));
  }
}

void VariantTabs::paintTab(QPainter& painter, const Tab& told,
                           const TabLayout::Place& place) const {
  const ControlColors& colors = m_session->currentTheme()->theme().control;
  const bool current = told.id == m_session->selection().tabId();
  if (current) {
    painter.fillRect(place.tab, colors.panel);
    painter.fillRect(QRect(place.tab.left(), 0, place.tab.width(), 2), colors.accent);
  }
  painter.setPen(colors.border);
  painter.drawLine(QPointF(place.tab.right() + 0.5, 0), QPointF(place.tab.right() + 0.5, height()));
  const QRectF box = QRectF(place.check).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(told.include ? colors.accent : colors.border2);
  painter.setBrush(told.include ? colors.accent : colors.raised);
  painter.drawRoundedRect(box, 3, 3);
  if (told.include) paintIcon(painter, u"check"_s, colors.onAccent, box.adjusted(-1, -1, 1, 1));
  painter.setFont(fontOf(TextSize::Body, current ? TextWeight::Bold : TextWeight::Regular));
  painter.setPen(colors.text);
  const int left = place.check.right() + 1 + TabLayout::kGap;
  painter.drawText(QRect(left, 0, place.tab.width(), height()), Qt::AlignVCenter, told.name);
  const int textWidth = QFontMetrics(painter.font()).horizontalAdvance(told.name);
  paintBadge(&painter, m_session->currentTheme()->theme(),
             {left + textWidth + TabLayout::kGap, (height() - measure::kBadgeHeight) / 2},
             told.badge.text, told.badge.tone);
  if (current) {
    paintIcon(painter, u"down"_s, colors.muted, QRectF(place.menu));
    if (hasFocus()) {
      painter.setPen(QPen(colors.accent, 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(QRectF(place.tab).adjusted(3, 4, -3, -3), 3, 3);
    }
  }
}

const VariantTabs::Tab* VariantTabs::tabAt(const QPoint& at) const {
  const int tab = m_layout.tabAt(at);
  return tab < 0 ? nullptr : &m_tabs[static_cast<std::size_t>(tab)];
}

const TabLayout::Place& VariantTabs::placeOf(const Tab& tab) const {
  return m_layout.places()[static_cast<std::size_t>(&tab - m_tabs.data())];
}

int VariantTabs::indexOf(const QString& id) const {
  const auto found =
      std::find_if(m_tabs.begin(), m_tabs.end(), [&](const Tab& tab) { return tab.id == id; });
  return found == m_tabs.end() ? -1 : static_cast<int>(found - m_tabs.begin());
}

void VariantTabs::mousePressEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  if (event->button() != Qt::LeftButton) return;
  if (m_layout.add().contains(at)) {
    duplicate(m_session->selection().tabId());
    return;
  }
  if (m_layout.before().contains(at) || m_layout.after().contains(at)) {
    scrollBy(m_layout.before().contains(at) ? -kScrollStep : kScrollStep);
    return;
  }
  const Tab* tab = tabAt(at);
  if (tab == nullptr) return;
  const QString id = tab->id;
  const TabLayout::Place place = placeOf(*tab);
  if (place.check.adjusted(-4, -6, 4, 6).contains(at)) {
    toggleInclude(id);
  } else if (place.menu.contains(at)) {
    showMenu(id, mapToGlobal(QPoint(place.menu.left(), height())));
  } else {
    m_session->selection().setTab(id);
  }
}

void VariantTabs::mouseDoubleClickEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  const Tab* tab = tabAt(at);
  if (tab != nullptr && !placeOf(*tab).check.adjusted(-4, -6, 4, 6).contains(at)) {
    startRename(tab->id);
  }
}

void VariantTabs::mouseMoveEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  const bool end = m_layout.add().contains(at) || m_layout.before().contains(at) ||
                   m_layout.after().contains(at);
  setCursor(end || tabAt(at) != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void VariantTabs::contextMenuEvent(QContextMenuEvent* event) {
  if (const Tab* tab = tabAt(event->pos())) {
    const QString id = tab->id;
    m_session->selection().setTab(id);
    showMenu(id, event->globalPos());
  }
}

void VariantTabs::showMenu(const QString& id, const QPoint& globalAt) {
  auto* menu = new QMenu(this);
  setNames(menu, u"variantMenu"_s, tr("Variant"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](const QString& text, const QString& name, auto act) {
    menu->addAction(text, this, act)->setObjectName(name);
  };
  const VariantTab* tab = m_session->document().tab(id);
  const bool included = tab != nullptr && tab->include;
  add(included ? tr("Exclude from Run\tSpace") : tr("Include in Run\tSpace"), u"includeTab"_s,
      [this, id] { toggleInclude(id); });
  menu->addSeparator();
  add(tr("Rename\tF2"), u"renameTab"_s, [this, id] { startRename(id); });
  add(tr("Duplicate\tCtrl+D"), u"duplicateTab"_s, [this, id] { duplicate(id); });
  if (m_session->document().tabs().size() > 1) {
    add(tr("Delete\tDel"), u"deleteTab"_s, [this, id] { remove(id); });
  }
  menu->popup(globalAt);
}

void VariantTabs::keyPressEvent(QKeyEvent* event) {
  const QString id = m_session->selection().tabId();
  if (m_session->document().tab(id) == nullptr) return;
  if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
    step(event->key() == Qt::Key_Left ? -1 : 1);
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
    const Tab* tab = tabAt(help->pos());
    QString text;
    if (m_layout.add().contains(help->pos())) {
      text = tr("New variant: a copy of this one");
    } else if (tab != nullptr) {
      text = placeOf(*tab).check.contains(help->pos()) ? tr("Include in Run") : tab->badge.tip;
    }
    QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QWidget::event(event);
}

void VariantTabs::step(int places) {
  const auto& tabs = m_session->document().tabs();
  const VariantTab* here = m_session->document().tab(m_session->selection().tabId());
  if (here == nullptr) return;
  const auto last = static_cast<int>(tabs.size()) - 1;
  const int next = std::clamp(static_cast<int>(here->index) + places, 0, last);
  m_session->selection().setTab(QString(tabs[static_cast<std::size_t>(next)].id));
}

void VariantTabs::toggleInclude(const QString& id) {
  ExperimentDocument& document = m_session->document();
  if (const VariantTab* tab = document.tab(id)) {
    const QString step =
        (tab->include ? tr("Exclude %1 from Run") : tr("Include %1 in Run")).arg(tab->name);
    document.apply(step, withVariantMember(document.json(), tab->index, "include", !tab->include));
  }
}

void VariantTabs::duplicate(const QString& tabId) {
  m_session->selection().setTab(duplicateTab(m_session->document(), tabId));
}

void VariantTabs::remove(const QString& tabId) { removeTab(m_session->document(), tabId); }

void VariantTabs::startRename(const QString& tabId) {
  const int index = indexOf(tabId);
  const VariantTab* tab = m_session->document().tab(tabId);
  if (index < 0 || tab == nullptr) return;
  const TabLayout::Place place = m_layout.places()[static_cast<std::size_t>(index)];
  m_renaming = tabId;
  m_editor->setText(tab->name);
  m_editor->setGeometry(place.check.right() + 4, 5, std::max(140, place.tab.width() - 40), 26);
  m_editor->show();
  m_editor->setFocus();
  m_editor->selectAll();
}

/// Returns the keyboard to the tab that was renamed.
void VariantTabs::endEditing() {
  if (m_editor->hasFocus()) setFocus(Qt::OtherFocusReason);
  m_editor->hide();
}

void VariantTabs::finishRename() {
  const QString id = m_renaming;
  const QString name = m_editor->text().trimmed();
  m_renaming.clear();
  endEditing();
  ExperimentDocument& document = m_session->document();
  const VariantTab* tab = document.tab(id);
  if (tab == nullptr || name.isEmpty() || name == tab->name) return;
  const std::vector<VariantTab>& tabs = document.tabs();
  if (std::any_of(tabs.begin(), tabs.end(),
                  [&name](const VariantTab& other) { return other.name == name; })) {
    m_session->pages().showHint(
        tr("A variant \"%1\" already exists; %2 keeps its name").arg(name, tab->name));
    return;
  }
  const std::size_t index = tab->index;
  document.apply(tr("Rename %1 to %2").arg(tab->name, name),
                 withRenamedVariant(document.json(), index, name));
}

QList<VirtualControl> VariantTabs::virtualControls() const {
  QList<VirtualControl> controls;
  const QRect seen(0, 0, m_layout.room(), height());
  for (const Tab& tab : m_tabs) {
    const TabLayout::Place& place = placeOf(tab);
    if (!seen.intersects(place.check)) continue;
    const bool current = tab.id == m_session->selection().tabId();
    controls.append(
        {u"variant."_s + tab.id, u"tab"_s, tab.name, current ? u"current"_s : QString(),
         place.tab.adjusted(place.check.right() - place.tab.left() + 6, 2, 0, -2).intersected(seen),
         true, current, current});
    controls.append({u"include."_s + tab.id, u"checkbox"_s, tab.name,
                     tab.include ? u"true"_s : u"false"_s, place.check, true});
  }
  const auto button = [&controls](const char* name, const QString& words, const QRect& rect,
                                  bool enabled) {
    controls.append({QString::fromLatin1(name), u"button"_s, words, {}, rect, enabled});
  };
  if (m_layout.overflows()) {
    button("tabsBefore", tr("Tabs to the left"), m_layout.before(), m_layout.moreBefore());
    button("tabsAfter", tr("Tabs to the right"), m_layout.after(), m_layout.moreAfter());
  }
  button("newVariant", tr("New variant"), m_layout.add(), true);
  return controls;
}

}  // namespace stagelane::ui
