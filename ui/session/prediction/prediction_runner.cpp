#include "ui/session/prediction/prediction_runner.h"

#include <QElapsedTimer>
#include <algorithm>
#include <atomic>
#include <utility>

namespace stagelane::ui {
namespace {

/// Above this the window would miss a frame, so the work moves to another thread.
constexpr double kQuickNs = 10e6;

/// The approximate number of actions to simulate.
double workOf(const plan::Experiment& experiment, const plan::Variant& variant) {
  constexpr double kLeast = 200.0;
  const std::int64_t size = variant.splitSize > 0 ? variant.splitSize : experiment.data.batchSize;
  const auto microBatches =
      (experiment.data.batchSize + size - 1) / std::max<std::int64_t>(1, size);
  return kLeast +
         2.0 * static_cast<double>(microBatches) * static_cast<double>(variant.stages.size());
}

struct Timed {
  PredictionRunner::Answer answer;
  std::int64_t ns = 0;
};

Timed timed(const plan::Experiment& experiment, const plan::Variant& variant,
            const predict::CostTable* costs, const GoesOn& goesOn = {}) {
  QElapsedTimer timer;
  timer.start();
  auto answer = ui::predictPlan(experiment, variant, orEstimated(costs, goesOn));
  return {std::move(answer), timer.nsecsElapsed()};
}

}  // namespace

bool PredictionRunner::predict(Experiment experiment, plan::Variant variant,
                               std::function<void(Answer)> done) {
  // A search can take arbitrarily long.
  const bool searched = plan::hasOpenOrder(variant);
  const double work = workOf(*experiment, variant);
  if (!searched && m_nsPerAction * work < kQuickNs) {
    m_job.cancel();
    Timed result = timed(*experiment, variant, m_costs.get());
    m_nsPerAction = static_cast<double>(result.ns) / work;
    done(std::move(result.answer));
    return true;
  }
  m_job.start([this, experiment = std::move(experiment), variant = std::move(variant),
               costs = m_costs, searched, work,
               done = std::move(done)](const std::atomic<bool>& canceled) -> std::function<void()> {
    auto result = std::make_shared<Timed>(
        timed(*experiment, variant, costs.get(), [&canceled] { return !canceled; }));
    return [this, result, searched, work, done] {
      if (!searched) m_nsPerAction = static_cast<double>(result->ns) / work;
      done(std::move(result->answer));
    };
  });
  return false;
}

}  // namespace stagelane::ui
