#include "app/engine_client/run_traces.h"

#include <QMetaObject>
#include <filesystem>
#include <limits>
#include <system_error>

#include "engine/record/run_record.h"
#include "engine/trace/trace.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/perfetto.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

/// Traces of a run need no cache: they change, and their format is already the fastest to read.
constexpr std::uint64_t kNeverCached = std::numeric_limits<std::uint64_t>::max();
/// A growing trace is read again after this time while it is small.
constexpr qint64 kGrowingMs = 2000;
constexpr std::uintmax_t kMostGrowingBytes = std::uintmax_t{32} << 20;

}  // namespace

RunTraces::RunTraces(ui::Session* session, QObject* parent) : QObject(parent), m_session(session) {
  m_pool.setMaxThreadCount(1);
}

RunTraces::~RunTraces() {
  stop();
  m_pool.waitForDone();
}

void RunTraces::stop() {
  m_progress->cancel = true;
  m_progress = std::make_shared<formats::ReadProgress>();
}

void RunTraces::forget() {
  stop();
  ++m_run;
  m_loaded.clear();
}

void RunTraces::load(const std::string& variantId) {
  if (variantId.empty() || !m_loaded.insert(variantId).second) return;
  const std::filesystem::path path =
      record::RunFolder{m_session->results().folder()}.trace(variantId);
  const std::uint64_t run = m_run;
  ++m_reading;
  const QString id = ui::qstring(variantId);
  m_session->results().setTraceComing(id, m_session->results().trace(id) == nullptr);
  m_pool.start([this, path, variantId, run, progress = m_progress] {
    std::error_code problem;
    const bool wanted = !progress->cancel && std::filesystem::exists(path, problem);
    auto read =
        wanted ? formats::readTrace(path, progress.get(), kNeverCached)
               : Result<formats::ReadTrace>(fail(ErrorCode::Invalid, "no trace", path.string()));
    const trace::TracePtr trace = read ? read->trace : nullptr;
    const QString unreadable = wanted && !read ? ui::errorText(read.error()) : QString();
    QMetaObject::invokeMethod(
        this,
        [this, trace, variantId, run, unreadable] {
          --m_reading;
          if (run != m_run) return;
          if (trace) {
            m_session->results().setTrace(ui::qstring(variantId), trace);
          } else if (!unreadable.isEmpty()) {
            m_session->pages().showHint(tr("Cannot show a measured step: %1").arg(unreadable));
          }
          m_session->results().setTraceComing(ui::qstring(variantId), false);
        },
        Qt::QueuedConnection);
  });
}

void RunTraces::loadGrowing(const std::string& variantId) {
  const bool early = m_sinceGrowing.isValid() && m_sinceGrowing.elapsed() < kGrowingMs;
  const bool shown = ui::qstring(variantId) == m_session->selection().variantId();
  if (m_growing || early || !shown || m_loaded.count(variantId) != 0) return;
  m_growing = true;
  m_sinceGrowing.start();
  const std::filesystem::path path =
      record::RunFolder{m_session->results().folder()}.trace(variantId);
  m_pool.start([this, path, variantId, run = m_run] {
    std::error_code problem;
    const std::uintmax_t size = std::filesystem::file_size(path, problem);
    trace::TracePtr trace;
    if (!problem && size <= kMostGrowingBytes) {
      if (auto read = formats::readPerfetto(path)) trace = read->trace;
    }
    QMetaObject::invokeMethod(
        this,
        [this, trace, variantId, run] {
          m_growing = false;
          // A complete trace read in the meantime is newer.
          if (trace && run == m_run && m_loaded.count(variantId) == 0) {
            m_session->results().setTrace(ui::qstring(variantId), trace);
          }
        },
        Qt::QueuedConnection);
  });
}

}  // namespace stagelane::app
