#include "ui/plan/plan_model/drop_preview.h"

#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/cost_facts.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/peak_range.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"

namespace stagelane::ui {

DropPreview::DropPreview(const PlanModel* plan, QObject* parent) : QObject(parent), m_plan(plan) {}

const PlanShape& DropPreview::shownShape() const {
  return m_drop ? m_drop->shape : m_plan->shape();
}

PlanPredictionPtr DropPreview::shownPrediction() const {
  if (m_drop && !m_drop->problem.isEmpty()) return nullptr;
  return known() ? m_drop->prediction : m_plan->session().predictor().prediction();
}

void DropPreview::show(const BlockSet& blocks, const DeviceId& device) {
  if (m_drop && m_drop->blocks == blocks && m_drop->device == device) return;
  const Session& session = m_plan->session();
  m_drop = Drop{blocks, device, m_plan->shapeAfter(blocks, device), nullptr, {}};
  const auto variant = m_plan->variantWith(m_drop->shape);
  const auto experiment = session.document().experiment();
  if (!variant || !experiment) {
    const auto error = session.selection().error();
    m_drop->problem =
        tr("No prediction: %1").arg(error ? sentenceText(*error) : tr("the plan cannot be read"));
    Q_EMIT changed();
    return;
  }
  m_runner.setCosts(session.costs().table());
  const bool answered =
      m_runner.predict(experiment, *variant, [this](PredictionRunner::Answer answer) {
        if (!m_drop) return;
        if (answer) {
          m_drop->prediction = *answer;
        } else {
          m_drop->problem = sentenceText(answer.error());
        }
        Q_EMIT changed();
      });
  if (!answered) Q_EMIT changed();
}

void DropPreview::clear() {
  if (m_drop) {
    forget();
    Q_EMIT changed();
  }
}

void DropPreview::forget() {
  m_runner.drop();
  m_drop.reset();
}

QString DropPreview::text() const {
  if (!m_drop) return {};
  if (!m_drop->problem.isEmpty()) return m_drop->problem;
  const PlanPredictionPtr now = m_plan->session().predictor().prediction();
  const PlanPredictionPtr then = m_drop->prediction;
  if (!then) return {};
  QString text = tr("step %1").arg(approximately(then->basis) + timeText(then->stepNs));
  // Figures with different bases are not comparable.
  if (now && now->stepNs > 0 && now->basis == then->basis) {
    const double change =
        static_cast<double>(then->stepNs - now->stepNs) / static_cast<double>(now->stepNs);
    text = tr("step %1").arg(percentDifferenceText(change));
  }
  if (const PredictedDevice* device = then->device(m_drop->device)) {
    const QString peak = device->budgetBytes ? predictedPeakText(then->basis, device->peakBytes,
                                                                 *device->budgetBytes, tr(" of "))
                                             : predictedPeakText(then->basis, device->peakBytes);
    text += tr(", peak %1").arg(peak);
  }
  return text;
}

}  // namespace stagelane::ui
