#include "ui/widgets/run_banner.h"

#include <QDesktopServices>
#include <QUrl>
#include <algorithm>

#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

QString measuredText(const record::RunResult& run) {
  std::size_t variants = 0;
  for (const auto& variant : run.variants) variants += variant.seconds.empty() ? 0U : 1U;
  return QStringLiteral("%1 of %2 variants have measurements; they stay.")
      .arg(variants)
      .arg(run.variants.size());
}

std::vector<BannerButton> failureButtons(Session& session) {
  std::vector<BannerButton> buttons;
  const QString log = qstring((session.runFolder() / "engine.log").string());
  buttons.push_back({QStringLiteral("openLog"), QStringLiteral("Open log"),
                     [log] { QDesktopServices::openUrl(QUrl::fromLocalFile(log)); }});
  buttons.push_back({QStringLiteral("fixPlan"), QStringLiteral("Fix plan"),
                     [&session] { session.requestPage(QStringLiteral("plan")); }});
  buttons.push_back({QStringLiteral("runAgain"), QStringLiteral("Run again"),
                     [&session] { session.requestRun({}); }});
  return buttons;
}

QString progressText(const Session& session) {
  const RunProgress& progress = session.progress();
  QString text = progress.of > 0 ? QStringLiteral("%1: repeat %2 of %3")
                                       .arg(progress.variantId)
                                       .arg(progress.repeat)
                                       .arg(progress.of)
                                 : QStringLiteral("starting");
  if (progress.secondsLeft)
    text += QStringLiteral(", %1 left").arg(durationText(*progress.secondsLeft));
  return text;
}

}  // namespace

void showRunBanner(Banner& banner, Session& session) {
  const RunResultPtr run = session.result();
  if (session.runPhase() != RunPhase::Idle) {
    banner.show(Tone::Accent,
                session.runPhase() == RunPhase::Canceling ? QStringLiteral("Canceling the run")
                                                          : QStringLiteral("Running"),
                progressText(session), {});
    return;
  }
  if (!run) {
    banner.clear();
    return;
  }
  switch (run->status) {
    case record::RunStatus::Failed:
      banner.show(Tone::Error, QStringLiteral("The run failed"),
                  qstring(run->reason).trimmed() + QChar(u'\n') + measuredText(*run),
                  failureButtons(session));
      return;
    case record::RunStatus::Canceled:
      banner.show(Tone::Warning, QStringLiteral("The run was canceled"), measuredText(*run),
                  {{QStringLiteral("runAgain"), QStringLiteral("Run again"),
                    [&session] { session.requestRun({}); }}});
      return;
    default: banner.clear();
  }
}

}  // namespace stagelane::ui
