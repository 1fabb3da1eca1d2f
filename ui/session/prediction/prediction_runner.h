#pragma once

/// Predicts plans, at once if quick, else in another thread. Answers only the newest request.

#include <QObject>
#include <functional>
#include <memory>
#include <utility>

#include "ui/kit/latest_job.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {

class PredictionRunner final : public QObject {
  Q_OBJECT

 public:
  using Answer = Result<PlanPredictionPtr>;
  using Experiment = std::shared_ptr<const plan::Experiment>;
  using Costs = std::shared_ptr<const predict::CostTable>;

  using QObject::QObject;

  /// Costs for later predictions; null: estimates. A plan that the table does not cover is
  /// estimated, as its basis states.
  void setCosts(Costs costs) { m_costs = std::move(costs); }

  /// Predicts a plan and calls `done` in this object's thread, before returning if the last
  /// prediction was quick enough. A later call drops an unanswered one. Returns true if already
  /// answered.
  bool predict(Experiment experiment, plan::Variant variant, std::function<void(Answer)> done);
  /// Drops the pending answer.
  void drop() { m_job.cancel(); }
  /// True while an answer is pending.
  [[nodiscard]] bool busy() const { return m_job.running(); }

 private:
  /// Initial value: that of a slow machine.
  static constexpr double kFirstNsPerAction = 10'000.0;

  LatestJob m_job;
  Costs m_costs;
  double m_nsPerAction = kFirstNsPerAction;  ///< of the last prediction
};

}  // namespace stagelane::ui
