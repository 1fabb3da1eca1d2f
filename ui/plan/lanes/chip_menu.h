#pragma once

/// Context menu of the lanes: actions of the chip, of the selection and of the device, fixes, undo
/// and redo. It uses the lanes' own actions, whose texts follow the selection.

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
  void disable(const char* name) const;
  [[nodiscard]] QAction* actionNamed(const QString& name) const;

  PlanModel* m_plan;
  LanesView* m_lanes;
};

}  // namespace stagelane::ui
