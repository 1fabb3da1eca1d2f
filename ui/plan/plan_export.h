#pragma once

/// What the Plan page shows, for the export dialog: the predicted step, and its curves over cuts
/// and split sizes.

#include <QAction>
#include <QList>
#include <QObject>

#include "ui/kit/pictures/export_dialog.h"
#include "ui/plan/plan_model/plan_model.h"

namespace stagelane::ui {

/// The export actions; each is enabled while there is something to export.
class PlanExport final : public QObject {
  Q_OBJECT

 public:
  /// Dialogs open above `page`, which owns this.
  PlanExport(PlanModel* plan, QWidget* page);
  [[nodiscard]] QAction* timeline() const { return m_timeline; }
  [[nodiscard]] QAction* cuts() const { return m_cuts; }
  [[nodiscard]] QAction* splits() const { return m_splits; }
  [[nodiscard]] QList<QAction*> actions() const { return {m_timeline, m_cuts, m_splits}; }

 private:
  [[nodiscard]] QAction* add(const QString& text, const QString& name, const QString& tip,
                             Exportable (PlanExport::*what)() const);
  void offer();
  [[nodiscard]] Exportable timelineToExport() const;
  [[nodiscard]] Exportable cutsToExport() const;
  [[nodiscard]] Exportable splitsToExport() const;

  PlanModel* m_plan;
  QWidget* m_page;
  QAction* m_timeline;
  QAction* m_cuts;
  QAction* m_splits;
};

}  // namespace stagelane::ui
