#pragma once

/// Watches the folder of runs for what other programs do there, and has the history read again.

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include "ui/session/run/run_history.h"

namespace stagelane::ui {

class RunsWatcher final : public QObject {
  Q_OBJECT

 public:
  explicit RunsWatcher(RunHistory* history, QObject* parent = nullptr);
  /// After each reading: what is to be watched depends on what is there.
  void watch();

 private:
  void folderChanged(const QString& folder);
  [[nodiscard]] QString folderToWatch() const;
  [[nodiscard]] bool someRunGoesOn() const;

  RunHistory* m_history;
  QFileSystemWatcher m_watcher;
  QTimer m_poll;  ///< while a run of another program is under way
};

}  // namespace stagelane::ui
