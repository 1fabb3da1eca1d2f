#include "ui/report/report_page.h"

#include <QAction>
#include <QDate>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <utility>

#include "engine/base/find.h"
#include "engine/base/text.h"
#include "engine/record/run_record.h"
#include "engine/workspace/workspace.h"
#include "ui/frame/loading_panel.h"
#include "ui/frame/run_banner.h"
#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/empty_state.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/report/report_contents_form.h"
#include "ui/report/report_export_form.h"
#include "ui/report/report_scroll.h"
#include "ui/report/report_settings.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/earlier_results.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/runs_to_show.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kProgressMs = 60;
constexpr int kSideWidth = 232;
constexpr std::size_t kMostRuns = 20;
/// Indices in the stack.
constexpr int kPages = 0, kEmpty = 1, kLoading = 2;

}  // namespace

ReportPage::ReportPage(QWidget* parent) : Page(parent), m_history(workspace::workspaceRoot()) {
  m_scroll = new ReportScroll(this);
  auto* content = new QWidget(this);
  rowLayout(content, kNoRoom, {{m_scroll, 1}});
  m_stack = new QStackedWidget(this);
  m_stack->addWidget(content);
  m_stack->addWidget(buildEmptyState());
  m_loadingPanel = new LoadingPanel(SkeletonKind::Pages, u"reportLoading"_s, this);
  m_stack->addWidget(m_loadingPanel);
  columnLayout(this, kNoRoom, {buildToolbar(), {m_stack, 1}});
  addActions();
}

void ReportPage::addActions() {
  m_open = new QAction(tr("Open in browser"), this);
  m_open->setObjectName(u"openInBrowserAction"_s);
  connect(m_open, &QAction::triggered, this, &ReportPage::openInBrowser);
  m_save = new QAction(tr("Export report"), this);
  m_save->setObjectName(u"exportAction"_s);
  m_save->setShortcut(Qt::CTRL | Qt::Key_E);
  addAction(m_save);
  connect(m_save, &QAction::triggered, this, &ReportPage::exportReport);
  auto* next = new QAction(tr("Next page of the report"), this);
  connect(next, &QAction::triggered, this, [this] { m_scroll->showPageOf(1); });
  auto* previous = new QAction(tr("Previous page of the report"), this);
  connect(previous, &QAction::triggered, this, [this] { m_scroll->showPageOf(-1); });
  m_actions = {m_open, m_save, next, previous};
  const auto ofButton = [this](const QString& text, QAbstractButton* button) {
    m_actions.append(new ControlAction(text, button, this));
  };
  ofButton(tr("Add run to report…"), m_addRun);
  ofButton(tr("Report: fit the pages to the width"), m_scroll->fitWidthButton());
  ofButton(tr("Report: pages at 100 %"), m_scroll->realSizeButton());
  ofButton(tr("Report: only the last run"), m_onlyThis);
}

QWidget* ReportPage::buildToolbar() {
  auto* bar = new QWidget(this);
  setLook(bar, u"toolbar"_s);
  bar->setFixedHeight(measure::kToolbarHeight);
  m_runName = new QLabel(bar);
  m_runName->setObjectName(u"reportRun"_s);
  m_browser = new QPushButton(tr("Open in browser"), bar);
  setNames(m_browser, u"openInBrowser"_s, tr("Open the report as HTML in the browser"));
  m_browser->setToolTip(tr("Open the report as a self-contained HTML page"));
  m_addRun = new QPushButton(tr("Add run…"), bar);
  setNames(m_addRun, u"addReportRun"_s, tr("Add a run to the report"));
  m_addRun->setToolTip(
      tr("Add another run and compare both in one report. See also \"Report of "
         "checked runs\" on the Runs page"));
  m_addMenu = new QMenu(m_addRun);
  m_addRun->setMenu(m_addMenu);
  connect(m_addMenu, &QMenu::aboutToShow, this, &ReportPage::fillAddMenu);
  m_onlyThis = new QPushButton(tr("Only the last run"), bar);
  setNames(m_onlyThis, u"onlyThisRun"_s, tr("Report on the last run only"));
  m_onlyThis->hide();
  rowLayout(bar, kToolbarRoom,
            {mutedLabel(tr("Report on"), bar), m_runName, m_addRun, m_onlyThis, Stretch{1},
             m_scroll->controls(), m_browser});
  connect(m_onlyThis, &QPushButton::clicked, this,
          [this] { m_session->results().setReportFolders({}); });
  connect(m_browser, &QPushButton::clicked, this, &ReportPage::openInBrowser);
  return bar;
}

QWidget* ReportPage::buildSide() {
  auto* side = new QWidget;
  setLook(side, u"panel"_s);
  m_contents = new ReportContentsForm(side);
  m_exportForm = new ReportExportForm(m_session->currentTheme(), side);
  columnLayout(side,
               {.margins = {measure::kPanelPadding, measure::kPanelPadding, measure::kPanelPadding,
                            measure::kPanelPadding},
                .spacing = 6},
               {m_contents, m_exportForm, Stretch{1}});
  m_actions.append(m_contents->switchActions());
  m_actions.append(m_exportForm->formActions());
  connect(m_contents, &ReportContentsForm::changed, this, &ReportPage::rebuild);
  connect(m_exportForm, &ReportExportForm::exportWanted, this, &ReportPage::exportReport);
  connect(m_exportForm, &ReportExportForm::cancelWanted, &m_maker, &ReportMaker::cancelWriting);
  auto* scroll = new QScrollArea(this);
  setNames(scroll, u"reportSide"_s, tr("Report contents"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFixedWidth(kSideWidth);
  scroll->setWidget(side);
  return scroll;
}

QWidget* ReportPage::buildEmptyState() {
  auto* empty = new EmptyState(this);
  m_emptyText = empty->text();
  m_emptyButton = empty->button();
  showEmptyButton();
  connect(m_emptyButton, &QPushButton::clicked, this, [this] {
    if (m_gaveUp) {
      load();
    } else if (const QString newest = newestRun(); !newest.isEmpty()) {
      m_session->runFolders().requestOpen(newest, RunUse::Report);
    } else {
      m_session->pages().request(u"plan"_s);
    }
  });
  return empty;
}

void ReportPage::showEmptyButton() {
  const bool some = !newestRun().isEmpty();
  m_emptyButton->setText(m_gaveUp ? tr("Create report")
                         : some   ? tr("Open newest run")
                                  : tr("Open plan"));
  setNames(m_emptyButton,
           m_gaveUp ? u"reportMake"_s
           : some   ? u"reportNewestRun"_s
                    : u"reportOpenPlan"_s,
           m_gaveUp ? tr("Create report")
           : some   ? tr("Open the newest run of the workspace")
                    : tr("Open the Plan page"));
}

/// The folder of the newest run; empty if the workspace has none.
QString ReportPage::newestRun() const {
  const RunListPtr known = m_history.runs();
  return known && !known->empty() ? qstring(known->front().folder) : QString();
}

bool ReportPage::busy() const {
  return m_maker.making() || m_maker.writing() || (m_contents != nullptr && m_contents->typing()) ||
         m_history.busy();
}

void ReportPage::setSession(Session* session) {
  m_session = session;
  static_cast<QHBoxLayout*>(m_stack->widget(0)->layout())->insertWidget(0, buildSide());
  static_cast<QVBoxLayout*>(layout())->insertWidget(1, new RunBanner(session, this));
  connect(&session->results(), &MeasuredResults::changed, this, &ReportPage::refresh);
  connect(&session->runState(), &RunState::phaseChanged, this, &ReportPage::refresh);
  connect(&session->results(), &MeasuredResults::reportFoldersChanged, this, &ReportPage::refresh);
  connect(session->currentTheme(), &CurrentTheme::changed, this, &ReportPage::applyTheme);
  connect(&m_history, &RunHistory::changed, this, &ReportPage::showEmptyButton);
  connectMaker();
  applyTheme();
  refresh();
}

void ReportPage::connectMaker() {
  m_progress.setInterval(kProgressMs);
  connect(&m_progress, &QTimer::timeout, this, &ReportPage::refreshWork);
  connect(&m_maker, &ReportMaker::workChanged, this, &ReportPage::refreshWork);
  connect(&m_maker, &ReportMaker::loaded, this, &ReportPage::loaded);
  connect(&m_maker, &ReportMaker::made, this, &ReportPage::made);
  connect(&m_maker, &ReportMaker::written, this, &ReportPage::written);
  connect(m_loadingPanel, &LoadingPanel::cancelWanted, this, [this] {
    if (m_session->loading().run()) {
      m_session->loading().requestStopRun();
    } else {
      cancelMaking();
    }
  });
  connect(&m_session->loading(), &Loading::runChanged, this, [this] {
    if (const auto& loading = m_session->loading().run()) {
      m_loadingPanel->show(*loading);
      m_stack->setCurrentIndex(kLoading);
    } else {
      refresh();
    }
  });
  refreshWork();
}

void ReportPage::applyTheme() {
  m_scroll->setTheme(m_session->currentTheme()->theme());
  m_loadingPanel->setTheme(m_session->currentTheme()->theme());
}

void ReportPage::refresh() {
  if (m_session == nullptr) return;
  m_stale = true;
  const bool some = !folders().empty();
  const bool running = m_session->runState().phase() != RunPhase::Idle;
  const bool waits = waitsForRun();
  m_emptyText->setText(running ? tr("The report is created after the run.")
                               : tr("No report yet: nothing has been run in this window."));
  m_gaveUp = m_gaveUp && some;
  showEmptyButton();
  if (!some) {
    m_maker.clear();  // Stop reading a run that is no longer shown.
    m_loadedFolders.clear();
  }
  if (!some || (waits && !m_maker.inputs())) {
    m_stack->setCurrentIndex(m_session->loading().run() ? kLoading : kEmpty);
    refreshWork();
    return;
  }
  // A run in progress triggers a refresh per repeat, even if the report is on other runs.
  const bool sameOthers = running && folders() == m_loadedFolders;
  if (isVisible() && !waits && !sameOthers) load();
}

/// Whether a run of the report is in progress. Runs of a sweep are not opened.
bool ReportPage::waitsForRun() const {
  const RunResultPtr shown = m_session->results().result();
  if (m_session->runState().phase() == RunPhase::Idle || !shown ||
      shown->status != record::RunStatus::Running) {
    return false;
  }
  const std::vector<std::filesystem::path> all = folders();
  return contains(all, m_session->results().folder());
}

void ReportPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  m_history.reloadSoon();
  if (m_session != nullptr && m_stale) refresh();
}

std::vector<std::filesystem::path> ReportPage::folders() const {
  if (!m_session->results().reportFolders().empty()) return m_session->results().reportFolders();
  if (m_session->results().result() == nullptr || m_session->results().folder().empty()) return {};
  return {m_session->results().folder()};
}

/// Lists the newest runs that are not in the report yet, and an entry for any folder.
void ReportPage::fillAddMenu() {
  m_addMenu->clear();
  const RunListPtr known = m_history.runs();
  RunList others;
  for (std::size_t i = 0; known && i < known->size(); ++i) {
    const std::vector<std::filesystem::path> taken = folders();
    const std::filesystem::path folder((*known)[i].folder);
    if (!contains(taken, folder)) others.push_back((*known)[i]);
  }
  for (const RunToShow& run : runsToShow(others, {}, kMostRuns, QDate::currentDate().year())) {
    QAction* action = m_addMenu->addAction(tr("run %1").arg(run.text));
    action->setObjectName(u"addReportRun.%1"_s.arg(QFileInfo(run.folder).fileName()));
    connect(action, &QAction::triggered, this, [this, folder = run.folder] { addRun(folder); });
  }
  if (others.empty()) {
    QAction* none = m_addMenu->addAction(known ? tr("No other run") : tr("Reading the runs…"));
    none->setEnabled(false);
  }
  m_addMenu->addSeparator();
  QAction* folder = m_addMenu->addAction(tr("Another folder…"));
  folder->setObjectName(u"addReportFolder"_s);
  connect(folder, &QAction::triggered, this, &ReportPage::addFolder);
}

void ReportPage::addRun(const QString& folder) {
  std::vector<std::filesystem::path> all = folders();
  all.emplace_back(utf8(folder));
  m_session->results().setReportFolders(std::move(all));
}

void ReportPage::addFolder() {
  const std::vector<std::filesystem::path> all = folders();
  const QString from = all.empty() ? QDir::homePath() : qstring(all.back().parent_path().string());
  const QString chosen =
      QFileDialog::getExistingDirectory(this, tr("Add a run to the report"), from);
  if (!chosen.isEmpty()) addRun(chosen);
}

void ReportPage::load() {
  m_stale = false;
  m_gaveUp = false;
  m_loadedFolders = folders();
  m_maker.load(m_loadedFolders);
}

void ReportPage::loaded() {
  const auto inputs = m_maker.inputs();
  m_onlyThis->setVisible(!m_session->results().reportFolders().empty());
  if (inputs) {
    showInputs(*inputs);
    rebuild();
    return;
  }
  const std::vector<std::filesystem::path> asked = folders();
  m_emptyText->setText(tr("Cannot read the run's folder: %1")
                           .arg(asked.empty() ? QString() : qstring(asked.front().string())));
  m_stack->setCurrentIndex(kEmpty);
  refreshWork();
}

void ReportPage::showInputs(const std::vector<ReportInput>& inputs) {
  const std::vector<std::filesystem::path> asked = folders();
  const QString first = shownName(inputs.front().run->name);
  const int others = static_cast<int>(inputs.size()) - 1;
  m_runName->setText(others == 0 ? first
                                 : tr("%1 and %n other run(s)", nullptr, others).arg(first));
  const std::size_t unread = asked.size() - inputs.size();
  m_exportForm->say(
      unread > 0 ? tr("%1 of %2 folders contain no readable run").arg(unread).arg(asked.size())
                 : QString(),
      unread > 0);
  m_contents->setDefaults(
      others > 0 ? tr("%n run(s) compared", nullptr, static_cast<int>(inputs.size())) : first,
      questionOf(inputs.front(), {}));
  m_exportForm->setFolder(qstring(asked.front().string()));
}

void ReportPage::rebuild() {
  if (!m_maker.inputs()) return;
  m_contents->stopTyping();
  m_maker.make(m_contents->contents());
}

void ReportPage::made() {
  m_scroll->setPages(m_maker.pages());
  m_stack->setCurrentIndex(kPages);
  refreshWork();
}

void ReportPage::cancelMaking() {
  m_gaveUp = true;
  m_maker.cancelMaking();
  m_emptyText->setText(tr("The report was not created."));
  showEmptyButton();
  m_stack->setCurrentIndex(kEmpty);
  refreshWork();
}

void ReportPage::refreshWork() {
  const bool nothingYet = !m_maker.pages();
  const bool first = m_maker.making() && nothingYet;
  if (first) m_stack->setCurrentIndex(kLoading);
  const ReportProgress* progress = m_maker.progress();
  const int done = progress == nullptr ? 0 : progress->done.load();
  const int of = progress == nullptr ? 0 : progress->of.load();
  const QString text = m_maker.loading()     ? tr("Reading the runs")
                       : m_maker.making()    ? tr("Creating the pages")
                       : m_opening.isEmpty() ? tr("Writing the report")
                                             : tr("Writing the report for the browser");
  m_loadingPanel->show(text, m_maker.loading() ? done : 0, m_maker.loading() ? of : 0);
  m_exportForm->setWork(text, done, of);
  m_exportForm->showWork(m_maker.writing() || (m_maker.making() && !nothingYet), m_maker.writing());
  enableWriting(!nothingYet && !m_maker.writing());
  if (m_maker.making() || m_maker.writing()) {
    if (!m_progress.isActive()) m_progress.start();
  } else {
    m_progress.stop();
  }
}

void ReportPage::enableWriting(bool ready) {
  QPushButton* write = m_exportForm->exportButton();
  // A disabled button passes the focus on; keep it on the page and return it later.
  QWidget* pressed = write->hasFocus() ? write : m_browser->hasFocus() ? m_browser : nullptr;
  if (!ready && pressed != nullptr) {
    m_pressed = pressed;
    m_scroll->setFocus();
  }
  write->setEnabled(ready);
  m_browser->setEnabled(ready);
  if (ready && m_pressed != nullptr) {
    if (m_scroll->hasFocus()) m_pressed->setFocus();
    m_pressed = nullptr;
  }
  for (QAction* action : {m_open, m_save}) action->setEnabled(ready);
}

void ReportPage::exportReport() {
  if (!m_maker.pages() || m_maker.writing()) return;
  const QString file = m_exportForm->fileToWrite();
  if (file.isEmpty()) return;
  if (m_contents->typing()) rebuild();
  m_exportForm->say({}, false);
  m_maker.write(utf8(file), m_exportForm->theme());
}

void ReportPage::openInBrowser() {
  if (!m_maker.pages() || m_maker.writing()) return;
  if (m_contents->typing()) rebuild();
  const QString name = qstring(slug(m_maker.inputs()->front().run->name));
  m_opening = QDir::temp().filePath(u"stagelane-report-%1.html"_s.arg(name));
  m_exportForm->say({}, false);
  m_maker.write(utf8(m_opening), m_exportForm->theme());
}

void ReportPage::written(const QString& path, const QString& problem) {
  const bool opening = path == std::exchange(m_opening, QString());
  if (!problem.isEmpty()) {
    m_exportForm->say(problem, true);
    return;
  }
  if (opening) {
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path))) {
      m_exportForm->say(tr("Cannot open a browser. Open %1 manually").arg(path), true);
    }
    return;
  }
  m_exportForm->setWritten(path);
  m_exportForm->say(tr("Wrote %1").arg(path), false);
  m_session->pages().showHint(tr("Wrote %1").arg(path));
}

}  // namespace stagelane::ui
