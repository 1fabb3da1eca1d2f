#pragma once

/// Signals that run folders of the workspace were added or completed, lists those whose runs were
/// left on a host, and takes pages' requests to open one. Reads none: the list of runs is
/// RunHistory.

#include <QObject>
#include <QString>
#include <utility>
#include <vector>

#include "ui/session/run/run_connection.h"

namespace stagelane::ui {

/// The purpose of opening a run of the history.
enum class RunUse { Timeline, Charts, Report, Rerun, Resume, Duplicate };

class RunFolders final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Opens a run folder, with its experiment as the document.
  void requestOpen(const QString& folder, RunUse use) { Q_EMIT openRequested(folder, use); }
  /// Runs that go on on a host, and that no program follows, the newest first.
  [[nodiscard]] const std::vector<LeftRun>& left() const { return m_left; }
  void setLeft(std::vector<LeftRun> left) {
    if (left == m_left) return;
    m_left = std::move(left);
    Q_EMIT leftChanged();
  }
  /// Null if the run of this folder was not left.
  [[nodiscard]] const LeftRun* leftAt(const QString& folder) const {
    for (const LeftRun& run : m_left) {
      if (run.folder == folder) return &run;
    }
    return nullptr;
  }
  /// The banner about them was dismissed, until the next start.
  [[nodiscard]] bool leftDismissed() const { return m_leftDismissed; }
  void dismissLeft() {
    m_leftDismissed = true;
    Q_EMIT leftChanged();
  }
  /// Runs of the workspace have started or ended.
  void tellChanged() { Q_EMIT changed(); }
  /// A run of this window has ended.
  void tellEnded(const QString& folder) { Q_EMIT ended(folder); }

 Q_SIGNALS:
  void openRequested(const QString& folder, stagelane::ui::RunUse use);
  void changed();
  void ended(const QString& folder);
  void leftChanged();

 private:
  std::vector<LeftRun> m_left;
  bool m_leftDismissed = false;
};

}  // namespace stagelane::ui
