#include "ui/plan/plan_model/cut_costs.h"

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "ui/kit/background.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

/// An edit is painted before its cut curve is computed.
constexpr int kDelayMs = 30;

/// Each variant is the plan with one cut, before the block in `blocks`. Null costs: estimates.
struct CutQuestion {
  std::shared_ptr<const plan::Experiment> experiment;
  std::shared_ptr<const predict::CostTable> costs;
  std::vector<std::size_t> blocks;
  std::vector<plan::Variant> variants;
};

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

CutCosts::CutCosts(const PlanModel* plan, QObject* parent) : QObject(parent), m_plan(plan) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &CutCosts::start);
}

void CutCosts::followPlan() {
  m_stale = true;
  m_job.cancel();
  if (!m_plan->session().selection().beingPlaced()) m_delay.start();
}

void CutCosts::start() {
  const Session& session = m_plan->session();
  const plan::Variant* variant = session.selection().variant();
  const auto experiment = session.document().experiment();
  const PlanShape& shape = m_plan->shape();
  const std::size_t boundary = nearestBoundary(shape, m_plan->blockSelection().first());
  const std::vector<DeviceId> devices = m_plan->moves().cutDevices();
  const bool cuttable = m_plan->moves().whyFixed().isEmpty() &&
                        (boundary != 0 || (variant != nullptr && devices.size() > 1 &&
                                           !plan::strategyRow(variant->strategy).oneDevice));
  if (variant == nullptr || !experiment || !cuttable) {
    m_curve.clear();
    m_stale = false;
    Q_EMIT changed();
    return;
  }
  CutQuestion question{experiment, session.costs().table(), {}, {}};
  for (std::size_t block = 1; block < shape.deviceOfBlock.size(); ++block) {
    if (const auto cut = m_plan->variantWith(cutBefore(shape, block, devices))) {
      question.blocks.push_back(block);
      question.variants.push_back(*cut);
    }
  }
  m_stale = true;
  m_job.start([this, question = std::move(question)](const std::atomic<bool>& canceled) {
    workBehindTheWindow();
    const auto goesOn = [&canceled] { return !canceled; };
    auto points = predict::costsOrEstimates(
        question.costs.get(),
        [&](const predict::CostTable* costs) { return curveOf(question, costs, goesOn); });
    return [this, curve = std::move(points).value_or(CutCurve{})] {
      m_curve = curve;
      m_stale = false;
      Q_EMIT changed();
    };
  });
}

}  // namespace stagelane::ui
