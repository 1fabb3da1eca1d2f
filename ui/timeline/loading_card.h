#pragma once

/// Shows what is being read of a trace, with progress and a Cancel button. Covers the skeleton of
/// the timeline.

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
  /// Work of unknown duration.
  void showWork(const QString& what);
  /// Restarts the estimate of the time left with the next reading.
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
