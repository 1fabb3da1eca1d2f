#pragma once

/// Toolbar of the Plan page: strategy, schedule, split size, chip widths and the source of the
/// numbers. The controls edit the document and keep no values of their own.

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QWidget>

#include "ui/kit/combo.h"
#include "ui/plan/cost_status.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/strategy_memory.h"
#include "ui/plan/variants/count_fields.h"
#include "ui/plan/variants/variant_settings.h"

namespace stagelane::ui {

class PlanToolbar final : public QWidget {
  Q_OBJECT

 public:
  explicit PlanToolbar(PlanModel* plan, QWidget* parent = nullptr);
  /// Switches of the page's side panels, at the ends of the bar.
  void setSides(QAction* left, QAction* right);
  /// Palette actions that focus the toolbar's fields; owned by the toolbar.
  [[nodiscard]] QList<QAction*> fieldActions();
  [[nodiscard]] const CostStatus& costStatus() const { return *m_costs; }
  [[nodiscard]] const VariantSettings& variantSettings() const { return *m_settings; }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  void fitToWidth();
  void fitIfTooWide();
  void fitToContents();
  void applyLevel();
  QWidget* buildChipWidths();
  void refresh();
  void markSplit(const QString& problem);
  void refreshMembers(const VariantTab& tab);
  void refreshSchedules(std::size_t index);
  void refreshSplit(const Json& variant, const plan::StrategyRow& row);
  void refreshSchedule(const Json& variant, const VariantTab& tab);
  void refreshIcons();
  void setStrategy(const QString& strategy);
  void setSchedule(const QString& schedule);
  void setSplit();
  [[nodiscard]] const Json* variantJson() const;

  PlanModel* m_plan;
  StrategyMemory m_strategies;
  Combo* m_strategy;
  QLabel* m_scheduleLabel;
  Combo* m_schedule;
  QLabel* m_splitLabel;
  QLineEdit* m_split;
  QLabel* m_microBatches;
  QLabel* m_memberLabel;
  Combo* m_member;
  CountFields* m_counts;
  VariantSettings* m_settings;
  CostStatus* m_costs;
  QLabel* m_strategyLabel;
  QLabel* m_widthLabel = nullptr;
  QList<QAction*> m_sides;
  QWidget* m_widths = nullptr;
  QString m_contents;
  int m_level = 0;
  bool m_splits = false;  ///< the strategy has a schedule and a split size, or could have them
  bool m_sweep = false;
  bool m_optionalSplit = false;
  bool m_splitWrong = false;
  bool m_refreshing = false;
};

}  // namespace stagelane::ui
