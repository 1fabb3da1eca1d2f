#pragma once

/// Says what of a trace is being read, how much of it, and lets it be stopped. Lies on the skeleton
/// of the timeline.

#include <QElapsedTimer>
#include <QWidget>

#include "ui/session/run/opened_trace.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace stagelane::ui {

class LoadingCard final : public QWidget {
  Q_OBJECT

 public:
  explicit LoadingCard(QWidget* parent = nullptr);
  void showReading(const TraceLoading& loading);
  /// Work of which nobody knows how long it takes.
  void showWork(const QString& what);
  /// The time that is left is counted from the next reading on.
  void endReading() { m_sinceReading.invalidate(); }
  void setCanStop(bool canStop);

 Q_SIGNALS:
  void stopWanted();

 private:
  QElapsedTimer m_sinceReading;
  QLabel* m_text;
  QProgressBar* m_bar;
  QPushButton* m_stop;
};

}  // namespace stagelane::ui
