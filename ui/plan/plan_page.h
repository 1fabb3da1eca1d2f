#pragma once

/// The Plan page: experiment strip, variant tabs, banner, toolbar, block tree, device lanes, step
/// time by cut, predicted timeline, inspector. Puts them together; rules are PlanModel's.

#include <QSplitter>
#include <QStackedWidget>

#include "ui/frame/page.h"
#include "ui/plan/lanes/plan_lanes.h"
#include "ui/plan/plan_model/plan_model.h"

namespace stagelane::ui {

class Session;

class BlockTree;
class ExperimentStrip;
class KindPanel;
class ModelInspector;
class PlanExport;
class VariantTabs;

class PlanPage final : public Page {
  Q_OBJECT

 public:
  explicit PlanPage(QWidget* parent = nullptr);
  void setSession(Session* session) override;
  [[nodiscard]] QList<QAction*> pageActions() const override;
  [[nodiscard]] bool busy() const override { return m_plan != nullptr && m_plan->busy(); }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* buildCenter();
  /// Below the lanes: the predicted timeline, the layers of the model, or the best plans.
  QWidget* buildBelow(QWidget* timeline);
  QWidget* buildSide(QWidget* content, const QString& name, const QString& title);
  void buildActions(VariantTabs* tabs);
  void buildLaneActions();
  void buildVariantActions(VariantTabs* tabs);
  void buildViewActions();
  QAction* addPlanAction(const QString& text, const QKeySequence& keys, const QString& name,
                         std::function<void()> act);
  QAction* addPageAction(const QString& text, const QKeySequence& keys, const QString& name,
                         std::function<void()> act);
  /// Shows the failed variant, whose problem is listed above the lanes.
  void showFailedPlan();
  void restoreRunPlan();
  void refreshSides();
  void fitRows();
  void moveSelection(int lanes);

  Session* m_session = nullptr;
  PlanModel* m_plan = nullptr;
  PlanExport* m_export = nullptr;
  PlanLanes* m_lanes = nullptr;
  QStackedWidget* m_below = nullptr;
  ModelInspector* m_layers = nullptr;
  KindPanel* m_kinds = nullptr;
  QSplitter* m_columns = nullptr;
  QSplitter* m_rows = nullptr;
  BlockTree* m_tree = nullptr;
  ExperimentStrip* m_experiment = nullptr;
  QWidget* m_inspector = nullptr;
  QAction* m_showTree = nullptr;
  QAction* m_showInspector = nullptr;
  QList<QAction*> m_actions;
  bool m_narrow = false;
};

}  // namespace stagelane::ui
