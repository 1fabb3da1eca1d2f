#pragma once

/// The current task on the history of runs, its progress, and a Stop button.

#include <QWidget>
#include <optional>

#include "ui/session/run/run_history.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace stagelane::ui {

class RunsWorkBar final : public QWidget {
  Q_OBJECT

 public:
  explicit RunsWorkBar(QWidget* parent = nullptr);
  /// Hidden while there is no task.
  void show(const std::optional<HistoryWork>& work);

 Q_SIGNALS:
  void stopWanted();

 private:
  QLabel* m_text;
  QProgressBar* m_progress;
  QPushButton* m_stop;
};

}  // namespace stagelane::ui
