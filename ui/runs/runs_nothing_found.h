#pragma once

/// Over the table of runs when no run matches the search.

#include <QPushButton>
#include <QWidget>

class QLabel;
class QTableView;

namespace stagelane::ui {

class RunsNothingFound final : public QWidget {
  Q_OBJECT

 public:
  explicit RunsNothingFound(QTableView* table);
  void setText(const QString& text);
  /// Shows all runs again.
  [[nodiscard]] QPushButton* button() const { return m_all; }

 private:
  QLabel* m_text;
  QPushButton* m_all;
};

}  // namespace stagelane::ui
