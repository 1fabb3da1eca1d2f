#include "app/window/document_actions.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <filesystem>

#include "app/engine_client/experiment_source.h"
#include "engine/base/json.h"
#include "engine/base/text.h"
#include "profiler/formats/trace_formats.h"
#include "ui/kit/question.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/code_dialog.h"
#include "ui/plan/experiment/new_experiment_dialog.h"
#include "ui/session/document/document.h"
#include "ui/session/document/document_shape.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

/// Without the driver's device file there is no GPU, and no need to query the engine.
bool mayHaveGpus() {
  std::error_code problem;
  return std::filesystem::exists("/dev/nvidiactl", problem);
}

/// Patterns of files that can be opened: "*.pftrace *.json"; experiments are .json too.
QString fileNamePatterns() {
  QStringList patterns;
  for (const std::string& ending : formats::readEndings()) {
    patterns.append(QLatin1Char('*') + ui::qstring(ending));
  }
  return patterns.join(QLatin1Char(' '));
}

}  // namespace

DocumentActions::DocumentActions(ui::Session* session, RunController* runs, QWidget* window)
    : QObject(window),
      m_session(session),
      m_runs(runs),
      m_traces(session),
      m_file(session),
      m_window(window) {
  connect(&m_file, &FileWatch::refused, this, &DocumentActions::tell);
  connect(&m_traces, &TraceOpener::refused, this, &DocumentActions::traceRefused);
  const auto add = [this](const QString& text, const QKeySequence& keys, const QString& name,
                          void (DocumentActions::*slot)()) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    action->setObjectName(name);
    connect(action, &QAction::triggered, this, slot);
    m_actions.append(action);
  };
  add(tr("New experiment…"), QKeySequence::New, u"newExperiment"_s,
      &DocumentActions::newExperiment);
  m_actions.back()->setToolTip(tr("Choose a model, its input, the batch and the devices"));
  add(tr("Open…"), QKeySequence::Open, u"open"_s, &DocumentActions::openDialog);
  auto* saving = new QAction(tr("Save"), this);
  saving->setShortcut(QKeySequence::Save);
  saving->setObjectName(u"save"_s);
  connect(saving, &QAction::triggered, this, [this] { save(); });
  auto* savingAs = new QAction(tr("Save as…"), this);
  savingAs->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_S);
  savingAs->setObjectName(u"saveAs"_s);
  connect(savingAs, &QAction::triggered, this, [this] { saveAs(); });
  m_actions << saving << savingAs;
  add(tr("Export code…"), Qt::CTRL | Qt::SHIFT | Qt::Key_E, u"exportCode"_s,
      &DocumentActions::exportCode);
  m_actions.back()->setToolTip(
      tr("Export the plan of this variant as a PyTorch script or a device map"));
  buildExamples();
  connect(&session->traceFile(), &ui::TraceFile::openRequested, this, &DocumentActions::openDialog);
  connect(runs, &RunController::notOpened, this, &DocumentActions::tell);
}

void DocumentActions::fill(QMenu* menu) {
  menu->addActions(m_actions);
  m_recentMenu = menu->addMenu(tr("Recent"));
  m_recentMenu->menuAction()->setObjectName(u"recentMenu"_s);
  connect(menu, &QMenu::aboutToShow, this, &DocumentActions::refreshRecents);
  menu->addSeparator();
  auto* heading = menu->addAction(tr("Examples"));
  heading->setEnabled(false);
  menu->addActions(m_examples);
}

void DocumentActions::buildExamples() {
  for (const std::string& name : presetNames()) {
    const QString preset = ui::qstring(name);
    auto* action = new QAction(preset, this);
    if (const auto document = readJsonFile(presetFile(name)->string()); document) {
      // "ResNet-50, tutorial (tutorial-resnet50)": the title, and the name for `run`.
      const std::string title = document->value("name", std::string());
      if (!title.empty()) action->setText(u"%1 (%2)"_s.arg(ui::qstring(title), preset));
    }
    action->setObjectName(u"preset."_s + preset);
    connect(action, &QAction::triggered, this, [this, preset] { openPreset(preset); });
    m_examples.append(action);
  }
}

void DocumentActions::refreshRecents() {
  qDeleteAll(m_recents);
  m_recents.clear();
  for (const QString& path : m_recentFiles.paths()) {
    auto* action = new QAction(path, this);
    action->setObjectName(u"recent."_s + QString::number(m_recents.size()));
    connect(action, &QAction::triggered, this, [this, path] { openChosen(path); });
    m_recents.append(action);
  }
  if (m_recentMenu != nullptr) {
    m_recentMenu->addActions(m_recents);
    m_recentMenu->setEnabled(!m_recents.isEmpty());
  }
}

Status DocumentActions::open(const std::string& argument, RunReading reading) {
  if (!presetFile(argument) && looksLikeTrace(argument)) {
    m_traces.open(argument);
    m_session->pages().request(u"timeline"_s);
    return {};
  }
  STAGELANE_TRY(source, loadExperiment(argument, {}));
  if (Status shape = ui::checkShape(source->document); !shape) {
    shape.error().context = source->file.string() + ", " + shape.error().context;
    return shape;
  }
  const bool preset = presetFile(argument).has_value();
  const QString absolute = QFileInfo(ui::qstring(argument)).absoluteFilePath();
  const std::filesystem::path folder(ui::utf8(QDir::cleanPath(absolute)));
  std::error_code problem;
  const bool isRun = !preset && std::filesystem::is_directory(folder, problem);
  leaveExperiment();
  const QString path = preset || isRun ? QString() : ui::qstring(source->file.string());
  m_session->document().load(std::move(source->document), path, ui::qstring(source->baseFolder));
  if (path.isEmpty()) m_opened = ui::qstring(preset ? argument : folder.string());
  askMachine();
  if (isRun && reading == RunReading::AtOnce) return m_runs->openAtOnce(folder);
  if (isRun) m_runs->open(folder);
  return {};
}

QString DocumentActions::opened() const {
  const QString path = m_session->document().path();
  return path.isEmpty() ? m_opened : QFileInfo(path).absoluteFilePath();
}

void DocumentActions::leaveExperiment() {
  m_opened.clear();
  m_traces.stop();
  m_session->traceFile().show(nullptr);
  if (m_session->runState().phase() == ui::RunPhase::Idle) m_runs->leave();
}

void DocumentActions::askMachine() {
  if (!mayHaveGpus()) return;
  const auto document = m_session->document().snapshot();
  m_asking.start([this, document](const std::atomic<bool>&) {
    return [this, document, machine = machineFor(*document)] {
      ui::ExperimentDocument& current = m_session->document();
      current.setMachine(machine);
      if (machine.gpus == 0 || current.snapshot() != document) return;
      if (current.modified()) {
        current.loadUnsaved(*document, current.path(), current.baseFolder());
      } else {
        current.load(*document, current.path(), current.baseFolder());
      }
    };
  });
}

bool DocumentActions::mayLeave(Leaving what) {
  if (!m_session->document().modified()) return true;
  const bool closing = what == Leaving::Window;
  const std::size_t answer = ui::ask(
      m_window,
      {u"unsavedDialog"_s,
       tr("Unsaved changes"),
       tr("Save the changes to %1?").arg(m_session->document().name()),
       closing ? tr("Your changes are lost if you close without saving.")
               : tr("Your changes are lost if you continue without saving."),
       {{u"saveChanges"_s, tr("Save")},
        {u"discardChanges"_s, closing ? tr("Close without saving") : tr("Continue without saving")},
        {u"stayHere"_s, tr("Stay")}}});
  return answer == 0 ? save() : answer == 1;
}

void DocumentActions::newExperiment() {
  if (!mayLeave()) return;
  ui::NewExperimentDialog dialog(m_session, m_session->document().baseFolder(), m_window);
  if (dialog.exec() != QDialog::Accepted) return;
  leaveExperiment();
  ui::ExperimentDocument& document = m_session->document();
  const QString baseFolder = document.baseFolder();
  document.loadUnsaved(dialog.document(), {}, baseFolder);
  askMachine();
  m_session->pages().request(u"plan"_s);
}

void DocumentActions::openDialog() {
  const QString path = QFileDialog::getOpenFileName(
      m_window, tr("Open an experiment or a trace"), m_session->document().baseFolder(),
      tr("Experiments and traces (%1);;All files (*)").arg(fileNamePatterns()));
  if (!path.isEmpty()) openChosen(path);
}

void DocumentActions::openChosen(const QString& path) {
  if (QFileInfo(path).isDir() && !mayShowRun()) return;
  // A trace is shown alongside the experiment, which does not change.
  if (!looksLikeTrace(ui::utf8(path)) && !mayLeave()) return;
  if (const Status readable = checkReadable(path); !readable) {
    tell(readable.error());
    return;
  }
  if (const Status opened = open(ui::utf8(path)); !opened) {
    tell(opened.error());
    return;
  }
  m_recentFiles.add(path);
}

Status DocumentActions::checkReadable(const QString& path) const {
  if (looksLikeTrace(ui::utf8(path))) return {};
  STAGELANE_TRY(source, loadExperiment(ui::utf8(path), {}));
  ui::ExperimentDocument reading;
  reading.load(source->document, {}, ui::qstring(source->baseFolder));
  const bool nothing = reading.error() && !reading.experiment() && !reading.tabs().empty();
  return nothing ? tl::make_unexpected(*reading.error()) : Status();
}

void DocumentActions::remember(const QString& path) {
  if (!presetFile(ui::utf8(path))) m_recentFiles.add(path);
}

void DocumentActions::exportCode() {
  ui::CodeDialog dialog(m_session, m_window);
  if (dialog.exec() == QDialog::Accepted) {
    m_session->pages().showHint(tr("Wrote %1").arg(dialog.writtenPath()));
  }
}

void DocumentActions::openPreset(const QString& name) {
  if (!mayLeave()) return;
  if (const Status opened = open(ui::utf8(name)); !opened) tell(opened.error());
}

bool DocumentActions::mayShowRun() {
  const bool idle = m_session->runState().phase() == ui::RunPhase::Idle;
  if (!idle) {
    m_session->pages().showHint(
        tr("A run is in progress; wait for it to finish before opening another"));
  }
  return idle;
}

void DocumentActions::openRun(const QString& folder, ui::RunUse use) {
  if (!QFileInfo::exists(folder)) {
    tell({ErrorCode::Invalid, ui::utf8(tr("the run was deleted")), ui::utf8(folder),
          ui::utf8(tr("restore it with Undo on the Runs page, or from the trash"))});
    return;
  }
  if (!mayShowRun() || !mayLeave()) return;
  const bool copy = use == ui::RunUse::Duplicate;
  const Status opened = copy ? duplicateRun(folder) : open(ui::utf8(folder));
  if (!opened) {
    tell(opened.error());
    return;
  }
  switch (use) {
    case ui::RunUse::Timeline: m_session->pages().request(u"timeline"_s); break;
    case ui::RunUse::Charts: m_session->pages().request(u"charts"_s); break;
    case ui::RunUse::Report: m_session->pages().request(u"report"_s); break;
    case ui::RunUse::Resume: m_session->runRequests().resume(folder); break;
    case ui::RunUse::Duplicate: m_session->pages().request(u"plan"_s); break;
    case ui::RunUse::Rerun: m_session->runRequests().run({}); break;
  }
}

Status DocumentActions::duplicateRun(const QString& folder) {
  STAGELANE_TRY(source, loadExperiment(ui::utf8(folder), {}));
  Json renamed = source->document;
  renamed["name"] = renamed.value("name", std::string()) + " (copy)";
  leaveExperiment();
  ui::ExperimentDocument& document = m_session->document();
  document.load(std::move(source->document), {}, ui::qstring(source->baseFolder));
  // An edit, so that the window prompts to save before closing.
  document.apply(tr("Duplicate the experiment"), std::move(renamed));
  askMachine();
  return {};
}

bool DocumentActions::mayWriteOver() {
  if (!m_file.differs()) return true;
  const std::size_t answer = ui::ask(
      m_window, {u"changedFileDialog"_s,
                 tr("Changed by another program"),
                 tr("Overwrite the other program's changes?"),
                 tr("%1 was changed since Stagelane read it. Saving overwrites those changes.")
                     .arg(m_session->document().path()),
                 {{u"saveOver"_s, tr("Overwrite")}, {u"stayHere"_s, tr("Stay")}},
                 true});
  return answer == 0;
}

bool DocumentActions::save() {
  if (m_session->document().path().isEmpty()) return saveAs();
  if (!mayWriteOver()) return false;
  if (const Status saved = m_session->document().save(m_session->document().path()); !saved) {
    tell(saved.error());
    return false;
  }
  m_session->pages().showHint(tr("Saved %1").arg(m_session->document().path()));
  return true;
}

bool DocumentActions::saveAs() {
  const ui::ExperimentDocument& document = m_session->document();
  const QString suggested = document.path().isEmpty()
                                ? ui::qstring(slug(ui::utf8(document.name())) + ".json")
                                : document.path();
  QString path = QFileDialog::getSaveFileName(m_window, tr("Save the experiment"), suggested,
                                              tr("Experiments (*.json)"));
  if (path.isEmpty()) return false;
  if (QFileInfo(path).suffix().isEmpty()) path += u".json"_s;
  if (const Status saved = m_session->document().save(path); !saved) {
    tell(saved.error());
    return false;
  }
  m_recentFiles.add(path);
  m_session->pages().showHint(tr("Saved %1").arg(path));
  return true;
}

void DocumentActions::tell(const Error& error) {
  ui::tell(m_window, ui::sentenceText(error),
           error.context.empty() ? QString() : tr("At %1").arg(ui::qstring(error.context)));
}

void DocumentActions::tellLater(const Error& error) {
  QMetaObject::invokeMethod(
      this, [this, error] { tell(error); }, Qt::QueuedConnection);
}

}  // namespace stagelane::app
