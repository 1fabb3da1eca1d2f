#pragma once

/// Opens trace files of any program in the window: reads in another thread, shows progress, and can
/// be stopped. Gives the session the trace or the error.

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

/// Whether a file is a trace, by its extension and first bytes. JSON is a trace if it has
/// `traceEvents` or is an array, so an experiment is not.
[[nodiscard]] bool looksLikeTrace(const std::filesystem::path& path);

class TraceOpener final : public QObject {
  Q_OBJECT

 public:
  explicit TraceOpener(ui::Session* session, QObject* parent = nullptr);
  ~TraceOpener() override;

  /// Starts reading; drops a read in progress.
  void open(const std::filesystem::path& path);
  void stop();
  [[nodiscard]] bool reading() const { return m_progress != nullptr; }

 Q_SIGNALS:
  /// The file cannot be read. The previous trace stays.
  void refused(const QString& name, const QString& why);

 private:
  void show(const ui::OpenedTracePtr& opened);
  void publish();

  ui::Session* m_session;
  ui::LatestJob m_job;
  QTimer m_timer;
  QString m_name;
  std::shared_ptr<formats::ReadProgress> m_progress;  ///< of the read in progress, else null
};

}  // namespace stagelane::app
