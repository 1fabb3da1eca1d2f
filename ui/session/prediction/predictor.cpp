#include "ui/session/prediction/predictor.h"

#include <utility>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

Predictor::Predictor(ExperimentDocument* document, VariantSelection* selection, Costs* costs,
                     QObject* parent)
    : QObject(parent), m_document(document), m_selection(selection), m_costs(costs) {
  connect(document, &ExperimentDocument::aboutToLoad, this, &Predictor::clear);
  connect(document, &ExperimentDocument::changed, this, &Predictor::refresh);
  connect(selection, &VariantSelection::changed, this, &Predictor::refresh);
  connect(costs, &Costs::changed, this, &Predictor::refresh);
}

void Predictor::clear() {
  m_runner.drop();
  answer(nullptr, std::nullopt);
}

PlanPredictionPtr Predictor::lastOfVariant() const {
  const bool same = m_prediction && m_prediction->variantId == utf8(m_selection->variantId());
  return same ? m_prediction : nullptr;
}

plan::Experiment Predictor::shownPlan() const {
  plan::Experiment experiment;
  if (m_document->experiment()) experiment = *m_document->experiment();
  for (plan::Variant& variant : experiment.variants) {
    const auto order = m_orders.find(variant.id);
    // Open stages are preliminary, and so is their order.
    if (!variant.open && order != m_orders.end()) variant.order = order->second;
  }
  return experiment;
}

void Predictor::refresh() {
  m_runner.setCosts(m_costs->table());
  const auto experiment = m_document->experiment();
  if (std::exchange(m_ordersOf, experiment) != experiment) m_orders.clear();
  if (!m_document->lastReadable()) {
    m_runner.drop();
    answer(nullptr, m_document->error());
    return;
  }
  const plan::Variant* variant = m_selection->variant();
  if (variant == nullptr || !experiment) {
    m_runner.drop();
    answer(lastOfVariant(), m_selection->error());
    return;
  }
  if (m_selection->beingPlaced()) {
    m_runner.drop();
    setStale();
    return;
  }
  const bool answered =
      m_runner.predict(experiment, *variant, [this](PredictionRunner::Answer result) {
        if (result) {
          if (!(*result)->order.empty()) m_orders[(*result)->variantId] = (*result)->order;
          answer(*result, std::nullopt);
        } else {
          answer(lastOfVariant(), result.error());
        }
      });
  if (!answered) setStale();
}

void Predictor::answer(PlanPredictionPtr prediction, std::optional<Error> error) {
  m_prediction = std::move(prediction);
  m_error = std::move(error);
  m_stale = false;
  Q_EMIT changed();
}

void Predictor::setStale() {
  if (!std::exchange(m_stale, true)) Q_EMIT changed();
}

}  // namespace stagelane::ui
