#pragma once

/// Watches the folder of runs for changes by other programs and reloads the history.

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include "ui/session/run/run_history.h"

namespace stagelane::ui {

class RunsWatcher final : public QObject {
  Q_OBJECT

 public:
  explicit RunsWatcher(RunHistory* history, QObject* parent = nullptr);
  /// After each reading, because the watched folders depend on the runs.
  void watch();

 private:
  void folderChanged(const QString& folder);
  [[nodiscard]] QString folderToWatch() const;
  [[nodiscard]] bool someRunGoesOn() const;

  RunHistory* m_history;
  QFileSystemWatcher m_watcher;
  QTimer m_poll;  ///< while another program's run is in progress
};

}  // namespace stagelane::ui
