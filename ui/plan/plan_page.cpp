#include "ui/plan/plan_page.h"

#include <QActionGroup>
#include <QEvent>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "ui/frame/banner_text.h"
#include "ui/frame/run_banner.h"
#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/kept_choice.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/plan/blocks/block_tree.h"
#include "ui/plan/blocks/model_inspector.h"
#include "ui/plan/experiment/experiment_strip.h"
#include "ui/plan/lanes/plan_lanes.h"
#include "ui/plan/plan_export.h"
#include "ui/plan/plan_model/chip_groups.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/cut_costs.h"
#include "ui/plan/plan_model/failure_fixes.h"
#include "ui/plan/plan_model/plan_figures.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/plan/plan_toolbar.h"
#include "ui/plan/prediction/kind_panel.h"
#include "ui/plan/prediction/plan_inspector.h"
#include "ui/plan/prediction/predicted_strip.h"
#include "ui/plan/variants/variant_tabs.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/earlier_results.h"
#include "ui/session/run/measured_plan.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kSideWidth = 280;
constexpr int kNarrowPage = 1180;  ///< below it the block tree starts closed
constexpr int kLeastBelow = 200;   ///< for the predicted step
constexpr int kLeastPlans = 320;   ///< for the table of plans, if that is at most half

/// A checkable action that toggles a side panel. The window's width sets it until the user chooses;
/// the choice is saved.
void showOrHide(QAction* action, QWidget* side) {
  action->setCheckable(true);
  action->setChecked(true);
  keepChoice(action);
  action->setProperty(kFitted, true);
  QObject::connect(action, &QAction::triggered, action,
                   [action] { action->setProperty(kFitted, false); });
  QObject::connect(action, &QAction::toggled, side, &QWidget::setVisible);
}

}  // namespace

PlanPage::PlanPage(QWidget* parent) : Page(parent) {}

void PlanPage::setSession(Session* session) {
  m_session = session;
  m_plan = new PlanModel(session, this);
  m_export = new PlanExport(m_plan, this);
  auto* tabs = new VariantTabs(session, this);
  m_tree = new BlockTree(m_plan, this);
  auto* inspector = new PlanInspector(m_plan, this);
  QWidget& splits = inspector->suggestions().curve();
  splits.addAction(m_export->splits());
  splits.setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(inspector, &PlanInspector::restoreRequested, this, &PlanPage::restoreRunPlan);
  m_inspector = buildSide(inspector, u"inspector"_s, tr("Inspector"));
  m_columns = new QSplitter(Qt::Horizontal, this);
  setNames(m_columns, u"planColumns"_s, tr("Blocks, lanes and inspector"));
  m_columns->setHandleWidth(1);
  m_columns->setChildrenCollapsible(false);
  m_tree->setMinimumWidth(200);
  m_columns->addWidget(m_tree);
  m_columns->addWidget(buildCenter());
  m_columns->addWidget(m_inspector);
  m_columns->setStretchFactor(1, 1);
  m_columns->setSizes({kSideWidth, 10000, kSideWidth});

  m_experiment = new ExperimentStrip(session, this);
  auto* toolbar = new PlanToolbar(m_plan, this);
  columnLayout(this, kNoRoom,
               {m_experiment,
                tabs,
                toolbar,
                new RunBanner(session, u"banner.plan"_s, &bannerOfPlan, this),
                new RunBanner(session, u"banner.opening"_s, &bannerOfOpening, this),
                new RunBanner(session, this),
                {m_columns, 1}});
  buildActions(tabs);
  toolbar->setSides(m_showTree, m_showInspector);
  setFocusProxy(m_lanes->view());
  for (QAction* action : m_experiment->actions() + toolbar->fieldActions() +
                             toolbar->variantSettings().choices() +
                             inspector->suggestions().actions() + inspector->actions() +
                             m_layers->actions() + m_kinds->actions()) {
    addAction(action);
    m_actions.append(action);
  }
  connect(m_plan, &PlanModel::refused, &session->pages(), &PageRequests::showHint);
  connect(m_plan, &PlanModel::selectionChanged, this, [this] {
    m_session->pages().showHint(m_plan->figures().tiedText(m_plan->selectionList()));
  });
  connect(&session->pages(), &PageRequests::fixPlanRequested, this, &PlanPage::showFailedPlan);
  for (QAction* action :
       {toolbar->costStatus().calibrateAction(), toolbar->costStatus().cancelAction()}) {
    addAction(action);
    m_actions.append(action);
  }
  refreshSides();
}

QWidget* PlanPage::buildSide(QWidget* content, const QString& name, const QString& title) {
  auto* area = new QScrollArea(this);
  setNames(area, name, title);
  area->setWidget(content);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setMinimumWidth(220);
  return area;
}

QWidget* PlanPage::buildCenter() {
  m_lanes = new PlanLanes(m_plan, {m_export->cuts()}, this);
  m_rows = new QSplitter(Qt::Vertical, this);
  setNames(m_rows, u"planRows"_s, tr("Lanes and lower panel"));
  m_rows->setHandleWidth(4);
  m_rows->setChildrenCollapsible(false);
  auto* predicted = new QScrollArea(this);
  setNames(predicted, u"predictedArea"_s, tr("Predicted timeline"));
  predicted->setWidget(new PredictedStrip(m_plan, this));
  predicted->setWidgetResizable(true);
  predicted->setFrameShape(QFrame::NoFrame);
  predicted->setFocusPolicy(Qt::NoFocus);
  m_rows->addWidget(m_lanes);
  m_rows->addWidget(buildBelow(predicted));
  m_rows->setStretchFactor(0, 1);
  m_rows->setStretchFactor(1, 1);
  m_rows->setProperty(kFitted, true);
  connect(m_rows, &QSplitter::splitterMoved, this, [this] { m_rows->setProperty(kFitted, false); });
  // Queued, because the layout emits it.
  connect(m_lanes, &PlanLanes::wholeHeightChanged, this, &PlanPage::fitRows, Qt::QueuedConnection);
  m_rows->installEventFilter(this);
  return m_rows;
}

/// Shows the lanes and the cut curve in full while the predicted step has room, until the user
/// moves the border.
void PlanPage::fitRows() {
  // The handle's height is not available to the rows.
  const int room = m_rows->height() - m_rows->handle(1)->height();
  if (room <= 0 || !m_rows->property(kFitted).toBool()) return;
  const bool plans = m_below->currentWidget() == m_kinds;
  const int least = plans ? std::max(kLeastBelow, std::min(kLeastPlans, room / 2)) : kLeastBelow;
  const int usual = std::min(room * 6 / 11, room - least);
  const int lanes = std::max(usual, std::min(m_lanes->wholeHeight(), room - least));
  m_rows->setSizes({lanes, room - lanes});
}

bool PlanPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_rows && event->type() == QEvent::Resize) {
    QMetaObject::invokeMethod(this, &PlanPage::fitRows, Qt::QueuedConnection);
  }
  return Page::eventFilter(watched, event);
}

QWidget* PlanPage::buildBelow(QWidget* timeline) {
  auto* below = new QWidget(this);
  m_below = new QStackedWidget(below);
  m_layers = new ModelInspector(m_plan, below);
  m_below->addWidget(timeline);
  m_kinds = new KindPanel(m_plan, below);
  m_below->addWidget(m_layers);
  m_below->addWidget(m_kinds);
  auto* bar = new QWidget(below);
  setLook(bar, u"panel2"_s);
  auto* buttons = rowLayout(
      bar, {.margins = {measure::kPanelPadding, 3, measure::kPanelPadding, 3}, .spacing = 0});
  auto* group = new QActionGroup(this);
  const auto add = [&](const QString& text, const QString& name, const QKeySequence& keys,
                       QWidget* shown) {
    auto* action = new QAction(text, group);
    action->setObjectName(name + u"Action"_s);
    action->setShortcut(keys);
    action->setCheckable(true);
    action->setChecked(shown == timeline);
    keepChoice(action);
    connect(action, &QAction::toggled, this, [this, shown](bool on) {
      if (!on) return;
      m_below->setCurrentWidget(shown);
      fitRows();
    });
    addAction(action);
    m_actions.append(action);
    auto* button = new QToolButton(bar);
    button->setDefaultAction(action);
    if (shown == timeline || shown == m_kinds) {
      button->setProperty("edge", shown == timeline ? u"first"_s : u"last"_s);
    }
    setLook(button, u"segment"_s);
    setNames(button, name, text);
    buttons->addWidget(button);
  };
  add(tr("Predicted timeline"), u"showTimeline"_s, Qt::CTRL | Qt::Key_T, timeline);
  add(tr("Layers"), u"showLayers"_s, Qt::CTRL | Qt::Key_L, m_layers);
  add(tr("Plans"), u"showPlans"_s, Qt::CTRL | Qt::Key_K, m_kinds);
  buttons->addStretch(1);
  auto* button = new QToolButton(bar);
  button->setText(tr("Export…"));
  setLook(button, u"flat"_s);
  setNames(button, u"export"_s, tr("Export prediction"));
  button->setToolTip(
      tr("Export the predicted step or its curves over cuts and split sizes (Ctrl+E)"));
  button->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(button);
  menu->addActions(m_export->actions());
  button->setMenu(menu);
  m_actions += m_export->actions();
  auto* exports = new ControlAction(tr("Export prediction…"), button, this);
  exports->setShortcut(Qt::CTRL | Qt::Key_E);
  addAction(exports);
  m_actions.append(exports);
  buttons->addWidget(button);
  columnLayout(below, kNoRoom, {{m_below, 1}, bar});
  return below;
}

QList<QAction*> PlanPage::pageActions() const { return m_actions + m_lanes->actionsForPalette(); }

void PlanPage::moveSelection(int lanes) {
  if (m_plan->moves().moveSelection(lanes)) {
    m_session->pages().showHint(m_plan->figures().tiedText(m_plan->selectionList()));
  }
}

QAction* PlanPage::addPlanAction(const QString& text, const QKeySequence& keys, const QString& name,
                                 std::function<void()> act) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setShortcut(keys);
  // Letter keys apply only while the lanes have the focus; elsewhere letters are typed.
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(action, &QAction::triggered, this, [act = std::move(act)] { act(); });
  m_lanes->view()->addAction(action);
  m_actions.append(action);
  return action;
}

QAction* PlanPage::addPageAction(const QString& text, const QKeySequence& keys, const QString& name,
                                 std::function<void()> act) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setShortcut(keys);
  connect(action, &QAction::triggered, this, [act = std::move(act)] { act(); });
  addAction(action);
  m_actions.append(action);
  return action;
}

void PlanPage::buildActions(VariantTabs* tabs) {
  buildLaneActions();
  buildVariantActions(tabs);
  buildViewActions();
}

void PlanPage::buildLaneActions() {
  addPlanAction(tr("Move to the lane above"), Qt::ALT | Qt::Key_Up, u"moveUp"_s,
                [this] { moveSelection(-1); });
  addPlanAction(tr("Move to the lane below"), Qt::ALT | Qt::Key_Down, u"moveDown"_s,
                [this] { moveSelection(1); });
  const auto select = [this](const QString& text, const QKeySequence& keys, const QString& name,
                             int step, bool extend) {
    addPlanAction(text, keys, name, [this, step, extend] { m_lanes->view()->step(step, extend); });
  };
  select(tr("Select the previous chip"), Qt::Key_Left, u"selectBefore"_s, -1, false);
  select(tr("Select the next chip"), Qt::Key_Right, u"selectNext"_s, 1, false);
  select(tr("Extend to the previous chip"), Qt::SHIFT | Qt::Key_Left, u"extendBefore"_s, -1, true);
  select(tr("Extend to the next chip"), Qt::SHIFT | Qt::Key_Right, u"extendNext"_s, 1, true);
  addPlanAction(tr("Cut here"), Qt::Key_C, u"cutHere"_s,
                [this] { m_plan->moves().cutBeforeCurrent(); });
  addPlanAction(tr("Lock or unlock"), Qt::Key_L, u"lock"_s, [this] { m_plan->locks().toggle(); });
  addPlanAction(tr("Open or close the group"), Qt::Key_Return, u"toggleGroup"_s,
                [this] { m_lanes->view()->openCurrentGroup(); });
}

void PlanPage::buildVariantActions(VariantTabs* tabs) {
  addPageAction(tr("Rename the variant"), Qt::Key_F2, u"renameVariant"_s,
                [this, tabs] { tabs->startRename(m_session->selection().tabId()); });
  addPageAction(tr("Duplicate the variant"), Qt::CTRL | Qt::Key_D, u"duplicateVariant"_s,
                [this, tabs] { tabs->duplicate(m_session->selection().tabId()); });
  addPageAction(tr("Next variant"), Qt::CTRL | Qt::Key_PageDown, u"nextVariant"_s,
                [tabs] { tabs->step(1); });
  addPageAction(tr("Previous variant"), Qt::CTRL | Qt::Key_PageUp, u"variantBefore"_s,
                [tabs] { tabs->step(-1); });
  QAction* include =
      addPageAction(tr("Include or exclude the variant in Run"), Qt::Key_Space, u"includeVariant"_s,
                    [this, tabs] { tabs->toggleInclude(m_session->selection().tabId()); });
  QAction* remove =
      addPageAction(tr("Delete the variant"), QKeySequence::Delete, u"deleteVariant"_s,
                    [this, tabs] { tabs->remove(m_session->selection().tabId()); });
  // These keys have other meanings elsewhere.
  for (QAction* ofTabs : {include, remove}) {
    ofTabs->setShortcutContext(Qt::WidgetShortcut);
    tabs->addAction(ofTabs);
  }
}

void PlanPage::buildViewActions() {
  addPageAction(tr("Experiment settings"), {}, u"experimentSettings"_s,
                [this] { m_experiment->setOpen(!m_experiment->isOpen()); });
  addPageAction(tr("Filter blocks"), {}, u"filterBlocks"_s, [this] {
    m_showTree->setChecked(true);
    m_tree->focusFilter();
  });
  addPageAction(tr("Chip width: time"), {}, u"chipWidthTime"_s,
                [this] { m_plan->chips().setWidth(ChipWidth::Time); });
  addPageAction(tr("Chip width: memory"), {}, u"chipWidthMemory"_s,
                [this] { m_plan->chips().setWidth(ChipWidth::Memory); });
  addPageAction(tr("Chip width: parameters"), {}, u"chipWidthParameters"_s,
                [this] { m_plan->chips().setWidth(ChipWidth::Parameters); });
  m_showTree = addPageAction(tr("Blocks"), Qt::CTRL | Qt::Key_B, u"toggleTree"_s, [] {});
  showOrHide(m_showTree, m_tree);
  m_showInspector =
      addPageAction(tr("Inspector"), Qt::CTRL | Qt::Key_I, u"toggleInspector"_s, [] {});
  showOrHide(m_showInspector, m_inspector);
}

void PlanPage::resizeEvent(QResizeEvent*) { refreshSides(); }

void PlanPage::refreshSides() {
  const bool narrow = width() < kNarrowPage;
  if (m_showTree == nullptr || narrow == m_narrow) return;
  m_narrow = narrow;
  // A choice by the user stays.
  if (m_showTree->property(kFitted).toBool()) m_showTree->setChecked(!narrow);
}

void PlanPage::showFailedPlan() {
  if (const RunResultPtr run = m_session->results().result()) {
    m_session->selection().setVariant(failedVariant(*run));
  }
  m_session->pages().showHint(
      memoryFailureOf(*m_session)
          ? QString()
          : tr("Plan problems are listed above the lanes; see the log for more"));
}

void PlanPage::restoreRunPlan() {
  if (const auto document = documentWithMeasured(m_session->results(), m_session->document(),
                                                 m_session->selection().variantId())) {
    m_session->document().apply(tr("Restore the measured plan"), *document);
  }
}

}  // namespace stagelane::ui
