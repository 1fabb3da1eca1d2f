#include "ui/plan/cut_costs.h"

#include <utility>

#include "engine/plan/experiment.h"
#include "ui/plan/plan_model.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

/// An edit is painted before its cut curve is computed.
constexpr int kDelayMs = 30;

}  // namespace

CutCosts::CutCosts(const PlanModel* plan, QObject* parent) : QObject(parent), m_plan(plan) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &CutCosts::start);
}

void CutCosts::followPlan() {
  m_stale = true;
  m_runner.drop();
  if (!m_plan->session().selection().beingPlaced()) m_delay.start();
}

void CutCosts::start() {
  const Session& session = m_plan->session();
  const plan::Variant* variant = session.selection().variant();
  const auto experiment = session.document().experiment();
  const PlanShape& shape = m_plan->shape();
  const std::size_t boundary = nearestBoundary(shape, m_plan->blockSelection().first());
  const bool cuttable = boundary != 0 || (variant != nullptr && m_plan->devices().size() > 1 &&
                                          !plan::strategyRow(variant->strategy).oneDevice);
  if (variant == nullptr || !experiment || !cuttable) {
    m_curve.clear();
    m_stale = false;
    Q_EMIT changed();
    return;
  }
  CutQuestion question{experiment, session.costs().table(), {}, {}};
  for (std::size_t block = 1; block < shape.deviceOfBlock.size(); ++block) {
    if (const auto cut = m_plan->variantWith(cutBefore(shape, block, m_plan->devices()))) {
      question.blocks.push_back(block);
      question.variants.push_back(*cut);
    }
  }
  m_stale = true;
  m_runner.predict(std::move(question), [this](CutCurve curve) {
    m_curve = std::move(curve);
    m_stale = false;
    Q_EMIT changed();
  });
}

}  // namespace stagelane::ui
