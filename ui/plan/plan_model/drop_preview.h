#pragma once

/// The plan as it would be after a drop: its shape and, once that is computed, its prediction.
/// Shows nothing and edits nothing.

#include <QObject>
#include <QString>
#include <optional>

#include "ui/plan/plan_model/plan_selection.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/prediction_runner.h"

namespace stagelane::ui {

class PlanModel;

class DropPreview final : public QObject {
  Q_OBJECT

 public:
  /// @pre `plan` outlives this
  explicit DropPreview(const PlanModel* plan, QObject* parent = nullptr);

  void show(const BlockSet& blocks, const DeviceId& device);
  void clear();
  /// The same without a signal, because the plan itself changed.
  void forget();
  [[nodiscard]] bool active() const { return m_drop.has_value(); }
  [[nodiscard]] bool busy() const { return m_runner.busy(); }

  /// The plan with the dragged blocks at the drop position; without a drag, the current plan.
  [[nodiscard]] const PlanShape& shownShape() const;
  /// Prediction for the drop; while that is being computed, for the current plan. Null if the drop
  /// is impossible.
  [[nodiscard]] PlanPredictionPtr shownPrediction() const;
  /// `shownPrediction` is for the drop.
  [[nodiscard]] bool known() const { return m_drop && m_drop->prediction; }
  /// Why the drop has no figures; empty while they are being computed.
  [[nodiscard]] QString problem() const { return m_drop ? m_drop->problem : QString(); }
  /// Tooltip of a drag: "step −12 %, peak 6.1 of 8 GiB"; empty while unknown.
  [[nodiscard]] QString text() const;

 Q_SIGNALS:
  void changed();

 private:
  struct Drop {
    BlockSet blocks;
    DeviceId device;
    PlanShape shape;
    PlanPredictionPtr prediction;
    QString problem;
  };

  const PlanModel* m_plan;
  PredictionRunner m_runner;
  std::optional<Drop> m_drop;
};

}  // namespace stagelane::ui
