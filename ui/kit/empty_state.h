#pragma once

/// In place of what a page shows: why there is none, and a button for what can be done about it.

#include <QLabel>
#include <QPushButton>
#include <QWidget>

namespace stagelane::ui {

class EmptyState final : public QWidget {
  Q_OBJECT

 public:
  explicit EmptyState(QWidget* parent = nullptr);
  [[nodiscard]] QLabel* text() const { return m_text; }
  [[nodiscard]] QPushButton* button() const { return m_button; }

 private:
  QLabel* m_text;
  QPushButton* m_button;
};

}  // namespace stagelane::ui
