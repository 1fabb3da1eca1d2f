#pragma once

/// Pages' requests for a run; the owner of the engine process acts on them.

#include <QObject>
#include <QString>
#include <QStringList>

namespace stagelane::ui {

class RunRequests final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Empty: all included tabs.
  void run(const QStringList& tabIds) { Q_EMIT runRequested(tabIds); }
  /// Measures what is missing in a run folder whose run was canceled, failed or was killed.
  void resume(const QString& folder) { Q_EMIT resumeRequested(folder); }
  /// A second call ends a run at once, or leaves a run on a host that is not reached.
  void cancel() { Q_EMIT cancelRequested(); }
  /// Connects to the host of the run at once, if the connection was lost.
  void tryNow() { Q_EMIT tryNowRequested(); }

 Q_SIGNALS:
  void runRequested(const QStringList& tabIds);
  void resumeRequested(const QString& folder);
  void cancelRequested();
  void tryNowRequested();
};

}  // namespace stagelane::ui
