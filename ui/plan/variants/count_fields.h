#pragma once

/// The numbers of a variant in the Plan toolbar: replicas of a pipeline, processes that train
/// without locks. Shows the document's numbers and keeps none; a wrong number stays in its field,
/// marked, until it is corrected.

#include <QLabel>
#include <QLineEdit>
#include <QWidget>

#include "engine/base/json.h"
#include "ui/plan/plan_model/plan_model.h"

namespace stagelane::ui {

class CountFields final : public QWidget {
  Q_OBJECT

 public:
  explicit CountFields(PlanModel* plan, QWidget* parent = nullptr);
  /// Palette actions that focus the fields; owned by `owner`.
  [[nodiscard]] QList<QAction*> fieldActions(QObject* owner);
  /// Shows the numbers of the current tab's variant.
  void refresh(const Json& variant);
  void setLabelsVisible(bool visible);
  /// Changes where the fields need another width.
  [[nodiscard]] QString text() const;

 Q_SIGNALS:
  void widthChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build(QLineEdit* field, const QString& name, const QString& title);
  void mark(QLineEdit* field, const QString& problem);
  void setReplicas();
  void setProcesses();
  /// Applies the edit, unless the reader refuses the variant: the field then says why.
  void apply(QLineEdit* field, const QString& step, const Json& changed);
  [[nodiscard]] QString tipOf(const QLineEdit* field) const;

  PlanModel* m_plan;
  QLabel* m_replicasLabel;
  QLineEdit* m_replicas;
  QLabel* m_processesLabel;
  QLineEdit* m_processes;
  bool m_labels = true;
  bool m_replicated = false;  ///< every device is a replica, so there is no choice
  bool m_refreshing = false;
};

}  // namespace stagelane::ui
