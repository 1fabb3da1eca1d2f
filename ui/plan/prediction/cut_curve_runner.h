#pragma once

/// Predicts the step time of every possible cut in another thread. Only the latest request is
/// answered.

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "ui/kit/latest_job.h"
#include "ui/session/prediction/cut_curve.h"

namespace stagelane::ui {

/// Each variant is the plan with one cut, before the block in `blocks`. Null costs: estimates.
struct CutQuestion {
  std::shared_ptr<const plan::Experiment> experiment;
  std::shared_ptr<const predict::CostTable> costs;
  std::vector<std::size_t> blocks;
  std::vector<plan::Variant> variants;
};

class CutCurveRunner final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Calls `done` in this object's thread. All points have the same basis: estimates if the costs
  /// do not cover every point.
  void predict(CutQuestion question, std::function<void(CutCurve)> done);
  /// Drops the pending answer.
  void drop() { m_job.cancel(); }
  [[nodiscard]] bool busy() const { return m_job.running(); }

 private:
  LatestJob m_job;
};

}  // namespace stagelane::ui
