#pragma once

/// Tells when run folders of the workspace were added or completed, and where pages ask to open
/// one. It reads none: the list of runs is RunHistory.

#include <QObject>
#include <QString>

namespace stagelane::ui {

/// What a run of the history is opened for.
enum class RunUse { Timeline, Charts, Report, Rerun, Resume, Duplicate };

class RunFolders final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Opens a run folder, with its experiment as the document, for one use of it.
  void requestOpen(const QString& folder, RunUse use) { Q_EMIT openRequested(folder, use); }
  /// Runs of the workspace were started, or have ended.
  void tellChanged() { Q_EMIT changed(); }
  /// A run that was started in this window has ended.
  void tellEnded(const QString& folder) { Q_EMIT ended(folder); }

 Q_SIGNALS:
  void openRequested(const QString& folder, stagelane::ui::RunUse use);
  void changed();
  void ended(const QString& folder);
};

}  // namespace stagelane::ui
