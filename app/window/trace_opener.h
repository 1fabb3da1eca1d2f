#pragma once

/// Opens trace files of any program in the window: reads in a thread of its own, shows how far it
/// has come, and can be stopped. The session gets the trace, or what is wrong with the file.

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <memory>

#include "profiler/formats/read_progress.h"
#include "ui/kit/latest_job.h"
#include "ui/session/run/opened_trace.h"

namespace stagelane::ui {
class Session;
}  // namespace stagelane::ui

namespace stagelane::app {

/// Whether a file holds a trace, by its ending and its first bytes; JSON with a `traceEvents` or an
/// array is one, an experiment is none.
[[nodiscard]] bool looksLikeTrace(const std::filesystem::path& path);

class TraceOpener final : public QObject {
  Q_OBJECT

 public:
  explicit TraceOpener(ui::Session* session, QObject* parent = nullptr);
  ~TraceOpener() override;

  /// Begins to read; what was being read before is dropped.
  void open(const std::filesystem::path& path);
  void stop();
  [[nodiscard]] bool reading() const { return m_progress != nullptr; }

 Q_SIGNALS:
  /// The file cannot be read, and the trace that was shown before it stays.
  void refused(const QString& name, const QString& why);

 private:
  void show(const ui::OpenedTracePtr& opened);
  void publish();

  ui::Session* m_session;
  ui::LatestJob m_job;
  QTimer m_timer;
  QString m_name;
  std::shared_ptr<formats::ReadProgress> m_progress;  ///< of what is being read; else null
};

}  // namespace stagelane::app
