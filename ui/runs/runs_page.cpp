#include "ui/runs/runs_page.h"

#include <QApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QUrl>
#include <algorithm>
#include <filesystem>
#include <vector>

#include "engine/workspace/sweep_store.h"
#include "engine/workspace/workspace.h"
#include "ui/frame/run_banner.h"
#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/empty_state.h"
#include "ui/kit/look.h"
#include "ui/kit/search_tokens.h"
#include "ui/kit/text/formatting.h"
#include "ui/runs/history_banners.h"
#include "ui/runs/runs_actions.h"
#include "ui/runs/runs_panels.h"
#include "ui/runs/runs_toolbar.h"
#include "ui/runs/runs_work_bar.h"
#include "ui/runs/sweep/sweep_panel.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/current_sweep.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/sweep_view.h"
#include "ui/session/session.h"

namespace stagelane::ui {
RunsPage::RunsPage(QWidget* parent)
    : Page(parent), m_history(workspace::workspaceRoot()), m_watcher(&m_history) {}

void RunsPage::setSession(Session* session) {
  m_session = session;
  m_banners = new HistoryBanners(session, &m_history, this);
  m_actions = new RunsActions(this);
  connect(m_actions, &RunsActions::useWanted, this, &RunsPage::useCurrent);
  connect(m_actions, &RunsActions::wanted, this, &RunsPage::carryOut);
  m_stack = new QStackedWidget(this);
  m_stack->addWidget(buildList());
  m_stack->addWidget(buildMessage());
  m_workBar = new RunsWorkBar(this);
  m_status = mutedLabel({}, this);
  m_status->setObjectName(u"runsStatus"_s);
  m_status->setFont(fontOf(TextSize::Caption));
  m_status->hide();
  auto* layout = columnLayout(this, kNoRoom);
  buildToolbar();
  layout->addWidget(m_toolbar);
  layout->addWidget(buildTokens());
  layout->addWidget(new RunBanner(session, u"banner.opening"_s, &bannerOfOpening, this));
  layout->addWidget(new RunBanner(session, this));
  m_banners->addTo(layout);
  layout->addWidget(m_workBar);
  auto* sweep = new SweepPanel(session, this);
  m_filters += sweep->sweepActions();
  layout->addWidget(sweep);
  layout->addWidget(m_stack, 1);
  connectHistory();
  connect(session->currentTheme(), &CurrentTheme::changed, this, &RunsPage::refreshIcons);
  connect(&session->runFolders(), &RunFolders::changed, &m_history, &RunHistory::reloadSoon);
  connect(&session->runFolders(), &RunFolders::ended, this, [this](const QString& folder) {
    m_ended = QDir::cleanPath(QDir::current().absoluteFilePath(folder));
    followEnded();
  });
  connect(&session->runState(), &RunState::phaseChanged, this,
          [this] { m_chosen = m_chosen && m_session->runState().phase() != RunPhase::Running; });
  connect(&session->runState(), &RunState::engineProblemChanged, this, &RunsPage::refreshActions);
  connect(&session->runState(), &RunState::phaseChanged, this, &RunsPage::refreshActions);
  connect(&session->runState(), &RunState::phaseChanged, this, &RunsPage::refreshMessage);
  connect(&session->runFolders(), &RunFolders::leftChanged, this, &RunsPage::refreshLeft);
  refreshIcons();
  refresh();
  refreshLeft();
  m_history.reload();
}

void RunsPage::refreshLeft() {
  QHash<QString, QString> hosts;
  for (const LeftRun& run : m_session->runFolders().left()) hosts.insert(run.folder, run.host);
  m_model.setLeft(std::move(hosts));
  refreshActions();
}

void RunsPage::connectHistory() {
  connect(&m_history, &RunHistory::changed, this, &RunsPage::refresh);
  connect(&m_history, &RunHistory::workChanged, this,
          [this] { m_workBar->show(m_history.work()); });
  connect(m_workBar, &RunsWorkBar::stopWanted, &m_history, &RunHistory::stop);
  connect(&m_history, &RunHistory::stopped, &m_session->pages(), &PageRequests::showHint);
  connect(&m_history, &RunHistory::imported, this, [this](const QString& folder) {
    m_session->pages().showHint(tr("Imported %1").arg(folder));
    showAllRuns();
    table()->showFolder(folder);
    m_chosen = true;
  });
  connect(&m_model, &RunTableModel::countsChanged, this, &RunsPage::refreshKinds);
  connect(&m_model, &RunTableModel::checkedChanged, this, [this] {
    m_comparing = m_model.checked().size() > 1;
    refreshCompare();
    refreshActions();
  });
}

QList<QAction*> RunsPage::pageActions() const {
  return m_actions == nullptr ? m_filters : m_actions->all() + m_filters;
}

bool RunsPage::busy() const {
  return m_history.busy() || details()->busy() || compare()->busy() || m_sweepReading.running();
}

void RunsPage::refresh() {
  table()->setRuns(m_history.runs());
  if (m_history.runs() && !m_shownFirst) {
    // Select the run that the window was opened with, or that is open.
    m_shownFirst = true;
    std::error_code failed;
    const auto open =
        std::filesystem::absolute(m_session->results().folder(), failed).lexically_normal();
    const QString folder = qstring(open.string());
    if (m_model.rowOf(folder) >= 0) table()->showFolder(folder);
  }
  followEnded();
  showRun(table()->currentFolder());
  refreshMessage();
  refreshActions();
  refreshCompare();
  m_watcher.watch();
}

void RunsPage::refreshMessage() {
  const RunListPtr runs = m_history.runs();
  const bool some = runs && !runs->empty();
  m_stack->setCurrentIndex(some ? 0 : 1);
  const bool running = m_session->runState().phase() != RunPhase::Idle;
  const bool offered = m_history.error() || (runs && !running);
  const bool engine = m_session->runState().engineProblem().isEmpty();
  m_message->text()->setText(
      m_history.error() ? errorText(*m_history.error())
      : runs ? tr("No runs yet. Runs started here or with `stagelane run` are listed on this page.")
             : tr("Reading the runs…"));
  m_message->button()->setText(m_history.error() ? tr("Rebuild the index")
                               : engine          ? tr("Run experiment")
                                                 : tr("Import a run folder…"));
  m_message->button()->setVisible(offered);
  m_banners->refresh();
  m_status->setText(statusText(m_history));
  QStringList unreadable;
  for (const auto& [folder, why] : m_history.unreadable()) {
    unreadable.append(u"%1 (%2)"_s.arg(qstring(folder), qstring(why)));
  }
  m_status->setToolTip(unreadable.join(QChar(u'\n')));
}

void RunsPage::refreshKinds() {
  m_toolbar->setCounts(m_model.counts());
  const std::string problem = workspace::RunSearch(utf8(m_toolbar->search()->text())).problem();
  m_nothingFoundText->setText(problem.empty() ? tr("No runs match.") : qstring(problem));
  m_nothingFound->setVisible(m_model.rowCount() == 0);
  if (m_model.rowCount() == 0) showRun({});
}

void RunsPage::refreshIcons() {
  const ControlColors& colors = m_session->currentTheme()->theme().control;
  m_actions->setIcons(colors);
  m_toolbar->setIcons(colors);
  table()->viewport()->update();
  showRun(table()->currentFolder());
}

void RunsPage::refreshActions() {
  const workspace::RunEntry* current = m_history.run(table()->currentFolder());
  RunsActions::State state;
  state.someChosen = !chosen().isEmpty();
  state.idle = m_session->runState().phase() == RunPhase::Idle;
  state.engineProblem = m_session->runState().engineProblem();
  state.ended =
      current != nullptr && (current->status == "canceled" || current->status == "failed");
  const LeftRun* left =
      current == nullptr ? nullptr : m_session->runFolders().leftAt(qstring(current->folder));
  if (left != nullptr) state.leftOn = left->host;
  state.swept = current != nullptr && !m_history.sweepOf(qstring(current->folder)).isEmpty();
  state.comparable = m_model.checked().size() > 1 || table()->selectedFolders().size() > 1;
  state.restorable = m_history.restorable() > 0;
  m_actions->setState(state);
  m_resumeButton->setVisible(state.ended || left != nullptr);
  m_sweepButton->setVisible(state.swept);
  m_toolbar->setTicked(m_model.checked().size());
}

void RunsPage::carryOut(RunsCommand command) {
  switch (command) {
    case RunsCommand::OpenFolder: openFolder(); return;
    case RunsCommand::ShowSweep: showSweep(); return;
    case RunsCommand::ToggleFavourite:
      for (const QString& folder : chosen()) toggleFavourite(folder);
      return;
    case RunsCommand::EditTags: details()->editTags(); return;
    case RunsCommand::EditNote: details()->editNote(); return;
    case RunsCommand::Compare: compareTicked(); return;
    case RunsCommand::Report: reportOfTicked(); return;
    case RunsCommand::Untick: m_model.clearChecked(); return;
    case RunsCommand::Trash: m_history.trash(chosen()); return;
    case RunsCommand::Restore: m_banners->restore(); return;
    case RunsCommand::Import: import(); return;
    case RunsCommand::RebuildIndex: m_history.rebuild(); return;
    case RunsCommand::Find:
      m_toolbar->search()->setFocus();
      m_toolbar->search()->selectAll();
      return;
  }
}

/// The ticked runs, or the selected ones if fewer than two are ticked.
void RunsPage::compareTicked() {
  if (m_model.checked().size() < 2) {
    for (const QString& folder : table()->selectedFolders()) m_model.setChecked(folder, true);
  }
  m_comparing = m_model.checked().size() > 1;
  refreshCompare();
}

/// One report of all ticked runs, or of the selected ones if none is ticked.
void RunsPage::reportOfTicked() {
  const QStringList folders =
      m_model.checked().isEmpty() ? table()->selectedFolders() : m_model.checked();
  std::vector<std::filesystem::path> paths;
  for (const QString& folder : folders) paths.emplace_back(utf8(folder));
  if (paths.empty()) {
    m_session->pages().showHint(tr("Check the runs for the report first"));
    return;
  }
  m_session->results().setReportFolders(std::move(paths));
  m_session->pages().request(u"report"_s);
}

void RunsPage::openFolder() {
  const QString folder = table()->currentFolder();
  if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder))) {
    m_session->pages().showHint(tr("Cannot open a file manager for %1").arg(folder));
  }
}

void RunsPage::import() {
  const QString folder =
      QFileDialog::getExistingDirectory(this, tr("Import a run folder"), QString());
  if (!folder.isEmpty()) m_history.import(folder);
}

void RunsPage::refreshCompare() {
  std::vector<const workspace::RunEntry*> entries;
  for (const QString& folder : m_model.checked()) {
    if (const workspace::RunEntry* entry = m_history.run(folder)) entries.push_back(entry);
  }
  // The oldest run is the baseline.
  std::sort(entries.begin(), entries.end(),
            [](const auto* left, const auto* right) { return left->number < right->number; });
  std::vector<RunToLoad> runs;
  for (const workspace::RunEntry* entry : entries) {
    runs.push_back({qstring(entry->folder), runTitle(*entry), entry->status, entry->repeatsDone});
  }
  const bool shown = m_comparing && runs.size() > 1;
  compare()->setVisible(shown);
  placePanels();
  compare()->setRuns(shown ? std::move(runs) : std::vector<RunToLoad>{});
}

void RunsPage::placePanels() {
  m_panels->placeFor(width());
  m_toolbar->setRoomy(width() >= RunsPanels::kRoomForBoth);
}

void RunsPage::showRun(const QString& folder) {
  details()->show(m_history.run(folder));
  refreshActions();
  placePanels();
}

void RunsPage::showAllRuns() { m_toolbar->showAll(); }

/// Shows the run that has just ended, unless the user has chosen another one.
void RunsPage::followEnded() {
  if (m_history.run(m_ended) == nullptr) return;
  const bool free = !m_chosen && !details()->isAncestorOf(QApplication::focusWidget());
  if (free && m_model.rowOf(m_ended) >= 0) table()->showFolder(m_ended);
  m_ended.clear();
}

/// Not during a run, when the panel shows the sweep in progress.
void RunsPage::showSweep() {
  const QString folder = m_history.sweepOf(table()->currentFolder());
  if (folder.isEmpty() || m_session->runState().phase() != RunPhase::Idle) return;
  m_sweepReading.start([this, folder](const std::atomic<bool>&) -> std::function<void()> {
    const auto sweep = workspace::readSweep(utf8(folder));
    if (!sweep) {
      const QString problem = errorText(sweep.error());
      return [this, problem] { m_session->pages().showHint(problem); };
    }
    SweepPredictions predictions;
    auto view = std::make_shared<const SweepView>(viewOfSweep(*sweep, predictions));
    return [this, view] {
      if (m_session->runState().phase() == RunPhase::Idle) m_session->sweep().setView(view);
    };
  });
}

QStringList RunsPage::chosen() const {
  const QStringList selected = table()->selectedFolders();
  return selected.isEmpty() && !table()->currentFolder().isEmpty()
             ? QStringList{table()->currentFolder()}
             : selected;
}

void RunsPage::useCurrent(RunUse use) {
  if (const QString folder = table()->currentFolder(); !folder.isEmpty()) {
    m_session->runFolders().requestOpen(folder, use);
  }
}

void RunsPage::toggleFavourite(const QString& folder) {
  if (m_history.run(folder) != nullptr) m_history.editLabels(folder, {.toggleFavourite = true});
}

void RunsPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  placePanels();
}

void RunsPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  if (m_history.runs()) m_history.reloadSoon();
}

bool RunsPage::event(QEvent* event) {
  // Labels may have been edited in another window, which changes no watched folder.
  if (event->type() == QEvent::WindowActivate && isVisible() && m_history.runs()) {
    m_history.reloadSoon();
  }
  return Page::event(event);
}

void RunsPage::buildToolbar() {
  m_toolbar = new RunsToolbar({m_actions->named("compareRuns"), m_actions->named("openFolder"),
                               m_actions->named("importRun"), m_actions->all()},
                              this);
  m_filters += m_toolbar->kindActions();
  connect(m_toolbar, &RunsToolbar::kindChosen, &m_model, &RunTableModel::setKind);
  connect(m_toolbar->search(), &QLineEdit::textChanged, &m_model, &RunTableModel::setSearch);
}

QWidget* RunsPage::buildTokens() {
  QLineEdit* search = m_toolbar->search();
  auto* tokens = new SearchTokens(this);
  connect(search, &QLineEdit::textChanged, tokens, &SearchTokens::show);
  // Queued, because the clicked button is deleted with its word.
  connect(tokens, &SearchTokens::searchChanged, search, &QLineEdit::setText, Qt::QueuedConnection);
  return tokens;
}

QWidget* RunsPage::buildList() {
  m_panels = new RunsPanels(&m_model, m_session, this);
  table()->setContextMenuPolicy(Qt::ActionsContextMenu);
  table()->addActions(m_actions->all());
  setFocusProxy(table());
  buildNothingFound();
  for (const char* name : {"openInTimeline", "openInCharts", "openInReport", "rerun"}) {
    addRunButton(name, name);
  }
  m_resumeButton = addRunButton("resumeFromHistory", "resume");
  m_resumeButton->hide();
  m_sweepButton = addRunButton("showSweep", "showSweep");
  m_sweepButton->hide();
  connectPanels();
  return m_panels;
}

/// Adds a button to the details of a run.
QToolButton* RunsPage::addRunButton(const char* action, const char* name) {
  return details()->addButton(m_actions->named(action), QString::fromLatin1(name));
}

void RunsPage::connectPanels() {
  connect(table(), &RunsTable::currentFolderChanged, this, &RunsPage::showRun);
  connect(table(), &RunsTable::favouriteClicked, this, &RunsPage::toggleFavourite);
  connect(table(), &RunsTable::rowChosen, this, [this] { m_chosen = true; });
  connect(table()->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &RunsPage::refreshActions);
  connect(table(), &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    if (index.column() != RunTableModel::Checked && index.column() != RunTableModel::Favourite) {
      useCurrent(RunUse::Timeline);
    }
  });
  connect(details(), &RunsDetails::labelsEdited, &m_history, &RunHistory::editLabels);
  connect(compare(), &RunsCompare::closeRequested, this, [this] {
    m_comparing = false;
    refreshCompare();
  });
}

void RunsPage::buildNothingFound() {
  m_nothingFound = new QWidget(table());
  m_nothingFoundText = mutedLabel({}, m_nothingFound);
  m_nothingFoundText->setObjectName(u"nothingFound"_s);
  m_nothingFoundText->setAlignment(Qt::AlignCenter);
  auto* all = new QPushButton(tr("Show all runs"), m_nothingFound);
  setNames(all, u"showAllRuns"_s, tr("Show all runs"));
  all->setToolTip(tr("Clear the search and show runs of every status"));
  columnLayout(m_nothingFound, {},
               {Stretch{1},
                {m_nothingFoundText, 0, Qt::AlignCenter},
                {all, 0, Qt::AlignCenter},
                Stretch{1}});
  m_nothingFound->hide();
  columnLayout(table()->viewport(), {}, {m_nothingFound});
  m_filters.append(new ControlAction(tr("Show all runs"), all, this));
  connect(all, &QPushButton::clicked, this, [this] {
    showAllRuns();
    table()->setFocus();
  });
}

QWidget* RunsPage::buildMessage() {
  m_message = new EmptyState(this);
  m_message->text()->setObjectName(u"runsMessage"_s);
  setNames(m_message->button(), u"runsMessageButton"_s, tr("Next step"));
  m_message->button()->setToolTip(tr("Continue from here"));
  connect(m_message->button(), &QPushButton::clicked, this, [this] {
    if (m_history.error()) {
      m_history.rebuild();
    } else if (m_session->runState().engineProblem().isEmpty()) {
      m_session->runRequests().run({});
    } else {
      import();
    }
  });
  return m_message;
}

}  // namespace stagelane::ui
