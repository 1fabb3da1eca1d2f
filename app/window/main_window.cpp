#include "app/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>

#include "app/engine_client/experiment_source.h"
#include "app/window/closing.h"
#include "app/window/pages.h"
#include "engine/workspace/workspace.h"
#include "ui/frame/command_palette.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/painted_access.h"
#include "ui/kit/style_sheet.h"
#include "ui/kit/text/formatting.h"
#include "ui/runs/sweep/sweep_dialog.h"
#include "ui/session/document/document.h"
#include "ui/session/document/unsaved_work.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/current_sweep.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/trace_file.h"
#include "ui/timeline/timeline_page.h"

namespace stagelane::app {
namespace {

constexpr const char* kFirstExample = "tutorial-resnet50-quick";

QString unsavedFolder() { return ui::qstring((workspace::workspaceRoot() / "unsaved").string()); }

}  // namespace

MainWindow::MainWindow(const WindowOptions& options)
    : m_options(options),
      m_costs(&m_session),
      m_calibration(&m_session),
      m_machine(&m_session),
      m_hosts(&m_session),
      m_runs(&m_session),
      m_sweeps(&m_session),
      m_documents(&m_session, &m_runs, this),
      m_shell(new ui::Shell(&m_session, this)),
      m_state(options),
      m_notice(&m_session, this),
      m_unsaved(&m_session, unsavedFolder()) {
  ui::installPaintedAccess();
  setCentralWidget(m_shell);
  setMinimumSize(1024, 700);
  setAcceptDrops(true);
  for (const ui::PageEntry& page : pages()) m_shell->addPage(page);
  addActions();
  connect(m_session.currentTheme(), &ui::CurrentTheme::changed, this, &MainWindow::applyTheme);
  connect(&m_session.document(), &ui::ExperimentDocument::changed, this, &MainWindow::updateTitle);
  connect(&m_session.traceFile(), &ui::TraceFile::changed, this, &MainWindow::updateTitle);
  connect(&m_documents, &DocumentActions::traceRefused, this,
          [this](const QString& name, const QString& why) {
            m_shell->showPage(u"timeline"_s);
            m_shell->findChild<ui::TimelinePage*>()->tellRefused(name, why);
          });
  connect(&m_session.document(), &ui::ExperimentDocument::changed, this, &MainWindow::updateFacts);
  connect(&m_session.document(), &ui::ExperimentDocument::modifiedChanged, this,
          &MainWindow::updateTitle);
  connect(&m_session.document(), &ui::ExperimentDocument::pathChanged, this,
          &MainWindow::updateTitle);
  connect(&m_runs, &RunController::message, &m_shell->runBar(), &ui::RunBar::setMessage);
  connect(&m_runs, &RunController::message, &m_notice, &RunNotice::tell);
  connect(&m_sweeps, &SweepController::message, &m_shell->runBar(), &ui::RunBar::setMessage);
  connect(&m_sweeps, &SweepController::message, &m_notice, &RunNotice::tell);
  connect(&m_sweeps, &SweepController::started, this, [this] { m_typedSweep = {}; });
  connect(&m_shell->runBar(), &ui::RunBar::paletteRequested, this, &MainWindow::openPalette);
  connect(&m_calibration, &CalibrationController::measured, &m_costs, &CostLookup::lookAgain);
  connect(&m_session.runFolders(), &ui::RunFolders::openRequested, &m_documents,
          &DocumentActions::openRun);
  connect(&m_session.unsaved(), &ui::UnsavedWorkOffer::answered, this, [this](bool restore) {
    if (restore && !m_documents.mayLeave()) return;
    if (restore) {
      m_documents.leaveExperiment();
      m_shell->showPage(u"plan"_s);
    }
    m_unsaved.answer(restore);
  });
  m_documents.fill(m_shell->runBar().experimentMenu());
}

// The pages use the session until they are destroyed.
MainWindow::~MainWindow() { delete takeCentralWidget(); }

void MainWindow::addActions() {
  QUndoStack& stack = m_session.document().undoStack();
  const auto add = [this](const QString& text, const QKeySequence& keys, const QString& name,
                          auto act) {
    auto* action = new QAction(text, m_shell);
    action->setObjectName(name);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, act);
    m_shell->addAction(action);
  };
  add(tr("Undo"), QKeySequence(Qt::CTRL | Qt::Key_Z), u"undoAction"_s, [this, &stack] {
    ui::Page* page = m_shell->currentPage();
    if (page == nullptr || !page->undo()) stack.undo();
  });
  add(tr("Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), u"redoAction"_s,
      [&stack] { stack.redo(); });
  add(tr("Run the included variants"), QKeySequence(Qt::Key_F5), u"runAction"_s,
      [this] { m_session.runRequests().run({}); });
  add(tr("Run this variant"), QKeySequence(Qt::SHIFT | Qt::Key_F5), u"runThisAction"_s,
      [this] { m_session.runRequests().run({m_session.selection().tabId()}); });
  add(tr("Sweep over values…"), QKeySequence(Qt::CTRL | Qt::Key_F5), u"sweepAction"_s,
      [this] { openSweepDialog(); });
  m_shell->runBar().addRunAction(m_shell->findChild<QAction*>(u"sweepAction"_s));
  add(tr("Cancel the run"), QKeySequence(Qt::CTRL | Qt::Key_Period), u"cancelAction"_s,
      [this] { m_session.runRequests().cancel(); });
  add(tr("Switch between light and dark"), {}, u"themeAction"_s,
      [this] { m_state.switchTheme(m_session); });
  add(tr("Use the desktop theme"), {}, u"desktopThemeAction"_s,
      [this] { m_state.followDesktop(m_session); });
  add(tr("Search actions"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), u"paletteAction"_s,
      [this] { openPalette(); });
  for (QAction* action : m_documents.actions()) m_shell->addAction(action);
  add(tr("Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), u"quitAction"_s, [this] { close(); });
}

Status MainWindow::openFirst() {
  // A trace is shown alongside an experiment, so there is always one.
  const bool trace = looksLikeTrace(m_options.file);
  const bool named = !m_options.file.empty() && !trace;
  const QString last = m_options.file.empty() ? lastOpened() : QString();
  bool example = !named && last.isEmpty();
  const std::string first = named ? m_options.file : example ? kFirstExample : ui::utf8(last);
  // Screenshots and tests need the run from the start.
  Status opened =
      m_documents.open(first, m_state.automated() ? RunReading::AtOnce : RunReading::Beside);
  if (!opened && !m_state.automated()) {
    // A user who double-clicked the file sees no terminal.
    m_documents.tellLater(opened.error());
    opened = m_documents.open(kFirstExample);
    m_options.file.clear();
    example = true;
  }
  if (example) {
    selectPipeline();
  } else if (!named) {
    m_session.selection().setVariant(m_state.variant());
  }
  m_state.restore(*this, *m_shell, m_session);
  if (trace) opened = m_documents.open(m_options.file);
  if (opened && !m_options.file.empty() && !m_state.automated()) {
    m_documents.remember(ui::qstring(m_options.file));
  }
  if (!m_state.automated() || m_options.stay) m_unsaved.look();
  applyTheme();
  updateTitle();
  updateFacts();
  return opened;
}

/// Empty if the file is gone, which is not an error.
QString MainWindow::lastOpened() const {
  const QString last = m_state.opened();
  return presetFile(ui::utf8(last)) || QFileInfo::exists(last) ? last : QString();
}

void MainWindow::selectPipeline() {
  const auto experiment = m_session.document().experiment();
  if (!experiment) return;
  // The last variant is the example's best one.
  for (auto variant = experiment->variants.rbegin(); variant != experiment->variants.rend();
       ++variant) {
    if (plan::strategyRow(variant->strategy).pipelined && !variant->implicit) {
      m_session.selection().setVariant(ui::qstring(variant->id));
      return;
    }
  }
}

bool MainWindow::settled() const {
  const ui::Page* page = m_shell->currentPage();
  return page != nullptr && !page->busy() && m_runs.settled() && m_costs.settled() &&
         m_documents.settled() && !m_session.predictor().stale() &&
         !m_session.document().planning();
}

void MainWindow::applyTheme() {
  qApp->setPalette(ui::makePalette(m_session.currentTheme()->theme()));
  qApp->setStyleSheet(ui::styleSheetOf(m_session.currentTheme()->theme()));
}

void MainWindow::updateTitle() {
  const QString unsaved = m_session.document().modified() ? u"● "_s : QString();
  const ui::OpenedTracePtr opened = m_session.traceFile().opened();
  const QString trace = opened && opened->trace ? opened->name + u" — "_s : QString();
  // Qt ends the titles of dialogs in the same way.
  setWindowTitle(u"%1%2%3 — Stagelane"_s.arg(trace, unsaved, m_session.document().name()));
}

void MainWindow::updateFacts() {
  const auto experiment = m_session.document().lastReadable();
  QStringList devices;
  if (experiment) {
    for (const plan::DeviceSpec& device : experiment->devices) {
      devices.append(ui::qstring(device.id.value));
    }
  }
  m_shell->setFacts(
      u"Stagelane %1 · %2"_s.arg(QApplication::applicationVersion(), devices.join(u", "_s)));
}

void MainWindow::openSweepDialog() {
  ui::SweepDialog dialog(&m_session, m_typedSweep, this);
  if (dialog.exec() == QDialog::Accepted) {
    m_typedSweep = dialog.typed();
    m_session.pages().request(u"runs"_s);
    m_session.sweep().request(ui::sweepSpecOf(m_typedSweep));
  }
}

void MainWindow::openPalette() {
  std::vector<ui::PaletteEntry> entries = m_shell->allActions();
  for (QAction* action : m_documents.examples()) entries.push_back({tr("Example"), action, {}});
  for (QAction* action : m_documents.recents()) entries.push_back({tr("Recent"), action, {}});
  auto* palette =
      new ui::CommandPalette(std::move(entries), m_session.currentTheme()->theme(), this);
  palette->setAttribute(Qt::WA_DeleteOnClose);
  palette->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  const QString path = event->mimeData()->urls().value(0).toLocalFile();
  // The drag source waits until this returns, so open later: opening may prompt.
  QMetaObject::invokeMethod(
      this, [this, path] { m_documents.openChosen(path); }, Qt::QueuedConnection);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  ClosingAnswer answer = ClosingAnswer::Leave;
  if (m_runs.running() || m_sweeps.running()) {
    answer = askClosing(this, {m_sweeps.running(), m_runs.running() ? m_runs.host() : QString()});
  }
  if (answer == ClosingAnswer::Stay) {
    event->ignore();
    return;
  }
  if (!m_documents.mayLeave(Leaving::Window)) {
    event->ignore();
    return;
  }
  if (answer == ClosingAnswer::End) m_session.runRequests().cancel();
  m_state.keep(*this, *m_shell);
  m_state.keepOpened(m_documents.opened(), m_session.selection().variantId());
  m_unsaved.forget();
  event->accept();
}

}  // namespace stagelane::app
