#include "ui/runs/runs_page.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QHeaderView>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "engine/workspace/sweep_store.h"
#include "engine/workspace/workspace.h"
#include "ui/frame/run_banner.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/kept_choice.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/runs/sweep/sweep_panel.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/current_sweep.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/sweep_view.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kPollMs = 2000;
const QString kRestore = QStringLiteral("restoreRuns");
constexpr int kRoomForBoth = 1180;  ///< from here on the facts stay beside a comparison

}  // namespace

RunsPage::RunsPage(QWidget* parent) : Page(parent), m_history(workspace::workspaceRoot()) {
  m_poll.setInterval(kPollMs);
  connect(&m_poll, &QTimer::timeout, this, [this] {
    if (!m_history.busy()) m_history.reload();
  });
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &RunsPage::folderChanged);
}

void RunsPage::setSession(Session* session) {
  m_session = session;
  m_banner = new Banner(session->currentTheme(), QStringLiteral("banner.history"), this);
  m_unkeptBanner = new Banner(session->currentTheme(), QStringLiteral("banner.index"), this);
  buildActions();
  m_stack = new QStackedWidget(this);
  m_stack->addWidget(buildList());
  m_stack->addWidget(buildMessage());
  m_status = mutedLabel({}, this);
  m_status->setObjectName(QStringLiteral("runsStatus"));
  m_status->setFont(fontOf(TextSize::Caption));
  m_status->hide();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(buildToolbar());
  layout->addWidget(buildTokens());
  layout->addWidget(
      new RunBanner(session, QStringLiteral("banner.opening"), &bannerOfOpening, this));
  layout->addWidget(new RunBanner(session, this));
  layout->addWidget(m_banner);
  layout->addWidget(m_unkeptBanner);
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
  refreshIcons();
  refresh();
  m_history.reload();
}

void RunsPage::connectHistory() {
  connect(&m_history, &RunHistory::changed, this, &RunsPage::refresh);
  connect(&m_history, &RunHistory::workChanged, this, &RunsPage::refreshWork);
  connect(&m_history, &RunHistory::failed, this, [this](const QString& problem) {
    m_banner->show(
        Tone::Error, tr("That could not be done"), problem,
        {{QStringLiteral("dismissHistory"), tr("Dismiss"), [this] { m_banner->clear(); }}});
  });
  connect(&m_history, &RunHistory::stopped, &m_session->pages(), &PageRequests::showHint);
  connect(&m_history, &RunHistory::imported, this, [this](const QString& folder) {
    m_session->pages().showHint(tr("Imported %1").arg(folder));
    showAllRuns();
    m_table->showFolder(folder);
    m_chosen = true;
  });
  connect(&m_history, &RunHistory::trashed, this, &RunsPage::offerRestore);
  connect(&m_model, &RunTableModel::countsChanged, this, &RunsPage::refreshKinds);
  connect(&m_model, &RunTableModel::checkedChanged, this, [this] {
    m_comparing = m_model.checked().size() > 1;
    refreshCompare();
    refreshActions();
  });
}

void RunsPage::offerRestore() {
  // How a run ended is of no use once it is gone: there is nothing to resume.
  if (m_session->results().result() &&
      !QFileInfo::exists(qstring(m_session->results().folder().string()))) {
    m_session->runState().dismissEnd();
  }
  const int count = m_history.restorable();
  if (count == 0) {
    m_banner->clear();
    return;
  }
  m_banner->show(
      Tone::Neutral, tr("%1 moved to the trash").arg(countedText(count, tr("run"), tr("runs"))), {},
      {{kRestore, tr("Undo"), [this] { restoreTrashed(); },
        tr("Brings them back from the trash, as Ctrl+Z does while this is offered")},
       {QStringLiteral("dismissHistory"), tr("Dismiss"), [this] { m_banner->clear(); }}});
}

bool RunsPage::undo() {
  QPushButton* offered = m_banner->button(kRestore);
  if (offered != nullptr) {
    offered->click();
  }
  return offered != nullptr;
}

void RunsPage::restoreTrashed() {
  m_history.restore();
  offerRestore();
}

bool RunsPage::busy() const {
  return m_history.busy() || m_details->busy() || m_compare->busy() || m_sweepReading.running();
}

void RunsPage::refresh() {
  m_table->setRuns(m_history.runs());
  if (m_history.runs() && !m_shownFirst) {
    // The run that the window was opened with, or has open, is the one that is meant.
    m_shownFirst = true;
    std::error_code failed;
    const auto open =
        std::filesystem::absolute(m_session->results().folder(), failed).lexically_normal();
    const QString folder = qstring(open.string());
    if (m_model.rowOf(folder) >= 0) m_table->showFolder(folder);
  }
  followEnded();
  showRun(m_table->currentFolder());
  refreshMessage();
  refreshActions();
  refreshCompare();
  watch();
}

void RunsPage::refreshMessage() {
  const RunListPtr runs = m_history.runs();
  const bool some = runs && !runs->empty();
  m_stack->setCurrentIndex(some ? 0 : 1);
  const bool engine = m_session->runState().engineProblem().isEmpty();
  if (m_history.error()) {
    m_messageText->setText(errorText(*m_history.error()));
    m_messageButton->setText(tr("Rebuild the index"));
  } else {
    m_messageText->setText(runs ? tr("No runs yet: what is run here or with `stagelane run` is "
                                     "listed on this page.")
                                : tr("Reading the runs…"));
    m_messageButton->setText(engine ? tr("Run the experiment") : tr("Import a run folder…"));
  }
  const bool running = m_session->runState().phase() != RunPhase::Idle;
  m_messageButton->setVisible(m_history.error() || (runs && !running));
  if (some && m_history.error()) {
    m_banner->show(Tone::Error, tr("The history cannot be read again"),
                   errorText(*m_history.error()),
                   {{QStringLiteral("rebuildIndex"), tr("Rebuild the index"),
                     [this] { m_history.rebuild(); }}});
  }
  refreshUnkept();
  m_status->setText(statusText(m_history));
  QStringList unreadable;
  for (const auto& [folder, why] : m_history.unreadable()) {
    unreadable.append(QStringLiteral("%1 (%2)").arg(qstring(folder), qstring(why)));
  }
  m_status->setToolTip(unreadable.join(QChar(u'\n')));
}

/// That the index is not kept does not keep anybody from the runs.
void RunsPage::refreshUnkept() {
  const std::optional<Error>& unkept = m_history.unkept();
  if (unkept && !m_history.error()) {
    m_unkeptBanner->show(
        Tone::Warning, tr("The runs are read from their folders each time"), sentenceText(*unkept),
        {{QStringLiteral("keepIndex"), tr("Try again"), [this] { m_history.reload(); }}});
  } else {
    m_unkeptBanner->clear();
  }
}

void RunsPage::refreshKinds() {
  for (int kind = 0; kind < static_cast<int>(kRunKinds); ++kind) {
    m_kinds->button(kind)->setText(QStringLiteral("%1 %2")
                                       .arg(runKindText(static_cast<RunKind>(kind)))
                                       .arg(m_model.counts()[static_cast<std::size_t>(kind)]));
  }
  const std::string problem = workspace::RunSearch(utf8(m_search->text())).problem();
  m_nothingText->setText(problem.empty() ? tr("No run is like that.") : qstring(problem));
  m_nothingFound->setVisible(m_model.rowCount() == 0);
  if (m_model.rowCount() == 0) {
    showRun({});
  }
}

void RunsPage::refreshWork() {
  const std::optional<HistoryWork>& work = m_history.work();
  m_workBar->setVisible(work.has_value());
  if (!work) {
    return;
  }
  m_workText->setText(
      work->of > 0
          ? tr("%1: %2 of %3%4").arg(work->what).arg(work->done).arg(work->of).arg(work->unit)
          : work->what);
  m_workProgress->setRange(0, work->of);
  m_workProgress->setValue(work->done);
  m_workStop->setVisible(work->canStop);
}

void RunsPage::refreshIcons() {
  const ControlColors& colors = m_session->currentTheme()->theme().control;
  const auto set = [&](const char* action, const char* name) {
    m_byName.value(QString::fromLatin1(action))
        ->setIcon(icon(QString::fromLatin1(name), colors.text, colors.faint));
  };
  set("compareRuns", "compare");
  set("openFolder", "folder");
  set("importRun", "dl");
  m_more->setIcon(icon(QStringLiteral("dots"), colors.text, colors.faint));
  m_table->viewport()->update();
  showRun(m_table->currentFolder());
}

void RunsPage::refreshActions() {
  const bool some = !chosen().isEmpty();
  for (QAction* action : std::as_const(m_ofRuns)) {
    action->setEnabled(some);
  }
  const QString problem = m_session->runState().engineProblem();
  QAction* rerun = m_byName.value(QStringLiteral("rerun"));
  rerun->setEnabled(some && problem.isEmpty() && m_session->runState().phase() == RunPhase::Idle);
  rerun->setToolTip(problem.isEmpty() ? tr("Train the same again, in a new run folder") : problem);
  const workspace::RunEntry* current = m_history.run(m_table->currentFolder());
  const bool ended =
      current != nullptr && (current->status == "canceled" || current->status == "failed");
  m_byName.value(QStringLiteral("resumeFromHistory"))->setEnabled(rerun->isEnabled() && ended);
  m_resumeButton->setVisible(ended);
  QAction* sweep = m_byName.value(QStringLiteral("showSweep"));
  const bool swept = current != nullptr && !m_history.sweepOf(qstring(current->folder)).isEmpty();
  sweep->setEnabled(swept && m_session->runState().phase() == RunPhase::Idle);
  sweep->setToolTip(swept ? tr("The curve and the points of the sweep that this run is a part of")
                          : tr("This run is not a part of a sweep"));
  m_sweepButton->setVisible(swept);
  const auto ticked = m_model.checked().size();
  QAction* compare = m_byName.value(QStringLiteral("compareRuns"));
  compare->setEnabled(ticked > 1 || m_table->selectedFolders().size() > 1);
  compare->setToolTip(tr("Tick two or more runs, or select them, to compare them"));
  m_byName.value(QStringLiteral("restoreTrashed"))->setEnabled(m_history.restorable() > 0);
  m_selected->setText(ticked > 0 ? tr("%1 ticked").arg(ticked) : QString());
}

void RunsPage::refreshCompare() {
  std::vector<const workspace::RunEntry*> entries;
  for (const QString& folder : m_model.checked()) {
    if (const workspace::RunEntry* entry = m_history.run(folder)) {
      entries.push_back(entry);
    }
  }
  // The older one is what the newer ones are compared with.
  std::sort(entries.begin(), entries.end(),
            [](const auto* left, const auto* right) { return left->number < right->number; });
  std::vector<RunToLoad> runs;
  for (const workspace::RunEntry* entry : entries) {
    runs.push_back({qstring(entry->folder), runTitle(*entry), entry->status, entry->repeatsDone});
  }
  const bool shown = m_comparing && runs.size() > 1;
  m_compare->setVisible(shown);
  placePanels();
  m_compare->setRuns(shown ? std::move(runs) : std::vector<RunToLoad>{});
}

void RunsPage::placePanels() {
  const bool room = width() >= kRoomForBoth || m_compare->isHidden();
  m_details->setVisible(room && !m_table->currentFolder().isEmpty());
  for (QToolButton* button : {m_compareButton, m_folderButton, m_importButton}) {
    button->setToolButtonStyle(width() >= kRoomForBoth ? Qt::ToolButtonTextBesideIcon
                                                       : Qt::ToolButtonIconOnly);
  }
}

/// The list has all the height that it needs, but no more than half where the facts need the rest.
/// Facts that need less than `factsHeight` have that much of what the list leaves. Once a person
/// has moved the border, it stays.
void RunsPage::divideHeight(int factsHeight) {
  // What the handle takes in the layout: a pixel too much for the rows is missing in both.
  const int room = m_down->height() - m_down->handle(1)->height();
  if (room <= 0 || m_details->isHidden() || !m_down->property(kFitted).toBool()) {
    return;
  }
  const int rows = m_model.rowCount() * m_table->verticalHeader()->defaultSectionSize();
  const int whole = m_table->height() - m_table->viewport()->height() + rows;
  const int facts = std::max(factsHeight, m_details->height() + m_details->missingHeight());
  const int list = std::max(std::min(whole, room / 2), room - facts);
  m_down->setSizes({list, room - list});
}

bool RunsPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_down && event->type() == QEvent::Resize) {
    // Behind the layout that it asks.
    QMetaObject::invokeMethod(
        this, [this] { divideHeight(m_down->height() / 3); }, Qt::QueuedConnection);
  }
  return Page::eventFilter(watched, event);
}

/// New folders show themselves, and so does the first event in one; a run of another program ends
/// without touching a folder.
void RunsPage::watch() {
  const QStringList before = m_watcher.directories();
  QStringList wanted = m_history.toBegin();
  wanted.append(folderToWatch());
  QStringList dropped;
  for (const QString& folder : before) {
    if (!wanted.contains(folder)) dropped.append(folder);
  }
  if (!dropped.isEmpty()) m_watcher.removePaths(dropped);
  bool added = false;
  for (const QString& folder : std::as_const(wanted)) {
    added = (!before.contains(folder) && m_watcher.addPath(folder)) || added;
  }
  // What came between the reading and the watching is seen by one more reading.
  if (added && m_history.runs()) m_history.reloadSoon();
  const RunListPtr runs = m_history.runs();
  const bool running =
      runs && std::any_of(runs->begin(), runs->end(), [](const workspace::RunEntry& entry) {
        return entry.status == "running";
      });
  if (running != m_poll.isActive()) {
    running ? m_poll.start() : m_poll.stop();
  }
}

/// The folder of runs, or what of the way to it is there.
QString RunsPage::folderToWatch() const {
  QDir folder(qstring((m_history.workspace() / "runs").string()));
  folder.makeAbsolute();
  while (!folder.exists() && !folder.isRoot()) {
    folder.setPath(QDir::cleanPath(folder.filePath(QStringLiteral(".."))));
  }
  return folder.absolutePath();
}

void RunsPage::folderChanged(const QString& folder) {
  // Above the folder of runs much happens that has nothing to do with it.
  const QString nearest = folderToWatch();
  if (folder != nearest && !m_history.toBegin().contains(folder)) {
    watch();
  } else if (m_history.toBegin().contains(folder) ||
             QDir(nearest).dirName() == QStringLiteral("runs")) {
    m_history.reloadSoon();
  }
}

void RunsPage::showRun(const QString& folder) {
  m_details->show(m_history.run(folder));
  refreshActions();
  placePanels();
}

void RunsPage::showAllRuns() {
  m_search->clear();
  m_kinds->button(static_cast<int>(RunKind::All))->click();
}

/// The run that has just ended is what is looked for, unless somebody looks at another meanwhile.
void RunsPage::followEnded() {
  if (m_history.run(m_ended) == nullptr) return;
  const bool free = !m_chosen && !m_details->isAncestorOf(QApplication::focusWidget());
  if (free && m_model.rowOf(m_ended) >= 0) m_table->showFolder(m_ended);
  m_ended.clear();
}

/// Its panel is the one of the sweep that runs: a sweep of last week looks like one of now.
void RunsPage::showSweep() {
  const QString folder = m_history.sweepOf(m_table->currentFolder());
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
  const QStringList selected = m_table->selectedFolders();
  return selected.isEmpty() && !m_table->currentFolder().isEmpty()
             ? QStringList{m_table->currentFolder()}
             : selected;
}

void RunsPage::useCurrent(RunUse use) {
  if (const QString folder = m_table->currentFolder(); !folder.isEmpty()) {
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
  if (m_history.runs()) {
    m_history.reloadSoon();
  }
}

bool RunsPage::event(QEvent* event) {
  // Whoever comes back from another window may have labelled runs there, which touches no folder
  // that is watched.
  if (event->type() == QEvent::WindowActivate && isVisible() && m_history.runs()) {
    m_history.reloadSoon();
  }
  return Page::event(event);
}

}  // namespace stagelane::ui
