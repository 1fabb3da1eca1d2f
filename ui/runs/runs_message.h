#pragma once

/// Replaces an empty table of runs: the reason, and a button for the next step.

#include <QWidget>

class QLabel;
class QPushButton;

namespace stagelane::ui {

class RunsMessage final : public QWidget {
  Q_OBJECT

 public:
  explicit RunsMessage(QWidget* parent = nullptr);
  void show(const QString& text, const QString& button, bool offered);

 Q_SIGNALS:
  void clicked();

 private:
  QLabel* m_text;
  QPushButton* m_button;
};

}  // namespace stagelane::ui
