#pragma once

/// The toolbar of the Runs page: search, status filter, number of ticked runs, and actions on them.

#include <QList>
#include <QWidget>
#include <array>

#include "ui/kit/theme.h"
#include "ui/session/run/run_table_model.h"

class QAction;
class QButtonGroup;
class QLabel;
class QLineEdit;
class QToolButton;

namespace stagelane::ui {

class RunsToolbar final : public QWidget {
  Q_OBJECT

 public:
  /// Actions of the buttons; `all` fill the menu of the last one.
  struct Actions {
    QAction* compare = nullptr;
    QAction* openFolder = nullptr;
    QAction* import = nullptr;
    QList<QAction*> all;
  };
  RunsToolbar(const Actions& actions, QWidget* parent);
  [[nodiscard]] QLineEdit* search() const { return m_search; }
  /// For the palette.
  [[nodiscard]] const QList<QAction*>& kindActions() const { return m_kindActions; }
  void setCounts(const std::array<int, kRunKinds>& counts);
  void setTicked(qsizetype ticked);
  void setIcons(const ControlColors& colors);
  /// Shows texts beside the buttons' icons.
  void setRoomy(bool roomy);
  /// Clears the search and the status filter.
  void showAll();

 Q_SIGNALS:
  void kindChosen(stagelane::ui::RunKind kind);

 private:
  void buildSearch();
  void buildButtons(const Actions& actions);
  QWidget* buildKinds();
  void addButton(QAction* action, const QString& name);

  QLineEdit* m_search = nullptr;
  QButtonGroup* m_kinds = nullptr;
  QList<QAction*> m_kindActions;
  QLabel* m_ticked = nullptr;
  QList<QToolButton*> m_buttons;
  QToolButton* m_more = nullptr;
};

}  // namespace stagelane::ui
