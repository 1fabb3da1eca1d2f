#pragma once

/// The table of idle causes. Rows shrink so that all of them fit, with the step's sum last, and the
/// columns determine its minimum width. It scrolls only in windows that are too small for that.

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
