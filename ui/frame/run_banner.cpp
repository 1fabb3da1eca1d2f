#include "ui/frame/run_banner.h"

#include <QDesktopServices>
#include <QFile>
#include <QUrl>
#include <vector>

#include "engine/base/json.h"
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

/// The engine's words of the session's run.
QString logOf(const Session& session) {
  return qstring((session.results().folder() / "engine.log").string());
}

void openLog(Session& session) {
  const QString log = logOf(session);
  if (!QDesktopServices::openUrl(QUrl::fromLocalFile(log))) {
    session.pages().showHint(QStringLiteral("No program answered; the log is %1").arg(log));
  }
}

void addVariant(Session& session) {
  Json document = session.document().json();
  if (document.is_object()) {
    document["variants"] = onlySingle();
    session.document().apply(QStringLiteral("Add a variant"), std::move(document));
  }
}

struct Act {
  BannerAct act;
  const char* name;
  const char* text;
  const char* tip;
  void (*does)(Session&);
};
constexpr Act kActs[] = {
    {BannerAct::OpenLog, "openLog", "Open log", "What the engine said, in the run's folder",
     &openLog},
    {BannerAct::FixPlan, "fixFailedPlan", "Fix plan",
     "Shows the variant that failed on the Plan page, with what may mend it",
     [](Session& s) { s.pages().requestFixPlan(); }},
    {BannerAct::Resume, "resumeRun", "Resume", "Measures what is missing, in the same run folder",
     [](Session& s) { s.runRequests().resume(qstring(s.results().folder().string())); }},
    {BannerAct::RunAgain, "runAgain", "Run again",
     "Measures the included variants anew, in a run folder of its own",
     [](Session& s) { s.runRequests().run({}); }},
    {BannerAct::DismissRunEnd, "dismiss", "Dismiss", "Puts these words away on all pages",
     [](Session& s) { s.runState().dismissEnd(); }},
    {BannerAct::DismissRunProblem, "dismiss", "Dismiss", "Puts these words away on all pages",
     [](Session& s) { s.runState().setProblem({}); }},
    {BannerAct::AddVariant, "addFirstVariant", "Add a variant",
     "A variant that trains the model on the first device", &addVariant},
    {BannerAct::UndoEdit, "undoUnreadable", "Undo the last edit",
     "Back to the experiment before the edit that cannot be read",
     [](Session& s) { s.document().undoStack().undo(); }},
    {BannerAct::RestoreUnsaved, "restoreUnsaved", "Restore", "Brings the changes back, unsaved",
     [](Session& s) { s.unsaved().answer(true); }},
    {BannerAct::DiscardUnsaved, "discardUnsaved", "Discard them", "Forgets the changes for good",
     [](Session& s) { s.unsaved().answer(false); }},
    {BannerAct::LoadFile, "loadFile", "Load it", "Shows what the file has now; Undo takes it back",
     [](Session& s) { s.fileChange().answer(true); }},
    {BannerAct::KeepMine, "keepMine", "Keep mine",
     "What the window shows stays, and Save writes it over the file",
     [](Session& s) { s.fileChange().answer(false); }},
    {BannerAct::StopOpening, "cancelOpening", "Cancel",
     "Stops reading; the experiment stays open without its results",
     [](Session& s) { s.loading().requestStopRun(); }},
    {BannerAct::CalibrateAgain, "calibrateAgain", "Try again", "Measures the costs again",
     [](Session& s) { s.calibration().request(); }},
    {BannerAct::DismissCalibration, "dismissCalibration", "Dismiss", "Puts these words away",
     [](Session& s) { s.calibration().setProblem({}); }},
};

}  // namespace

RunBanner::RunBanner(Session* session, QWidget* parent)
    : RunBanner(session, QStringLiteral("banner"), &bannerOfRun, parent) {}

RunBanner::RunBanner(Session* session, const QString& name, Says says, QWidget* parent)
    : Banner(session->currentTheme(), name, parent), m_session(session), m_says(says) {
  const RunState* run = &session->runState();
  for (const auto changed :
       {&RunState::phaseChanged, &RunState::progressChanged, &RunState::engineProblemChanged,
        &RunState::problemChanged, &RunState::endDismissedChanged}) {
    connect(run, changed, this, &RunBanner::refresh);
  }
  connect(&session->document(), &ExperimentDocument::changed, this, &RunBanner::refresh);
  connect(&session->results(), &MeasuredResults::changed, this, &RunBanner::refresh);
  connect(&session->unsaved(), &UnsavedWorkOffer::changed, this, &RunBanner::refresh);
  connect(&session->loading(), &Loading::runChanged, this, &RunBanner::refresh);
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
    // A run of another machine may have come without its log.
    if (wanted == BannerAct::OpenLog && !QFile::exists(logOf(*m_session))) continue;
    for (const Act& act : kActs) {
      if (act.act == wanted) {
        buttons.push_back({QString::fromLatin1(act.name), QString::fromLatin1(act.text),
                           [session = m_session, does = act.does] { does(*session); },
                           QString::fromLatin1(act.tip)});
      }
    }
  }
  return buttons;
}

}  // namespace stagelane::ui
