#pragma once

/// The table of runs, the details below it, and a comparison beside both. Divides the space until
/// the user moves a border.

#include <QSplitter>

#include "ui/runs/compare/runs_compare.h"
#include "ui/runs/runs_details.h"
#include "ui/runs/runs_table.h"

namespace stagelane::ui {

class Session;

class RunsPanels final : public QSplitter {
  Q_OBJECT

 public:
  RunsPanels(RunTableModel* model, Session* session, QWidget* parent);
  [[nodiscard]] RunsTable* table() const { return m_table; }
  [[nodiscard]] RunsDetails* details() const { return m_details; }
  [[nodiscard]] RunsCompare* compare() const { return m_compare; }
  /// In a narrow page a comparison replaces the details.
  void placeFor(int pageWidth);
  /// From this page width on, details and comparison fit side by side.
  static constexpr int kRoomForBoth = 1180;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void divideHeight(int factsHeight);

  RunsTable* m_table;
  RunsDetails* m_details;
  RunsCompare* m_compare;
  QSplitter* m_down;
};

}  // namespace stagelane::ui
