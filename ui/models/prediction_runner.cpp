#include "ui/models/prediction_runner.h"

#include <QElapsedTimer>
#include <QMetaObject>
#include <atomic>
#include <utility>

#include "ui/models/background.h"

namespace stagelane::ui {
namespace {

/// Above this the window would miss a frame, so the work goes to another thread.
constexpr std::int64_t kQuickNs = 10'000'000;
/// A schedule whose order is searched for: that takes any time, so it is never done at once.
constexpr const char* kSearched = "auto";

struct Timed {
  PredictionRunner::Answer answer;
  std::int64_t ns = 0;
};

Timed timed(const plan::Experiment& experiment, const plan::Variant& variant,
            const predict::CostTable* costs) {
  QElapsedTimer timer;
  timer.start();
  auto answer = predictWithWhatIsKnown(experiment, variant, costs);
  return {std::move(answer), timer.nsecsElapsed()};
}

struct CutQuestion {
  std::vector<std::size_t> blocks;
  std::vector<plan::Variant> variants;
};

/// Nothing where the costs lack what an estimate has: points of two kinds would not compare.
std::optional<CutCurve> curveOf(const plan::Experiment& experiment, const CutQuestion& question,
                                const predict::CostTable* costs,
                                const std::function<bool()>& goesOn) {
  CutCurve curve;
  for (std::size_t at = 0; at < question.variants.size() && goesOn(); ++at) {
    const plan::Variant& variant = question.variants[at];
    if (const auto step = predictStep(experiment, variant, {costs, {}})) {
      curve.push_back({question.blocks[at], step->stepNs, step->overBudget});
    } else if (costs != nullptr && predictStep(experiment, variant)) {
      return std::nullopt;
    }
  }
  return curve;
}

}  // namespace

PredictionRunner::PredictionRunner(QObject* parent)
    : QObject(parent), m_cutGeneration(std::make_shared<std::atomic<std::uint64_t>>(0)) {
  m_pool.setMaxThreadCount(2);
  m_cutPool.setMaxThreadCount(1);
}

PredictionRunner::~PredictionRunner() {
  ++*m_cutGeneration;
  m_pool.waitForDone();
  m_cutPool.waitForDone();
}

bool PredictionRunner::predict(Experiment experiment, plan::Variant variant,
                               std::function<void(Answer)> done) {
  return run(m_planGeneration, std::move(experiment), std::move(variant), std::move(done));
}

bool PredictionRunner::preview(Experiment experiment, plan::Variant variant,
                               std::function<void(Answer)> done) {
  return run(m_previewGeneration, std::move(experiment), std::move(variant), std::move(done));
}

bool PredictionRunner::run(std::uint64_t& current, Experiment experiment, plan::Variant variant,
                           std::function<void(Answer)> done) {
  const std::uint64_t generation = ++current;
  const bool searched = variant.schedule == kSearched;
  if (!searched && m_lastNs < kQuickNs) {
    Timed result = timed(*experiment, variant, m_costs.get());
    m_lastNs = result.ns;
    done(std::move(result.answer));
    return true;
  }
  ++m_outstanding;
  std::uint64_t* const counter = &current;
  m_pool.start([this, counter, generation, experiment = std::move(experiment),
                variant = std::move(variant), costs = m_costs, searched, done = std::move(done)] {
    auto result = std::make_shared<Timed>(timed(*experiment, variant, costs.get()));
    QMetaObject::invokeMethod(
        this,
        [this, counter, generation, result, searched, done] {
          --m_outstanding;
          m_lastNs = searched ? m_lastNs : result->ns;
          if (*counter == generation) {
            done(std::move(result->answer));
          }
        },
        Qt::QueuedConnection);
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
