#pragma once

/// Answers "what will this plan cost": at once where that is quick, else on another thread. Only
/// the newest question is answered.

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

  /// What predictions are made from, from the next call on; null: estimates. A plan that the table
  /// lacks something of is estimated, which its basis then says.
  void setCosts(Costs costs) { m_costs = std::move(costs); }

  /// Predicts a plan and calls `done` in this object's thread: before returning where that is quick
  /// by what the last prediction took. A later call drops an earlier unanswered one. Returns true
  /// when answered already.
  bool predict(Experiment experiment, plan::Variant variant, std::function<void(Answer)> done);
  /// Drops the outstanding answer.
  void drop() { m_job.cancel(); }
  /// True while an answer is outstanding.
  [[nodiscard]] bool busy() const { return m_job.running(); }

 private:
  /// Before anything was predicted: a slow machine's.
  static constexpr double kFirstNsPerAction = 10'000.0;

  LatestJob m_job;
  Costs m_costs;
  double m_nsPerAction = kFirstNsPerAction;  ///< of the last prediction
};

}  // namespace stagelane::ui
