#pragma once

/// Keeps the session's costs and the errors of predicted memory peaks up to date with the
/// workspace's data on the experiment's model: when the document changes, after a run, and when the
/// window is activated. Reads files in another thread; measures nothing.

#include <QObject>
#include <string>

#include "engine/plan/experiment.h"
#include "ui/kit/latest_job.h"
#include "ui/session/prediction/cost_facts.h"
#include "ui/session/prediction/costs.h"

namespace stagelane::ui {
class Session;
}  // namespace stagelane::ui

namespace stagelane::app {

class CostLookup final : public QObject {
  Q_OBJECT

 public:
  /// Create it before any predictor, so that it removes another model's costs first.
  explicit CostLookup(ui::Session* session, QObject* parent = nullptr);

  /// True if no lookup is in progress.
  [[nodiscard]] bool settled() const { return !m_job.running(); }

 public Q_SLOTS:
  /// Repeats the lookup for the same model, because of possible new measurements.
  void lookAgain();

 private:
  void onDocumentChanged();
  /// Updates the session if the table has the plan's devices.
  void publish();
  struct Stored {
    ui::CostTablePtr table;  ///< null if there is none
    ui::CostFacts facts;
    workspace::PeakHistory peaks;
  };
  [[nodiscard]] static Stored storedFor(const plan::Experiment& experiment,
                                        const ui::CostTablePtr& known);

  ui::Session* m_session;
  std::string m_key;  ///< key of the stored table's model; "" before the first
  Stored m_stored;    ///< without a table if none is stored or read yet
  ui::LatestJob m_job;
};

}  // namespace stagelane::app
