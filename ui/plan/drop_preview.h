#pragma once

/// The plan as it would be after a drop: its shape and, once that is computed, its prediction.
/// Shows nothing and edits nothing.

#include <QObject>
#include <QString>
#include <optional>

#include "ui/plan/plan_selection.h"
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
  /// The same without telling anybody: the plan is another one.
  void forget();
  [[nodiscard]] bool active() const { return m_drop.has_value(); }
  [[nodiscard]] bool busy() const { return m_runner.busy(); }

  /// The plan with the drag's blocks where they would be dropped; else the plan as it is.
  [[nodiscard]] const PlanShape& shownShape() const;
  /// Its prediction: of the drop where that is known, of the plan as it is while it is being
  /// computed; none of a drop that is impossible.
  [[nodiscard]] PlanPredictionPtr shownPrediction() const;
  /// What `shownPrediction` has is of the drop.
  [[nodiscard]] bool known() const { return m_drop && m_drop->prediction; }
  /// Why the drop has no figures; empty while they are being computed.
  [[nodiscard]] QString problem() const { return m_drop ? m_drop->problem : QString(); }
  /// "step −12 %, peak 6.1 of 8 GiB": what the tooltip of a drag says; empty while unknown.
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
