#include "ui/session/prediction/costs.h"

#include <utility>

namespace stagelane::ui {

Costs::Costs(ExperimentDocument* document, QObject* parent)
    : QObject(parent), m_document(document) {}

void Costs::set(CostTablePtr table, CostFacts facts) {
  if (table == m_table && facts == m_facts) return;
  m_table = std::move(table);
  m_facts = std::move(facts);
  m_document->setCosts(m_table);
  Q_EMIT changed();
}

void Costs::setPeakHistory(const workspace::PeakHistory& history) {
  if (history != m_peakHistory) {
    m_peakHistory = history;
    Q_EMIT peakHistoryChanged();
  }
}

}  // namespace stagelane::ui
