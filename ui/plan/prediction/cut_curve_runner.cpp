#include "ui/plan/prediction/cut_curve_runner.h"

#include <atomic>
#include <optional>
#include <utility>

#include "ui/kit/background.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {
namespace {

/// Nothing if the costs are incomplete, because points with different bases are not comparable.
std::optional<CutCurve> curveOf(const CutQuestion& question, const predict::CostTable* costs,
                                const GoesOn& goesOn) {
  const plan::Experiment& experiment = *question.experiment;
  CutCurve curve;
  for (std::size_t at = 0; at < question.variants.size() && goesOn(); ++at) {
    const plan::Variant& variant = question.variants[at];
    if (const auto step = predictStep(experiment, variant, {costs, {}, goesOn})) {
      curve.push_back({question.blocks[at], step->stepNs, !step->fits()});
    } else if (costs != nullptr && predictStep(experiment, variant, {nullptr, {}, goesOn})) {
      return std::nullopt;
    }
  }
  return curve;
}

}  // namespace

void CutCurveRunner::predict(CutQuestion question, std::function<void(CutCurve)> done) {
  m_job.start([question = std::move(question),
               done = std::move(done)](const std::atomic<bool>& canceled) -> std::function<void()> {
    workBehindTheWindow();
    const auto goesOn = [&canceled] { return !canceled; };
    auto points = curveOf(question, question.costs.get(), goesOn);
    if (!points) points = curveOf(question, nullptr, goesOn);
    return [curve = std::move(points).value_or(CutCurve{}), done] { done(curve); };
  });
}

}  // namespace stagelane::ui
