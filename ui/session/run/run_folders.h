#pragma once

/// Signals that run folders of the workspace were added or completed, and takes pages' requests to
/// open one. Reads none: the list of runs is RunHistory.

#include <QObject>
#include <QString>

namespace stagelane::ui {

/// The purpose of opening a run of the history.
enum class RunUse { Timeline, Charts, Report, Rerun, Resume, Duplicate };

class RunFolders final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Opens a run folder, with its experiment as the document.
  void requestOpen(const QString& folder, RunUse use) { Q_EMIT openRequested(folder, use); }
  /// Runs of the workspace have started or ended.
  void tellChanged() { Q_EMIT changed(); }
  /// A run of this window has ended.
  void tellEnded(const QString& folder) { Q_EMIT ended(folder); }

 Q_SIGNALS:
  void openRequested(const QString& folder, stagelane::ui::RunUse use);
  void changed();
  void ended(const QString& folder);
};

}  // namespace stagelane::ui
