#pragma once

/// Actions on runs for the table's context menu, the toolbar's menu, the palette and keys. Emits
/// requests and enables or disables its actions; the page performs them.

#include <QAction>
#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QWidget>

#include "ui/kit/theme.h"
#include "ui/session/run/run_folders.h"

namespace stagelane::ui {

enum class RunsCommand {
  OpenFolder,
  ShowSweep,
  ToggleFavourite,
  EditTags,
  EditNote,
  Compare,
  Report,
  Untick,
  Trash,
  Restore,
  Import,
  RebuildIndex,
  Find
};

class RunsActions final : public QObject {
  Q_OBJECT

 public:
  explicit RunsActions(QWidget* page);
  /// In the order of the menus, with separators.
  [[nodiscard]] const QList<QAction*>& all() const { return m_all; }
  /// @pre there is one of this name
  [[nodiscard]] QAction* named(const char* name) const;

  /// State that enables the actions.
  struct State {
    bool someChosen = false;
    bool idle = false;      ///< no run is in progress in this window
    QString engineProblem;  ///< why no run can start; "" if it can
    bool ended = false;     ///< the current run was canceled or failed
    QString leftOn;         ///< the host on which the current run goes on; "" if it does not
    bool swept = false;     ///< the current run is part of a sweep
    bool comparable = false;
    bool restorable = false;
  };
  void setState(const State& state);
  void setIcons(const ControlColors& colors);

 Q_SIGNALS:
  void useWanted(stagelane::ui::RunUse use);
  void wanted(stagelane::ui::RunsCommand command);

 private:
  /// `needsRun`: enabled only if a run is selected.
  struct Spec {
    const char* name;
    QString text;
    QKeySequence keys{};
    bool needsRun = true;
  };
  QAction* add(const Spec& spec);
  QAction* addUse(const Spec& spec, RunUse use);
  QAction* addCommand(const Spec& spec, RunsCommand command);
  void addOpening();
  void addRunning();
  void addLabeling();
  void addTicked();
  void addKeeping();
  void endGroup();
  void setResume(const State& state);

  QList<QAction*> m_all;
  QList<QAction*> m_ofRuns;  ///< require a run
  QHash<QString, QAction*> m_byName;
};

}  // namespace stagelane::ui
