#include "ui/session/prediction/prediction_runner.h"

#include <QElapsedTimer>
#include <QMetaObject>
#include <algorithm>
#include <atomic>
#include <utility>

#include "ui/kit/background.h"

namespace stagelane::ui {
namespace {

/// Above this the window would miss a frame, so the work goes to another thread.
constexpr double kQuickNs = 10e6;
/// A schedule whose order is searched for: that takes any time, so it is never done at once.
constexpr const char* kSearched = "auto";

/// Actions that a prediction plays, about; what is no work of a plan's counts as a few.
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
  auto answer = predictWithWhatIsKnown(experiment, variant, costs, goesOn);
  return {std::move(answer), timer.nsecsElapsed()};
}

struct CutQuestion {
  std::vector<std::size_t> blocks;
  std::vector<plan::Variant> variants;
};

/// Nothing where the costs lack what an estimate has: points of two kinds would not compare.
std::optional<CutCurve> curveOf(const plan::Experiment& experiment, const CutQuestion& question,
                                const predict::CostTable* costs, const GoesOn& goesOn) {
  CutCurve curve;
  for (std::size_t at = 0; at < question.variants.size() && goesOn(); ++at) {
    const plan::Variant& variant = question.variants[at];
    if (const auto step = predictStep(experiment, variant, {costs, {}, goesOn})) {
      curve.push_back({question.blocks[at], step->stepNs, step->overBudget});
    } else if (costs != nullptr && predictStep(experiment, variant, {nullptr, {}, goesOn})) {
      return std::nullopt;
    }
  }
  return curve;
}

}  // namespace

PredictionRunner::PredictionRunner(QObject* parent)
    : QObject(parent), m_cutGeneration(std::make_shared<std::atomic<std::uint64_t>>(0)) {
  m_cutPool.setMaxThreadCount(1);
}

PredictionRunner::~PredictionRunner() {
  ++*m_cutGeneration;
  m_cutPool.waitForDone();
}

bool PredictionRunner::predict(Experiment experiment, plan::Variant variant,
                               std::function<void(Answer)> done) {
  return run(m_plan, std::move(experiment), std::move(variant), std::move(done));
}

bool PredictionRunner::preview(Experiment experiment, plan::Variant variant,
                               std::function<void(Answer)> done) {
  return run(m_preview, std::move(experiment), std::move(variant), std::move(done));
}

bool PredictionRunner::run(LatestJob& job, Experiment experiment, plan::Variant variant,
                           std::function<void(Answer)> done) {
  const bool searched = variant.schedule == kSearched;
  const double work = workOf(*experiment, variant);
  if (!searched && m_nsPerAction * work < kQuickNs) {
    job.cancel();
    Timed result = timed(*experiment, variant, m_costs.get());
    m_nsPerAction = static_cast<double>(result.ns) / work;
    done(std::move(result.answer));
    return true;
  }
  job.start([this, experiment = std::move(experiment), variant = std::move(variant),
             costs = m_costs, searched, work,
             done = std::move(done)](const std::atomic<bool>& canceled) -> std::function<void()> {
    auto result = std::make_shared<Timed>(
        timed(*experiment, variant, costs.get(), [&canceled] { return !canceled; }));
    return [this, result, searched, work, done] {
      if (!searched) {
        m_nsPerAction = static_cast<double>(result->ns) / work;
      }
      done(std::move(result->answer));
    };
  });
  return false;
}

void PredictionRunner::predictCuts(Experiment experiment, std::vector<std::size_t> blocks,
                                   std::vector<plan::Variant> variants,
                                   std::function<void(CutCurve)> done) {
  const std::uint64_t generation = ++*m_cutGeneration;
  ++m_outstanding;
  const auto current = m_cutGeneration;
  m_cutPool.start([this, current, generation, experiment = std::move(experiment),
                   question = CutQuestion{std::move(blocks), std::move(variants)}, costs = m_costs,
                   done = std::move(done)] {
    workBehindTheWindow();
    const auto goesOn = [&] { return *current == generation; };
    auto points = curveOf(*experiment, question, costs.get(), goesOn);
    if (!points) {
      points = curveOf(*experiment, question, nullptr, goesOn);
    }
    auto curve = std::make_shared<CutCurve>(std::move(points).value_or(CutCurve{}));
    QMetaObject::invokeMethod(
        this,
        [this, current, generation, curve, done] {
          --m_outstanding;
          if (*current == generation) {
            done(std::move(*curve));
          }
        },
        Qt::QueuedConnection);
  });
}

}  // namespace stagelane::ui
