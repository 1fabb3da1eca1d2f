#include "ui/widgets/run_banner.h"

#include <QDesktopServices>
#include <QFile>
#include <QUrl>
#include <algorithm>

#include "ui/models/formatting.h"
#include "ui/models/run_words.h"

namespace stagelane::ui {
namespace {

/// "3 of 10 repeats; 2 of 4 variants have measurements, which stay."
QString measuredText(const record::RunResult& run, const Session& session) {
  std::size_t variants = 0;
  std::size_t repeats = 0;
  for (const auto& variant : run.variants) {
    variants += variant.seconds.empty() ? 0U : 1U;
    repeats = std::max(repeats, variant.seconds.size());
  }
  QString text = QStringLiteral("%1 of %2 variants have measurements, which stay.")
                     .arg(variants)
                     .arg(run.variants.size());
  const auto document = session.documentOfRun();
  const Json asked = document && document->is_object() ? document->value("repeat", Json()) : Json();
  if (asked.is_number_integer()) {
    text = QStringLiteral("%1 of %2 repeats; ").arg(repeats).arg(asked.get<std::int64_t>()) + text;
  }
  return text;
}

/// What was measured is not measured again.
BannerButton resumeButton(Session& session) {
  const QString folder = qstring(session.runFolder().string());
  return {QStringLiteral("resumeRun"), QStringLiteral("Resume"),
          [&session, folder] { session.requestResume(folder); }};
}

QString progressText(const Session& session) {
  const RunProgress& progress = session.progress();
  QString text = turnText(session);
  if (text.isEmpty()) text = QStringLiteral("Starting the engine");
  if (progress.secondsLeft)
    text += QStringLiteral(", %1 left").arg(durationText(*progress.secondsLeft));
  return text;
}

void showEngineProblem(Banner& banner, const Session& session) {
  if (session.engineProblem().isEmpty()) {
    banner.clear();
    return;
  }
  banner.show(Tone::Warning, QStringLiteral("Run is off: no engine"),
              asSentence(session.engineProblem()), {});
}

}  // namespace

QString asSentence(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

std::vector<BannerButton> endedRunButtons(Session& session, std::function<void()> fixPlan) {
  std::vector<BannerButton> buttons;
  const bool failed = session.result() && session.result()->status == record::RunStatus::Failed;
  const QString log = qstring((session.runFolder() / "engine.log").string());
  if (failed && QFile::exists(log)) {
    buttons.push_back({QStringLiteral("openLog"), QStringLiteral("Open log"),
                       [log] { QDesktopServices::openUrl(QUrl::fromLocalFile(log)); }});
  }
  if (failed && fixPlan) {
    buttons.push_back({QStringLiteral("fixPlan"), QStringLiteral("Fix plan"),
                       [fix = std::move(fixPlan)] { fix(); }});
  }
  if (session.result() && !session.result()->variants.empty()) {
    buttons.push_back(resumeButton(session));
  }
  buttons.push_back({QStringLiteral("runAgain"), QStringLiteral("Run again"),
                     [&session] { session.requestRun({}); }});
  return buttons;
}

void showStartBanner(Banner& banner, Session& session) {
  if (session.runPhase() != RunPhase::Idle || session.runProblem().isEmpty()) {
    showEngineProblem(banner, session);
    return;
  }
  banner.show(Tone::Error, QStringLiteral("The run could not start"), session.runProblem(),
              {{QStringLiteral("dismiss"), QStringLiteral("Dismiss"),
                [&session] { session.setRunProblem({}); }}});
}

void showRunBanner(Banner& banner, Session& session) {
  const RunResultPtr run = session.result();
  if (session.runPhase() != RunPhase::Idle) {
    banner.show(Tone::Accent,
                session.runPhase() == RunPhase::Canceling ? QStringLiteral("Canceling the run")
                                                          : QStringLiteral("Running"),
                progressText(session), {});
    return;
  }
  if (!run || !session.runProblem().isEmpty()) {
    showStartBanner(banner, session);
    return;
  }
  switch (run->status) {
    case record::RunStatus::Failed:
      banner.show(
          Tone::Error, QStringLiteral("The run failed"),
          asSentence(qstring(run->reason).trimmed()) + QChar(u'\n') + measuredText(*run, session),
          endedRunButtons(session, [&session] { session.requestPage(QStringLiteral("plan")); }));
      return;
    case record::RunStatus::Canceled:
      banner.show(Tone::Warning, QStringLiteral("The run was canceled"),
                  measuredText(*run, session), endedRunButtons(session, {}));
      return;
    default: showEngineProblem(banner, session);
  }
}

}  // namespace stagelane::ui
