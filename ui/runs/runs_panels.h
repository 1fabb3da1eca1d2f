#pragma once

/// The table of runs, the facts of one below it, and a comparison beside both. Divides the room
/// between them until a person moves a border.

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
  /// The facts give way to a comparison in a narrow page.
  void placeFor(int pageWidth);
  /// In a page of this width the facts stay beside a comparison.
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
