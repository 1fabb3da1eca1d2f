#pragma once

/// The context menu of the lanes: what the chip can do first, then what can be selected, mended,
/// done with the device, undone. It is made of the actions that the lanes have; their words follow
/// the selection, here and in the list of actions.

#include <QAction>
#include <QMenu>
#include <QObject>

#include "ui/plan/lanes/lanes_view.h"

namespace stagelane::ui {

class ChipMenu final : public QObject {
  Q_OBJECT

 public:
  ChipMenu(PlanModel* plan, LanesView* lanes);

 private:
  void open(bool onChip, const QPoint& globalAt);
  void addUndo(QMenu& menu) const;
  void refreshWords();
  [[nodiscard]] QAction* actionNamed(const QString& name) const;

  PlanModel* m_plan;
  LanesView* m_lanes;
};

}  // namespace stagelane::ui
