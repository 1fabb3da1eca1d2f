#include "ui/frame/shell.h"

#include <QTimer>
#include <algorithm>
#include <utility>

#include "ui/frame/connection_text.h"
#include "ui/frame/rank_panel.h"
#include "ui/frame/run_banner.h"
#include "ui/frame/sweep_offer.h"
#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/look.h"
#include "ui/kit/tab_order.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/page_requests.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kHintMs = 8000;
constexpr int kWideStatus = 1280;

}  // namespace

Shell::Shell(Session* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_runBar(new RunBar(session, this)),
      m_ranks(new RankPanel(session, this)),
      m_sweepOffer(new SweepOffer(session, this)),
      m_unsavedBanner(new RunBanner(session, u"banner.unsaved"_s, &bannerOfUnsaved, this)),
      m_fileBanner(new RunBanner(session, u"banner.file"_s, &bannerOfFile, this)),
      m_leftBanner(new RunBanner(session, u"banner.left"_s, &bannerOfLeft, this)),
      m_stack(new QStackedWidget(this)) {
  setLook(this, u"window"_s);
  auto* rail = new QWidget(this);
  setNames(rail, u"rail"_s, tr("Pages"));
  setLook(rail, u"railBox"_s);
  rail->setFixedWidth(measure::kRailWidth);
  m_rail = columnLayout(rail, {.margins = {0, measure::kRunBarHeight + 4, 1, 0}, .spacing = 4},
                        {Stretch{1}});
  auto* right = columnLayout({.spacing = 0},
                             {m_runBar,
                              m_ranks,
                              m_sweepOffer,
                              // Unsaved work is offered on whatever page is shown at the start.
                              m_unsavedBanner,
                              m_fileBanner,
                              m_leftBanner,
                              {m_stack, 1}});
  auto* middle = rowLayout({.spacing = 0}, {rail, {right, 1}});
  columnLayout(this, kNoRoom, {{middle, 1}, buildStatusBar()});
  m_runBar->setRanks(m_ranks->toggle());
  addAction(m_ranks->toggle());
  connect(session->currentTheme(), &CurrentTheme::changed, this, &Shell::refreshIcons);
  connect(&session->pages(), &PageRequests::requested, this, &Shell::showPage);
  connect(m_runBar, &RunBar::left, this, [this] {
    if (m_stack->currentWidget() != nullptr) m_stack->currentWidget()->setFocus();
  });
}

QWidget* Shell::buildStatusBar() {
  auto* bar = new QWidget(this);
  setNames(bar, u"statusBar"_s, tr("Status bar"));
  setLook(bar, u"status"_s);
  bar->setFixedHeight(measure::kStatusBarHeight);
  m_hint = new QLabel(bar);
  m_hint->setObjectName(u"hint"_s);
  m_hint->setFont(fontOf(TextSize::Caption));
  m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_facts = mutedLabel({}, bar);
  m_facts->setFont(fontOf(TextSize::Caption));
  m_statusRight = rowLayout({});
  rowLayout(bar, {.margins = {measure::kPanelPadding, 1, measure::kPanelPadding, 0}},
            {{m_hint, 1}, m_statusRight, m_facts});
  auto* timer = new QTimer(this);
  timer->setSingleShot(true);
  timer->setInterval(kHintMs);
  connect(timer, &QTimer::timeout, m_hint, &QLabel::clear);
  connect(&m_session->pages(), &PageRequests::hintChanged, this,
          [this, timer](const QString& text) {
            m_hint->setText(text);
            timer->start();
          });
  // A hint refers to the last attempt; the next edit makes it obsolete.
  connect(&m_session->document(), &ExperimentDocument::changed, m_hint, &QLabel::clear);
  return bar;
}

void Shell::addPage(PageEntry entry) {
  Item item;
  const int index = static_cast<int>(m_items.size());
  item.button = new QToolButton(this);
  item.button->setText(entry.title);
  item.button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  item.button->setIconSize({20, 20});
  item.button->setCheckable(true);
  item.button->setAutoExclusive(true);
  item.button->setFont(fontOf(TextSize::Caption));
  item.button->setFixedSize(measure::kRailWidth - 1, measure::kRailItemHeight);
  setLook(item.button, u"rail"_s);
  setNames(item.button, u"rail."_s + entry.name, entry.title);
  item.action = new QAction(tr("Show %1").arg(entry.title), this);
  item.action->setObjectName(u"show."_s + entry.name);
  item.action->setShortcut(QKeySequence(Qt::CTRL | entry.key));
  item.button->setToolTip(u"%1 (%2)"_s.arg(entry.title, item.action->shortcut().toString()));
  addAction(item.action);
  const QString name = entry.name;
  connect(item.button, &QToolButton::clicked, this, [this, name] { showPage(name); });
  connect(item.action, &QAction::triggered, this, [this, name] { showPage(name); });
  m_rail->insertWidget(index, item.button);
  item.entry = std::move(entry);
  m_items.push_back(std::move(item));
  refreshIcons();
}

std::vector<Shell::Item>::iterator Shell::prepared(const QString& name) {
  const auto found = std::find_if(m_items.begin(), m_items.end(),
                                  [&](const Item& item) { return item.entry.name == name; });
  if (found != m_items.end() && found->page == nullptr) {
    found->page = found->entry.make(m_stack);
    setNames(found->page, u"page."_s + name, found->entry.title);
    found->page->setSession(m_session);
    m_stack->addWidget(found->page);
    Q_EMIT pageMade(found->page);
  }
  return found;
}

bool Shell::showPage(const QString& name) {
  const auto found = prepared(name);
  if (found == m_items.end()) return false;
  m_current = static_cast<int>(found - m_items.begin());
  m_stack->setCurrentWidget(found->page);
  if (!std::exchange(found->shown, true)) Q_EMIT pageFirstShown(found->page);
  found->page->setFocus();
  found->button->setChecked(true);
  m_sweepOffer->setPage(name);
  refreshIcons();
  refreshStatus();
  return true;
}

QString Shell::currentPageName() const {
  return m_current < 0 ? QString() : m_items[static_cast<std::size_t>(m_current)].entry.name;
}

Page* Shell::currentPage() const {
  return m_current < 0 ? nullptr : m_items[static_cast<std::size_t>(m_current)].page;
}

void Shell::refreshIcons() {
  const ControlColors& colors = m_session->currentTheme()->theme().control;
  for (std::size_t at = 0; at < m_items.size(); ++at) {
    const bool current = static_cast<int>(at) == m_current;
    m_items[at].button->setIcon(
        icon(m_items[at].entry.icon, current ? colors.accent : colors.muted));
  }
}

void Shell::refreshStatus() {
  if (m_pageStatus != nullptr) {
    m_statusRight->removeWidget(m_pageStatus);
    m_pageStatus->hide();
  }
  m_pageStatus = currentPage() == nullptr ? nullptr : currentPage()->statusWidget();
  if (m_pageStatus != nullptr) m_statusRight->addWidget(m_pageStatus);
  const bool wide = width() >= kWideStatus;
  if (m_pageStatus != nullptr) m_pageStatus->setVisible(true);
  m_facts->setVisible(wide && m_pageStatus == nullptr);
}

void Shell::setFacts(const QString& facts) { m_facts->setText(facts); }

std::vector<PaletteEntry> Shell::allActions() {
  std::vector<PaletteEntry> shown;
  std::vector<PaletteEntry> others;
  for (Item& item : m_items) {
    const QString name = item.entry.name;
    if (item.page == nullptr) prepared(name);
    const bool current = item.page == currentPage();
    for (QAction* action : item.page->pageActions()) {
      (current ? shown : others).push_back({item.entry.title, action, [this, name] {
                                              showPage(name);
                                            }});
    }
    // Actions of visible banners.
    for (const Banner* banner : item.page->findChildren<Banner*>()) {
      for (QAction* action :
           current && !banner->isHidden() ? banner->actions() : QList<QAction*>()) {
        shown.push_back({item.entry.title, action, {}});
      }
    }
  }
  if (m_ranks->toggle()->isEnabled()) shown.push_back({{}, m_ranks->toggle(), {}});
  for (const RunBanner* banner : {m_unsavedBanner, m_fileBanner, m_leftBanner}) {
    for (QAction* action : banner->isHidden() ? QList<QAction*>() : banner->actions()) {
      shown.push_back({{}, action, {}});
    }
  }
  for (QAction* action : actions()) shown.push_back({{}, action, {}});
  shown.insert(shown.end(), others.begin(), others.end());
  return shown;
}

void Shell::resizeEvent(QResizeEvent*) { refreshStatus(); }

bool Shell::focusNextPrevChild(bool next) { return focusNextByLayout(*this, next); }

}  // namespace stagelane::ui
