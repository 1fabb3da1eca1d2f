#include "ui/frame/run_banner.h"

#include <QFile>
#include <vector>

#include "engine/base/json.h"
#include "ui/frame/log_dialog.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/file_change.h"
#include "ui/session/document/unsaved_work.h"
#include "ui/session/document/variant_json.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/calibration.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

Tone toneOf(BannerKind kind) {
  switch (kind) {
    case BannerKind::Warning: return Tone::Warning;
    case BannerKind::Error: return Tone::Error;
    default: return Tone::Accent;
  }
}

/// The engine's log of the session's run.
QString logOf(const Session& session) {
  return qstring((session.results().folder() / "engine.log").string());
}

void openLog(Session& session, QWidget* window) {
  auto* dialog = new LogDialog(logOf(session), window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void addVariant(Session& session, QWidget*) {
  Json document = session.document().json();
  if (document.is_object()) {
    document["variants"] = onlySingle();
    session.document().apply(QObject::tr("Add a variant"), std::move(document));
  }
}

void takeUp(Session& session, QWidget*) {
  const std::vector<LeftRun>& left = session.runFolders().left();
  if (left.empty()) return;
  // Opening the run changes the list.
  const QString folder = left.front().folder;
  session.runFolders().requestOpen(folder, RunUse::Resume);
}

struct Act {
  BannerAct act;
  const char* name;
  const char* text;
  const char* tip;
  void (*does)(Session& session, QWidget* window);  ///< the window is for dialogs
};
constexpr Act kActs[] = {
    {BannerAct::OpenLog, "openLog", QT_TRANSLATE_NOOP("QObject", "Open log"),
     QT_TRANSLATE_NOOP("QObject", "Show the engine's log of the run"), &openLog},
    {BannerAct::FixPlan, "fixFailedPlan", QT_TRANSLATE_NOOP("QObject", "Fix plan"),
     QT_TRANSLATE_NOOP("QObject", "Show the failed variant on the Plan page with suggested fixes"),
     [](Session& s, QWidget*) { s.pages().requestFixPlan(); }},
    {BannerAct::Resume, "resumeRun", QT_TRANSLATE_NOOP("QObject", "Resume"),
     QT_TRANSLATE_NOOP("QObject", "Measure what is missing, in the same run folder"),
     [](Session& s, QWidget*) { s.runRequests().resume(qstring(s.results().folder().string())); }},
    {BannerAct::RunAgain, "runAgain", QT_TRANSLATE_NOOP("QObject", "Run again"),
     QT_TRANSLATE_NOOP("QObject", "Measure the included variants again, in a new run folder"),
     [](Session& s, QWidget*) { s.runRequests().run({}); }},
    {BannerAct::DismissRunEnd, "dismiss", QT_TRANSLATE_NOOP("QObject", "Dismiss"),
     QT_TRANSLATE_NOOP("QObject", "Hide this message on all pages"),
     [](Session& s, QWidget*) { s.runState().dismissEnd(); }},
    {BannerAct::DismissRunProblem, "dismiss", QT_TRANSLATE_NOOP("QObject", "Dismiss"),
     QT_TRANSLATE_NOOP("QObject", "Hide this message on all pages"),
     [](Session& s, QWidget*) { s.runState().setProblem({}); }},
    {BannerAct::AddVariant, "addFirstVariant", QT_TRANSLATE_NOOP("QObject", "Add a variant"),
     QT_TRANSLATE_NOOP("QObject", "Add a variant that trains the model on the first device"),
     &addVariant},
    {BannerAct::UndoEdit, "undoUnreadable", QT_TRANSLATE_NOOP("QObject", "Undo the last edit"),
     QT_TRANSLATE_NOOP("QObject", "Restore the experiment before the edit that cannot be read"),
     [](Session& s, QWidget*) { s.document().undoStack().undo(); }},
    {BannerAct::RestoreUnsaved, "restoreUnsaved", QT_TRANSLATE_NOOP("QObject", "Restore"),
     QT_TRANSLATE_NOOP("QObject", "Restore the unsaved changes"),
     [](Session& s, QWidget*) { s.unsaved().answer(true); }},
    {BannerAct::DiscardUnsaved, "discardUnsaved", QT_TRANSLATE_NOOP("QObject", "Discard"),
     QT_TRANSLATE_NOOP("QObject", "Delete the unsaved changes permanently"),
     [](Session& s, QWidget*) { s.unsaved().answer(false); }},
    {BannerAct::LoadFile, "loadFile", QT_TRANSLATE_NOOP("QObject", "Load"),
     QT_TRANSLATE_NOOP("QObject", "Load the changed file; Undo restores the current version"),
     [](Session& s, QWidget*) { s.fileChange().answer(true); }},
    {BannerAct::KeepMine, "keepMine", QT_TRANSLATE_NOOP("QObject", "Keep mine"),
     QT_TRANSLATE_NOOP("QObject", "Keep the window's version; Save overwrites the file"),
     [](Session& s, QWidget*) { s.fileChange().answer(false); }},
    {BannerAct::StopOpening, "cancelOpening", QT_TRANSLATE_NOOP("QObject", "Cancel"),
     QT_TRANSLATE_NOOP("QObject", "Stop reading; the experiment stays open without its results"),
     [](Session& s, QWidget*) { s.loading().requestStopRun(); }},
    {BannerAct::TryNow, "tryNow", QT_TRANSLATE_NOOP("QObject", "Try now"),
     QT_TRANSLATE_NOOP("QObject", "Connect to the host at once"),
     [](Session& s, QWidget*) { s.runRequests().tryNow(); }},
    {BannerAct::LeaveRun, "leaveRun", QT_TRANSLATE_NOOP("QObject", "Leave run"),
     QT_TRANSLATE_NOOP("QObject", "Stop following the run; it can be taken up later"),
     [](Session& s, QWidget*) { s.runRequests().cancel(); }},
    {BannerAct::TakeUp, "takeUpRun", QT_TRANSLATE_NOOP("QObject", "Take up"),
     QT_TRANSLATE_NOOP("QObject", "Open the run and follow it"), &takeUp},
    {BannerAct::DismissLeft, "dismissLeft", QT_TRANSLATE_NOOP("QObject", "Dismiss"),
     QT_TRANSLATE_NOOP("QObject", "Hide this message; the Runs page still lists the run"),
     [](Session& s, QWidget*) { s.runFolders().dismissLeft(); }},
    {BannerAct::CalibrateAgain, "calibrateAgain", QT_TRANSLATE_NOOP("QObject", "Try again"),
     QT_TRANSLATE_NOOP("QObject", "Calibrate the costs again"),
     [](Session& s, QWidget*) { s.calibration().request(); }},
    {BannerAct::DismissCalibration, "dismissCalibration", QT_TRANSLATE_NOOP("QObject", "Dismiss"),
     QT_TRANSLATE_NOOP("QObject", "Hide this message"),
     [](Session& s, QWidget*) { s.calibration().setProblem({}); }},
};

}  // namespace

RunBanner::RunBanner(Session* session, QWidget* parent)
    : RunBanner(session, u"banner"_s, &bannerOfRun, parent) {}

RunBanner::RunBanner(Session* session, const QString& name, Says says, QWidget* parent)
    : Banner(session->currentTheme(), name, parent), m_session(session), m_says(says) {
  const RunState* run = &session->runState();
  for (const auto changed :
       {&RunState::phaseChanged, &RunState::progressChanged, &RunState::engineProblemChanged,
        &RunState::problemChanged, &RunState::endDismissedChanged, &RunState::connectionChanged}) {
    connect(run, changed, this, &RunBanner::refresh);
  }
  connect(&session->document(), &ExperimentDocument::changed, this, &RunBanner::refresh);
  connect(&session->results(), &MeasuredResults::changed, this, &RunBanner::refresh);
  connect(&session->unsaved(), &UnsavedWorkOffer::changed, this, &RunBanner::refresh);
  connect(&session->loading(), &Loading::runChanged, this, &RunBanner::refresh);
  connect(&session->runFolders(), &RunFolders::leftChanged, this, &RunBanner::refresh);
  connect(session->currentTheme(), &CurrentTheme::changed, this, qOverload<>(&QWidget::update));
  connect(&session->calibration(), &Calibration::changed, this, &RunBanner::refresh);
  connect(&session->fileChange(), &FileChange::changed, this, &RunBanner::refresh);
  refresh();
}

void RunBanner::refresh() {
  const std::optional<BannerText> text = m_says(*m_session);
  if (text == m_shown) return;
  m_shown = text;
  if (text) {
    show(toneOf(text->kind), text->title, text->detail, buttonsOf(text->acts));
  } else {
    clear();
  }
}

std::vector<BannerButton> RunBanner::buttonsOf(const std::vector<BannerAct>& acts) const {
  std::vector<BannerButton> buttons;
  for (const BannerAct wanted : acts) {
    // A run of another machine may lack its log.
    if (wanted == BannerAct::OpenLog && !QFile::exists(logOf(*m_session))) continue;
    for (const Act& act : kActs) {
      if (act.act == wanted) {
        buttons.push_back({QString::fromLatin1(act.name), QObject::tr(act.text),
                           [this, does = act.does] { does(*m_session, window()); },
                           QObject::tr(act.tip)});
      }
    }
  }
  return buttons;
}

}  // namespace stagelane::ui
