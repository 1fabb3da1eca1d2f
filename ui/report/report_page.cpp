#include "ui/report/report_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDate>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/text.h"
#include "engine/record/run_record.h"
#include "engine/workspace/workspace.h"
#include "ui/frame/loading_panel.h"
#include "ui/frame/run_banner.h"
#include "ui/kit/combo.h"
#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/pictures/export_path.h"
#include "ui/kit/question.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/report/report_preview.h"
#include "ui/report/report_settings.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/earlier_results.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/runs_to_show.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kProgressMs = 60;
constexpr std::size_t kMostRuns = 20;
/// Places in the stack.
constexpr int kPages = 0, kEmpty = 1, kLoading = 2;

}  // namespace

ReportPage::ReportPage(QWidget* parent) : Page(parent), m_history(workspace::workspaceRoot()) {
  m_preview = new ReportPreview;
  m_scroll = new QScrollArea(this);
  setNames(m_scroll, QStringLiteral("reportPages"), QStringLiteral("Pages of the report"));
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  m_scroll->setWidget(m_preview);
  auto* content = new QWidget(this);
  auto* columns = new QHBoxLayout(content);
  columns->setContentsMargins(0, 0, 0, 0);
  columns->setSpacing(0);
  columns->addWidget(m_scroll, 1);
  m_stack = new QStackedWidget(this);
  m_stack->addWidget(content);
  m_stack->addWidget(buildEmptyState());
  m_loadingPanel = new LoadingPanel(SkeletonKind::Pages, QStringLiteral("reportLoading"), this);
  m_stack->addWidget(m_loadingPanel);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(buildToolbar());
  layout->addWidget(m_stack, 1);
  m_open = new QAction(QStringLiteral("Open in browser"), this);
  m_open->setObjectName(QStringLiteral("openInBrowserAction"));
  connect(m_open, &QAction::triggered, this, &ReportPage::openInBrowser);
  m_save = new QAction(QStringLiteral("Export the report"), this);
  m_save->setObjectName(QStringLiteral("exportAction"));
  m_save->setShortcut(Qt::CTRL | Qt::Key_E);
  addAction(m_save);
  connect(m_save, &QAction::triggered, this, &ReportPage::exportReport);
  auto* next = new QAction(QStringLiteral("Next page of the report"), this);
  connect(next, &QAction::triggered, this, [this] { showPageOf(1); });
  auto* previous = new QAction(QStringLiteral("Previous page of the report"), this);
  connect(previous, &QAction::triggered, this, [this] { showPageOf(-1); });
  connect(m_scroll->verticalScrollBar(), &QScrollBar::valueChanged, this,
          &ReportPage::refreshPageCount);
  m_actions = {m_open, m_save, next, previous};
  const auto ofButton = [this](const QString& text, QAbstractButton* button) {
    m_actions.append(new ControlAction(text, button, this));
  };
  ofButton(QStringLiteral("Add a run to the report…"), m_addRun);
  ofButton(QStringLiteral("Report: fit the pages to the width"), m_fitWidth);
  ofButton(QStringLiteral("Report: pages at 100 %"), m_realSize);
  ofButton(QStringLiteral("Report: only the last run"), m_onlyThis);
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
  m_preview->setTheme(m_session->currentTheme()->theme());
  m_loadingPanel->setTheme(m_session->currentTheme()->theme());
}

void ReportPage::refresh() {
  if (m_session == nullptr) return;
  m_stale = true;
  const bool some = !folders().empty();
  const bool running = m_session->runState().phase() != RunPhase::Idle;
  const bool waits = waitsForRun();
  m_emptyText->setText(running
                           ? QStringLiteral("The report is made when the run has ended.")
                           : QStringLiteral("No report yet: nothing has been run in this window."));
  m_gaveUp = m_gaveUp && some;
  showEmptyButton();
  if (!some) {
    m_maker.clear();  // what is still being read is of a run that is shown no more
    m_loadedFolders.clear();
  }
  if (!some || (waits && !m_maker.inputs())) {
    m_stack->setCurrentIndex(m_session->loading().run() ? kLoading : kEmpty);
    refreshWork();
    return;
  }
  // Each repeat of a run that goes on calls for a refresh, also of a report on others.
  const bool sameOthers = running && folders() == m_loadedFolders;
  if (isVisible() && !waits && !sameOthers) load();
}

/// What is being measured is one of the runs that the report is about. A sweep's are not opened.
bool ReportPage::waitsForRun() const {
  const RunResultPtr shown = m_session->results().result();
  if (m_session->runState().phase() == RunPhase::Idle || !shown ||
      shown->status != record::RunStatus::Running) {
    return false;
  }
  const std::vector<std::filesystem::path> all = folders();
  return std::find(all.begin(), all.end(), m_session->results().folder()) != all.end();
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

/// The newest runs that are not in the report yet, and any folder.
void ReportPage::fillAddMenu() {
  m_addMenu->clear();
  const RunListPtr known = m_history.runs();
  RunList others;
  for (std::size_t i = 0; known && i < known->size(); ++i) {
    const std::vector<std::filesystem::path> taken = folders();
    const std::filesystem::path folder((*known)[i].folder);
    if (std::find(taken.begin(), taken.end(), folder) == taken.end()) {
      others.push_back((*known)[i]);
    }
  }
  for (const RunToShow& run : runsToShow(others, {}, kMostRuns, QDate::currentDate().year())) {
    QAction* action = m_addMenu->addAction(QStringLiteral("run %1").arg(run.text));
    action->setObjectName(QStringLiteral("addReportRun.%1").arg(QFileInfo(run.folder).fileName()));
    connect(action, &QAction::triggered, this, [this, folder = run.folder] { addRun(folder); });
  }
  if (others.empty()) {
    QAction* none = m_addMenu->addAction(known ? QStringLiteral("No other run")
                                               : QStringLiteral("Reading the runs…"));
    none->setEnabled(false);
  }
  m_addMenu->addSeparator();
  QAction* folder = m_addMenu->addAction(QStringLiteral("Another folder…"));
  folder->setObjectName(QStringLiteral("addReportFolder"));
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
      QFileDialog::getExistingDirectory(this, QStringLiteral("Add a run to the report"), from);
  if (!chosen.isEmpty()) addRun(chosen);
}

void ReportPage::showPageOf(int step) {
  const int y = m_scroll->verticalScrollBar()->value();
  const int page = static_cast<int>(m_preview->pageAt(y)) + step;
  const int last = static_cast<int>(m_preview->pageCount()) - 1;
  m_scroll->verticalScrollBar()->setValue(
      m_preview->topOf(static_cast<std::size_t>(std::clamp(page, 0, std::max(0, last)))));
}

void ReportPage::refreshPageCount() {
  const std::size_t count = m_preview->pageCount();
  const std::size_t page =
      count == 0 ? 0 : m_preview->pageAt(m_scroll->verticalScrollBar()->value());
  m_pageCount->setText(QStringLiteral("Page %1 of %2").arg(count == 0 ? 0 : page + 1).arg(count));
  m_previousPage->setEnabled(page > 0);
  m_nextPage->setEnabled(page + 1 < count);
}

void ReportPage::refreshZoom() {
  const int room = m_scroll->viewport()->width();
  if (!m_zoomChosen) {
    (m_preview->fitsAtRealSize(room) ? m_realSize : m_fitWidth)->setChecked(true);
  }
  m_preview->setFitWidth(m_fitWidth->isChecked());
  m_preview->setAvailableWidth(room);
  refreshPageCount();
}

void ReportPage::load() {
  m_stale = false;
  m_gaveUp = false;
  m_loadedFolders = folders();
  m_maker.load(m_loadedFolders);
}

void ReportPage::loaded() {
  const auto inputs = m_maker.inputs();
  const std::vector<std::filesystem::path> asked = folders();
  m_onlyThis->setVisible(!m_session->results().reportFolders().empty());
  if (!inputs) {
    m_emptyText->setText(QStringLiteral("The run's folder cannot be read any more: %1")
                             .arg(asked.empty() ? QString() : qstring(asked.front().string())));
    m_stack->setCurrentIndex(kEmpty);
    refreshWork();
    return;
  }
  QString name = shownName(first().run->name);
  if (inputs->size() > 1) {
    name += QStringLiteral(" and %1").arg(countedText(static_cast<std::int64_t>(inputs->size()) - 1,
                                                      QStringLiteral("other run"),
                                                      QStringLiteral("other runs")));
  }
  m_runName->setText(name);
  say(inputs->size() < asked.size()
          ? QStringLiteral("%1 of %2 folders hold no run that can be read")
                .arg(asked.size() - inputs->size())
                .arg(asked.size())
          : QString(),
      inputs->size() < asked.size());
  m_question->setPlaceholderText(questionOf(first(), {}));
  m_title->setPlaceholderText(inputs->size() > 1
                                  ? QStringLiteral("%1 runs compared").arg(inputs->size())
                                  : shownName(first().run->name));
  m_path->clear();
  suggestPath();
  rebuild();
}

void ReportPage::rebuild() {
  if (!m_maker.inputs()) return;
  ReportContents contents;
  contents.question = m_question->text();
  contents.title = m_title->text();
  contents.note = m_note->toPlainText();
  for (const Switch& entry : m_switches) contents.*entry.member = entry.box->isChecked();
  m_typing.stop();
  m_maker.make(contents);
}

void ReportPage::made() {
  m_preview->setPages(m_maker.pages());
  m_stack->setCurrentIndex(kPages);
  refreshZoom();
  refreshWork();
}

void ReportPage::cancelMaking() {
  m_gaveUp = true;
  m_maker.cancelMaking();
  m_emptyText->setText(QStringLiteral("The report was not made."));
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
  const QString text = m_maker.loading()     ? QStringLiteral("Reading the runs")
                       : m_maker.making()    ? QStringLiteral("Making the pages")
                       : m_opening.isEmpty() ? QStringLiteral("Writing the report")
                                             : QStringLiteral("Writing it for the browser");
  m_loadingPanel->show(text, m_maker.loading() ? done : 0, m_maker.loading() ? of : 0);
  m_workText->setText(text);
  m_workBar->setRange(0, of);
  m_workBar->setValue(std::min(done, of));
  m_workCancel->setVisible(m_maker.writing());
  m_work->setVisible(m_maker.writing() || (m_maker.making() && !nothingYet));
  const bool ready = !nothingYet && !m_maker.writing();
  // A button that is switched off hands the keyboard on; it stays on the page and comes back.
  QWidget* pressed = m_export->hasFocus() ? m_export : m_browser->hasFocus() ? m_browser : nullptr;
  if (!ready && pressed != nullptr) {
    m_pressed = pressed;
    m_scroll->setFocus();
  }
  m_export->setEnabled(ready);
  m_browser->setEnabled(ready);
  if (ready && m_pressed != nullptr) {
    if (m_scroll->hasFocus()) m_pressed->setFocus();
    m_pressed = nullptr;
  }
  for (QAction* action : {m_open, m_save}) action->setEnabled(ready);
  if (m_maker.making() || m_maker.writing()) {
    if (!m_progress.isActive()) m_progress.start();
  } else {
    m_progress.stop();
  }
}

void ReportPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  refreshZoom();
}

void ReportPage::say(const QString& text, bool problem) {
  m_message->setText(text);
  setLook(m_message, problem ? QStringLiteral("error") : QStringLiteral("muted"));
}

void ReportPage::exportReport() {
  if (!m_maker.pages() || m_maker.writing()) return;
  m_path->setText(absolutePath(m_path->text(), qstring(folders().front().string())));
  if (!mayReplace(this, m_path->text(), m_written)) return;
  if (m_typing.isActive()) rebuild();
  say({}, false);
  m_maker.write(utf8(m_path->text()), theme());
}

void ReportPage::openInBrowser() {
  if (!m_maker.pages() || m_maker.writing()) return;
  if (m_typing.isActive()) rebuild();
  const QString name = qstring(slug(first().run->name));
  m_opening = QDir::temp().filePath(QStringLiteral("stagelane-report-%1.html").arg(name));
  say({}, false);
  m_maker.write(utf8(m_opening), theme());
}

void ReportPage::written(const QString& path, const QString& problem) {
  const bool opening = path == std::exchange(m_opening, QString());
  if (!problem.isEmpty()) {
    say(problem, true);
    return;
  }
  if (opening) {
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path))) {
      say(QStringLiteral("No browser answered; the page is %1").arg(path), true);
    }
    return;
  }
  m_written = path;
  say(QStringLiteral("Wrote %1").arg(path), false);
  m_session->pages().showHint(QStringLiteral("Wrote %1").arg(path));
}

}  // namespace stagelane::ui
