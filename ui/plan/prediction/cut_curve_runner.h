#pragma once

/// Predicts the step time of each place where the chain can be cut, behind the window. Only the
/// newest question is answered.

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "ui/kit/latest_job.h"
#include "ui/session/prediction/cut_curve.h"

namespace stagelane::ui {

/// Each variant is the plan with one cut; `blocks` are where they cut. Null costs: estimates.
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

  /// Calls `done` in this object's thread. All points have the same basis: estimates, where the
  /// costs do not suffice for one of them.
  void predict(CutQuestion question, std::function<void(CutCurve)> done);
  /// Drops the outstanding answer.
  void drop() { m_job.cancel(); }
  [[nodiscard]] bool busy() const { return m_job.running(); }

 private:
  LatestJob m_job;
};

}  // namespace stagelane::ui
