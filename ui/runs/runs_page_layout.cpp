// How the Runs page is put together; what it does is in runs_page.cpp, its actions in
// runs_page_actions.cpp.

#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>

#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/kept_choice.h"
#include "ui/kit/look.h"
#include "ui/kit/menu_place.h"
#include "ui/kit/search_tokens.h"
#include "ui/kit/text/formatting.h"
#include "ui/runs/runs_page.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kCompareWidth = 410;

}  // namespace

QWidget* RunsPage::buildToolbar() {
  auto* bar = new QWidget(this);
  setLook(bar, QStringLiteral("toolbar"));
  bar->setFixedHeight(measure::kToolbarHeight);
  m_search = new QLineEdit(bar);
  setNames(m_search, QStringLiteral("runsSearch"), tr("Search the runs"));
  m_search->setPlaceholderText(tr("experiment, device, variant, note, tag:… since:2026-11-19"));
  m_search->setToolTip(
      tr("Words that must all occur; also tag:T, status:failed, model:M, device:D, since:DAY, "
         "until:DAY, is:favourite, is:noisy, and a minus before what must not be (Ctrl+F)"));
  m_search->setClearButtonEnabled(true);
  m_search->setMinimumWidth(120);
  m_search->setMaximumWidth(420);
  connect(m_search, &QLineEdit::textChanged, &m_model, &RunTableModel::setSearch);
  m_selected = mutedLabel({}, bar);
  m_selected->setObjectName(QStringLiteral("runsSelected"));
  const auto button = [bar](QAction* action, const QString& name) {
    auto* made = new QToolButton(bar);
    made->setDefaultAction(action);
    made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setNames(made, name, action->text());
    return made;
  };
  m_compareButton =
      button(m_byName.value(QStringLiteral("compareRuns")), QStringLiteral("compare"));
  m_folderButton =
      button(m_byName.value(QStringLiteral("openFolder")), QStringLiteral("openRunFolder"));
  m_importButton = button(m_byName.value(QStringLiteral("importRun")), QStringLiteral("import"));
  m_more = new QToolButton(bar);
  setNames(m_more, QStringLiteral("runsMore"), tr("More actions on runs"));
  m_more->setToolTip(tr("More that can be done with the chosen runs"));
  m_more->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(m_more);
  menu->addActions(m_actions);
  m_more->setMenu(menu);
  keepInWindow(menu, m_more);

  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(measure::kPanelPadding, 0, measure::kPanelPadding, 0);
  layout->setSpacing(measure::kControlGap);
  layout->addWidget(m_search, 1);
  layout->addWidget(buildKinds(bar));
  layout->addStretch(1);
  layout->addWidget(m_selected);
  layout->addWidget(m_compareButton);
  layout->addWidget(m_folderButton);
  layout->addWidget(m_importButton);
  layout->addWidget(m_more);
  return bar;
}

QWidget* RunsPage::buildTokens() {
  auto* tokens = new SearchTokens(this);
  connect(m_search, &QLineEdit::textChanged, tokens, &SearchTokens::show);
  // The button that was clicked is gone with its word.
  connect(tokens, &SearchTokens::searchChanged, m_search, &QLineEdit::setText,
          Qt::QueuedConnection);
  return tokens;
}

QWidget* RunsPage::buildKinds(QWidget* bar) {
  auto* box = new QWidget(bar);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  m_kinds = new QButtonGroup(this);
  for (int kind = 0; kind < static_cast<int>(kRunKinds); ++kind) {
    auto* button = new QToolButton(box);
    const QString word = runKindText(static_cast<RunKind>(kind));
    setNames(button, QStringLiteral("runs.kind.") + word.toLower(), tr("Show runs: %1").arg(word));
    button->setToolTip(tr("Show only these runs: %1").arg(word.toLower()));
    button->setProperty("edge", kind == 0                                 ? QStringLiteral("first")
                                : kind + 1 == static_cast<int>(kRunKinds) ? QStringLiteral("last")
                                                                          : QString());
    setLook(button, QStringLiteral("segment"));
    button->setCheckable(true);
    button->setChecked(kind == 0);
    m_kinds->addButton(button, kind);
    m_filters.append(new ControlAction(tr("Show runs: %1").arg(word), button, this));
    row->addWidget(button);
  }
  connect(m_kinds, &QButtonGroup::idClicked, this,
          [this](int kind) { m_model.setKind(static_cast<RunKind>(kind)); });
  return box;
}

QWidget* RunsPage::buildList() {
  m_table = new RunsTable(&m_model, m_session->currentTheme(), this);
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_table->addActions(m_actions);
  setFocusProxy(m_table);
  buildNothingFound();
  m_details = new RunsDetails(m_session, this);
  m_details->addButton(m_byName.value(QStringLiteral("openInTimeline")),
                       QStringLiteral("openInTimeline"));
  m_details->addButton(m_byName.value(QStringLiteral("openInCharts")),
                       QStringLiteral("openInCharts"));
  m_details->addButton(m_byName.value(QStringLiteral("openInReport")),
                       QStringLiteral("openInReport"));
  m_details->addButton(m_byName.value(QStringLiteral("rerun")), QStringLiteral("rerun"));
  m_resumeButton = m_details->addButton(m_byName.value(QStringLiteral("resumeFromHistory")),
                                        QStringLiteral("resume"));
  m_resumeButton->hide();
  m_sweepButton = m_details->addButton(m_byName.value(QStringLiteral("showSweep")),
                                       QStringLiteral("showSweep"));
  m_sweepButton->hide();
  m_down = new QSplitter(Qt::Vertical, this);
  setNames(m_down, QStringLiteral("runsDown"), tr("Runs and details"));
  m_down->setChildrenCollapsible(false);
  m_down->addWidget(m_table);
  m_down->addWidget(m_details);
  m_down->setSizes({520, 260});
  m_down->setProperty(kFitted, true);
  m_down->installEventFilter(this);
  connect(m_down, &QSplitter::splitterMoved, this, [this] { m_down->setProperty(kFitted, false); });
  m_table->setMinimumHeight(120);
  m_details->setMinimumHeight(150);
  m_compare = new RunsCompare(m_session, this);
  m_compare->setMinimumWidth(kCompareWidth);
  m_compare->hide();
  m_across = new QSplitter(Qt::Horizontal, this);
  setNames(m_across, QStringLiteral("runsAcross"), tr("Runs and comparison"));
  m_across->setChildrenCollapsible(false);
  m_across->setHandleWidth(1);
  m_across->addWidget(m_down);
  m_across->addWidget(m_compare);
  m_across->setStretchFactor(0, 1);
  connect(m_table, &RunsTable::currentFolderChanged, this, &RunsPage::showRun);
  connect(m_table, &RunsTable::favouriteClicked, this, &RunsPage::toggleFavourite);
  connect(m_table, &RunsTable::rowChosen, this, [this] { m_chosen = true; });
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &RunsPage::refreshActions);
  connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    if (index.column() != RunTableModel::Checked && index.column() != RunTableModel::Favourite) {
      useCurrent(RunUse::Timeline);
    }
  });
  connect(m_details, &RunsDetails::labelsEdited, &m_history, &RunHistory::editLabels);
  // A border that moved up for one run stays there for the next: only a longer one moves it on.
  // Behind the layout that new facts ask for, before which nothing is known to be missing.
  connect(
      m_details, &RunsDetails::roomChanged, this, [this] { divideHeight(m_details->height()); },
      Qt::QueuedConnection);
  connect(m_details, &RunsDetails::editingDone, m_table, qOverload<>(&QWidget::setFocus));
  connect(m_compare, &RunsCompare::closeRequested, this, [this] {
    m_comparing = false;
    refreshCompare();
  });
  return m_across;
}

void RunsPage::buildNothingFound() {
  m_nothingFound = new QWidget(m_table);
  m_nothingText = mutedLabel({}, m_nothingFound);
  m_nothingText->setObjectName(QStringLiteral("nothingFound"));
  m_nothingText->setAlignment(Qt::AlignCenter);
  auto* all = new QPushButton(tr("Show all runs"), m_nothingFound);
  setNames(all, QStringLiteral("showAllRuns"), tr("Show all runs"));
  all->setToolTip(tr("Empties the search and shows runs of every state"));
  m_filters.append(new ControlAction(tr("Show all runs"), all, this));
  connect(all, &QPushButton::clicked, this, [this] {
    showAllRuns();
    m_table->setFocus();
  });
  auto* column = new QVBoxLayout(m_nothingFound);
  column->addStretch(1);
  column->addWidget(m_nothingText, 0, Qt::AlignCenter);
  column->addWidget(all, 0, Qt::AlignCenter);
  column->addStretch(1);
  m_nothingFound->hide();
  auto* overlay = new QVBoxLayout(m_table->viewport());
  overlay->addWidget(m_nothingFound);
}

QWidget* RunsPage::buildMessage() {
  auto* page = new QWidget(this);
  setLook(page, QStringLiteral("panel"));
  m_messageText = new QLabel(page);
  m_messageText->setObjectName(QStringLiteral("runsMessage"));
  m_messageText->setAlignment(Qt::AlignCenter);
  m_messageText->setWordWrap(true);
  m_messageButton = new QPushButton(page);
  setNames(m_messageButton, QStringLiteral("runsMessageButton"), tr("What can be done"));
  m_messageButton->setToolTip(tr("The next step from here"));
  auto* layout = new QVBoxLayout(page);
  layout->addStretch(1);
  layout->addWidget(m_messageText);
  layout->addWidget(m_messageButton, 0, Qt::AlignCenter);
  layout->addStretch(1);
  connect(m_messageButton, &QPushButton::clicked, this, [this] {
    if (m_history.error()) {
      m_history.rebuild();
    } else if (m_session->runState().engineProblem().isEmpty()) {
      m_session->runRequests().run({});
    } else {
      import();
    }
  });
  m_workBar = new QWidget(this);
  setNames(m_workBar, QStringLiteral("runsWork"), tr("Work on the history"));
  setLook(m_workBar, QStringLiteral("panel2"));
  m_workText = new QLabel(m_workBar);
  m_workText->setObjectName(QStringLiteral("runsWorkText"));
  m_workProgress = new QProgressBar(m_workBar);
  setNames(m_workProgress, QStringLiteral("runsWorkProgress"), tr("How far it is"));
  m_workProgress->setTextVisible(false);
  m_workProgress->setFixedWidth(160);
  m_workStop = new QPushButton(tr("Stop"), m_workBar);
  setNames(m_workStop, QStringLiteral("runsWorkStop"), tr("Stop reading"));
  connect(m_workStop, &QPushButton::clicked, &m_history, &RunHistory::stop);
  auto* work = new QHBoxLayout(m_workBar);
  work->setContentsMargins(measure::kPanelPadding, 4, measure::kPanelPadding, 4);
  work->addWidget(m_workText);
  work->addWidget(m_workProgress);
  work->addWidget(m_workStop);
  work->addStretch(1);
  m_workBar->hide();
  return page;
}

}  // namespace stagelane::ui
