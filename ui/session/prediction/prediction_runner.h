#pragma once

/// Keeps predictions up to date: at once where that is quick, else on another thread, with the last
/// answer dimmed meanwhile. Only the newest question is answered. Also works out "step time by cut"
/// in the background.

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ui/kit/latest_job.h"
#include "ui/session/prediction/cut_curve.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {

class PredictionRunner final : public QObject {
  Q_OBJECT

 public:
  using Answer = Result<PlanPredictionPtr>;
  using Experiment = std::shared_ptr<const plan::Experiment>;
  using Costs = std::shared_ptr<const predict::CostTable>;

  explicit PredictionRunner(QObject* parent = nullptr);
  ~PredictionRunner() override;

  /// What predictions are made from, from the next call on; null: estimates. A plan that the table
  /// lacks something of is estimated, which its basis then says.
  void setCosts(Costs costs) { m_costs = std::move(costs); }

  /// Predicts a plan and calls `done` in this object's thread: before returning where that is quick
  /// by what the last predictions took. A later call of `predict` drops an earlier unanswered one.
  /// Returns true when answered already.
  bool predict(Experiment experiment, plan::Variant variant, std::function<void(Answer)> done);
  /// Drops the answer of `predict` that is outstanding.
  void dropPlan() { m_plan.cancel(); }
  /// The same beside it, for the preview of a drag.
  bool preview(Experiment experiment, plan::Variant variant, std::function<void(Answer)> done);
  void dropPreview() { m_preview.cancel(); }

  /// Each variant is the plan with one cut; `blocks` are where they cut. Background only. All
  /// points have the same basis: estimates, where the costs do not suffice for one of them.
  void predictCuts(Experiment experiment, std::vector<std::size_t> blocks,
                   std::vector<plan::Variant> variants, std::function<void(CutCurve)> done);
  /// Drops the answer of the curve that is being worked out.
  void dropCuts() { ++*m_cutGeneration; }

  /// True while an answer is outstanding.
  [[nodiscard]] bool busy() const {
    return m_outstanding > 0 || m_plan.running() || m_preview.running();
  }

 private:
  bool run(LatestJob& job, Experiment experiment, plan::Variant variant,
           std::function<void(Answer)> done);

  /// Before anything was predicted: a slow machine's.
  static constexpr double kFirstNsPerAction = 10'000.0;

  LatestJob m_plan;
  LatestJob m_preview;
  QThreadPool m_cutPool;  ///< behind the window
  Costs m_costs;
  std::shared_ptr<std::atomic<std::uint64_t>>
      m_cutGeneration;                       ///< read by the worker, to stop early
  double m_nsPerAction = kFirstNsPerAction;  ///< of the last prediction
  int m_outstanding = 0;                     ///< curves of cuts
};

}  // namespace stagelane::ui
