#pragma once

/// The table of idle causes. Its rows are as low as lets all of them be seen, with the step's sum
/// last, and it asks for the width of its columns; only where a window is too small for that, it
/// scrolls.

#include <QTableView>

namespace stagelane::ui {

class IdleCauseTable final : public QTableView {
 public:
  explicit IdleCauseTable(QWidget* parent = nullptr);

  void setModel(QAbstractItemModel* model) override;
  /// The width at which no column is cut.
  [[nodiscard]] int wantedWidth() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitRows();
};

}  // namespace stagelane::ui
