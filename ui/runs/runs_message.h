#pragma once

/// In place of the table of runs: why there is none, and a button for what can be done about it.

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
