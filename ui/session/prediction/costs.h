#pragma once

/// The known costs of the document's experiment: the measured table, its origin, and the error of
/// predicted peaks. The setter ensures that the table matches the model and devices; plans that it
/// does not cover are estimated.

#include <QObject>
#include <memory>

#include "engine/predict/cost_table.h"
#include "engine/workspace/peak_history.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/cost_facts.h"

namespace stagelane::ui {

/// Measured costs for predictions; null: estimates.
using CostTablePtr = std::shared_ptr<const predict::CostTable>;

class Costs final : public QObject {
  Q_OBJECT

 public:
  /// Reads the document with the costs set here. @pre `document` outlives this
  explicit Costs(ExperimentDocument* document, QObject* parent = nullptr);

  [[nodiscard]] CostTablePtr table() const { return m_table; }
  /// The origin of the costs, or why there are none; a run of this plan uses `file`.
  [[nodiscard]] const CostFacts& facts() const { return m_facts; }
  void set(CostTablePtr table, CostFacts facts = {});
  /// Ratios of measured to predicted peaks in the workspace's runs of the document's model.
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
