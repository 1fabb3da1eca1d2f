#pragma once

/// The table of runs: ticks, stars and status badges as the delegate paints them, columns that give
/// way when it gets narrow, and the keys of a list. What a row says and what an action does are not
/// its business.

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

  /// The rows in view and those that are selected stay; in the place of the current one, where it
  /// is gone, the one behind it becomes current.
  void setRuns(RunListPtr runs);
  /// Folders of the selected rows, from the top.
  [[nodiscard]] QStringList selectedFolders() const;
  [[nodiscard]] QString currentFolder() const;
  void showFolder(const QString& folder);
  /// `run.14` a row, `run.14.check`, `run.14.favourite`; `runs.sort.NAME` a header.
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

 Q_SIGNALS:
  void currentFolderChanged(const QString& folder);
  void favouriteClicked(const QString& folder);
  /// By mouse or keys.
  void rowChosen();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

 private:
  /// What is at the top of the view, and how much of it is above.
  struct Top {
    QString folder;
    int hidden = 0;
  };
  void placeColumns();
  void selectAgain();

  RunTableModel* m_runs;
  QString m_kept;            ///< what is current stays so when the model is rearranged
  QStringList m_selected;    ///< before it was
  std::optional<Top> m_top;  ///< while a list comes under a view that was scrolled
};

}  // namespace stagelane::ui
