#pragma once

/// The table of runs: check boxes, stars and status badges painted by the delegate, columns that
/// hide in narrow windows, and list keys. It only emits what the user asks for.

#include <QTableView>
#include <optional>

#include "ui/kit/virtual_controls.h"
#include "ui/session/run/run_table_model.h"

namespace stagelane::ui {

class CurrentTheme;

class RunsTable final : public QTableView, public VirtualControlSource {
  Q_OBJECT

 public:
  RunsTable(RunTableModel* model, const CurrentTheme* theme, QWidget* parent = nullptr);

  /// Visible and selected rows stay. If the current row is gone, the next one becomes current.
  void setRuns(RunListPtr runs);
  /// Folders of the selected rows, from top to bottom.
  [[nodiscard]] QStringList selectedFolders() const;
  [[nodiscard]] QString currentFolder() const;
  void showFolder(const QString& folder);
  /// `run.14` a row, `run.14.check`, `run.14.favourite`; `runs.sort.NAME` a header.
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

 Q_SIGNALS:
  void currentFolderChanged(const QString& folder);
  void favouriteClicked(const QString& folder);
  /// By mouse or keyboard.
  void rowChosen();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

 private:
  /// The row at the top of the view, and how much of it is hidden above.
  struct Top {
    QString folder;
    int hidden = 0;
  };
  void placeColumns();
  void selectAgain();

  RunTableModel* m_runs;
  QString m_kept;            ///< keeps the current run when the model is rearranged
  QStringList m_selected;    ///< the selection before that
  std::optional<Top> m_top;  ///< scroll position to restore while the list loads
};

}  // namespace stagelane::ui
