#pragma once

/// The processes of the current or last run, folded out below the run bar. Hidden where there is
/// only one.

#include <QAction>
#include <QTableView>
#include <QWidget>

#include "ui/frame/rank_table_model.h"

namespace stagelane::ui {

class Session;

class RankPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit RankPanel(Session* session, QWidget* parent = nullptr);
  /// Shows or hides the table: "2 ranks". Invisible while there is one process.
  [[nodiscard]] QAction* toggle() const { return m_toggle; }

 private:
  void refresh();
  void fitHeight();

  Session* m_session;
  RankTableModel* m_model;
  QTableView* m_table;
  QAction* m_toggle;
};

}  // namespace stagelane::ui
