#pragma once

/// What is known of the costs of the document's experiment: the measured table, where it comes
/// from, and by how much predicted peaks were off. Whoever sets the table sees to it that it is of
/// this model and these devices; a plan of which the table lacks something is estimated.

#include <QObject>
#include <memory>

#include "engine/predict/cost_table.h"
#include "engine/workspace/peak_history.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/cost_facts.h"

namespace stagelane::ui {

/// Measured costs that predictions are made from; null: estimates.
using CostTablePtr = std::shared_ptr<const predict::CostTable>;

class Costs final : public QObject {
  Q_OBJECT

 public:
  /// The document is read with the costs that are set here. @pre `document` outlives this
  explicit Costs(ExperimentDocument* document, QObject* parent = nullptr);

  [[nodiscard]] CostTablePtr table() const { return m_table; }
  /// Where they come from, or why there are none; `file` is what a run of this plan uses.
  [[nodiscard]] const CostFacts& facts() const { return m_facts; }
  void set(CostTablePtr table, CostFacts facts = {});
  /// By how much predicted peaks were off in the workspace's runs of the document's model.
  [[nodiscard]] const workspace::PeakHistory& peakHistory() const { return m_peakHistory; }
  void setPeakHistory(const workspace::PeakHistory& history);

 Q_SIGNALS:
  void changed();
  void peakHistoryChanged();

 private:
  ExperimentDocument* m_document;
  CostTablePtr m_table;
  CostFacts m_facts;
  workspace::PeakHistory m_peakHistory;
};

}  // namespace stagelane::ui
