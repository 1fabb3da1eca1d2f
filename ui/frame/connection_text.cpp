#include "ui/frame/connection_text.h"

#include "ui/kit/text/formatting.h"
#include "ui/kit/text/sentence.h"
#include "ui/kit/text/short_name.h"
#include "ui/session/run/run_connection.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

/// "Next try in 3 s." or "Connecting…"
QString nextTryText(const RunConnection& connection) {
  return connection.link == RunLink::Lost
             ? QObject::tr("Next try in %1 s.").arg(connection.secondsToTry)
             : QObject::tr("Connecting…");
}

BannerText broken(const RunConnection& connection, bool canceling) {
  BannerText text{BannerKind::Warning,
                  QObject::tr("Connection to %1 lost").arg(connection.host),
                  {},
                  {BannerAct::TryNow}};
  text.detail =
      canceling
          ? QObject::tr("The run is canceled when %1 answers.").arg(connection.host)
          : QObject::tr("The run continues there; events that are missing here arrive later.");
  text.detail += QChar(u' ') + nextTryText(connection);
  if (!connection.reason.isEmpty()) {
    const bool beginsWithHost = connection.reason.startsWith(connection.host);
    text.detail +=
        QChar(u'\n') + (beginsWithHost ? connection.reason : asSentence(connection.reason));
  }
  if (canceling) text.acts.push_back(BannerAct::LeaveRun);
  return text;
}

QString fetchedText(const RunConnection& connection) {
  if (connection.totalBytes <= 0) return QObject::tr("The run has ended.");
  return QObject::tr("The run has ended. %1 copied.")
      .arg(bytesOfText(connection.fetchedBytes, connection.totalBytes, QObject::tr(" of ")));
}

}  // namespace

QString connectionText(const Session& session) {
  const RunConnection& connection = session.runState().connection();
  if (connection.isBroken()) return QObject::tr("connection to %1 lost").arg(connection.host);
  switch (connection.link) {
    case RunLink::Starting: return QObject::tr("starting on %1").arg(connection.host);
    case RunLink::Trying: return QObject::tr("connecting to %1").arg(connection.host);
    case RunLink::Fetching: return QObject::tr("copying files from %1").arg(connection.host);
    default: return {};
  }
}

std::optional<BannerText> bannerOfConnection(const Session& session) {
  const RunConnection& connection = session.runState().connection();
  const bool canceling = session.runState().phase() == RunPhase::Canceling;
  if (connection.isBroken()) return broken(connection, canceling);
  switch (connection.link) {
    case RunLink::Starting:
      return BannerText{BannerKind::Running,
                        QObject::tr("Starting the run on %1").arg(connection.host),
                        QObject::tr("Sending its files. Edits apply to the next run."),
                        {}};
    case RunLink::Trying:
      return BannerText{BannerKind::Running,
                        QObject::tr("Connecting to %1").arg(connection.host),
                        QObject::tr("Events since the run was left arrive first."),
                        {}};
    case RunLink::Fetching:
      return BannerText{BannerKind::Running,
                        QObject::tr("Copying the run's files from %1").arg(connection.host),
                        fetchedText(connection),
                        {}};
    default: return std::nullopt;
  }
}

std::optional<BannerText> bannerOfLeft(const Session& session) {
  const std::vector<LeftRun>& left = session.runFolders().left();
  if (left.empty() || session.runFolders().leftDismissed() ||
      session.runState().phase() != RunPhase::Idle) {
    return std::nullopt;
  }
  const LeftRun& run = left.front();
  QString detail =
      !run.problem.isEmpty() ? run.problem
      : run.isCanceled
          ? QObject::tr("It was canceled without a connection; it ends when it is taken up.")
          : QObject::tr("Take it up to follow it and to copy its files.");
  if (left.size() > 1) {
    detail += QChar(u' ') + QObject::tr("The Runs page lists %1 more.").arg(left.size() - 1);
  }
  return BannerText{
      run.problem.isEmpty() ? BannerKind::Running : BannerKind::Warning,
      QObject::tr("The run of %1 continues on %2.").arg(shownName(run.name), run.host),
      detail,
      {BannerAct::TakeUp, BannerAct::DismissLeft}};
}

}  // namespace stagelane::ui
