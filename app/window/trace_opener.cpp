#include "app/window/trace_opener.h"

#include <string>
#include <vector>

#include "engine/base/find.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/trace_formats.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/opened_trace.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

constexpr int kPublishMs = 60;
/// `traceEvents` may follow the file's metadata.
constexpr std::size_t kLookedAt = 65'536;

}  // namespace

bool looksLikeTrace(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;
  const std::string ending = path.extension().string();
  const std::vector<std::string> endings = formats::readEndings();
  // Experiments have the same extension.
  if (ending != ".json" && contains(endings, ending)) return true;
  const auto beginning = formats::readBeginning(path, kLookedAt);
  if (!beginning || beginning->find_first_not_of(" \t\r\n") == std::string::npos) return false;
  const auto json = formats::startOfJson(*beginning);
  if (!json) return ending != ".json";
  return (*beginning)[*json] == '[' || beginning->find("\"traceEvents\"") != std::string::npos;
}

TraceOpener::TraceOpener(ui::Session* session, QObject* parent)
    : QObject(parent), m_session(session) {
  m_timer.setInterval(kPublishMs);
  connect(&m_timer, &QTimer::timeout, this, &TraceOpener::publish);
  connect(&session->loading(), &ui::Loading::stopTraceRequested, this, &TraceOpener::stop);
}

TraceOpener::~TraceOpener() {
  if (m_progress) m_progress->cancel = true;
}

void TraceOpener::open(const std::filesystem::path& path) {
  stop();
  m_name = ui::qstring(path.filename().string());
  m_progress = std::make_shared<formats::ReadProgress>();
  m_timer.start();
  publish();
  m_job.start([this, path, progress = m_progress](const std::atomic<bool>&) {
    auto read = formats::readTrace(path, progress.get());
    auto opened = std::make_shared<ui::OpenedTrace>();
    opened->path = ui::qstring(path.string());
    opened->name = ui::qstring(path.filename().string());
    if (read) {
      opened->trace = read->trace;
      opened->lost = read->report.lost;
      opened->problem = ui::qstring(read->report.firstProblem);
    } else {
      opened->problem = ui::errorText(read.error());
    }
    return [this, opened] {
      m_progress = nullptr;
      m_timer.stop();
      show(opened);
    };
  });
}

/// An unreadable file does not replace the shown trace.
void TraceOpener::show(const ui::OpenedTracePtr& opened) {
  const ui::OpenedTracePtr before = m_session->traceFile().opened();
  const bool keep = !opened->trace && before && before->trace;
  if (!keep) m_session->traceFile().show(opened);
  m_session->loading().setTrace(std::nullopt);
  if (keep) Q_EMIT refused(opened->name, opened->problem);
}

void TraceOpener::stop() {
  if (!m_progress) return;
  m_progress->cancel = true;
  m_progress = nullptr;
  m_job.cancel();
  m_timer.stop();
  m_session->loading().setTrace(std::nullopt);
  m_session->pages().showHint(tr("Stopped reading %1").arg(m_name));
}

void TraceOpener::publish() {
  if (m_progress) {
    m_session->loading().setTrace(ui::TraceLoading{m_name, m_progress->done, m_progress->total});
  }
}

}  // namespace stagelane::app
