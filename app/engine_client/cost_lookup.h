#pragma once

/// Keeps the session's costs, and how far predicted peaks of memory were off, up to date with what
/// the workspace has of the experiment's model: when the document changes, after a run, and when
/// the window comes to the front again. Reads files in another thread; measures nothing.

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
  /// Made before whatever predicts, so that costs of another model are gone before it asks.
  explicit CostLookup(ui::Session* session, QObject* parent = nullptr);

  /// Nothing is being looked up.
  [[nodiscard]] bool settled() const { return !m_job.running(); }

 public Q_SLOTS:
  /// Looks again, though the model is the same: something may have been measured meanwhile.
  void lookAgain();

 private:
  void onDocumentChanged();
  /// Tells the session, as far as the table has the plan's devices.
  void publish();
  struct Stored {
    ui::CostTablePtr table;  ///< null: none
    ui::CostFacts facts;
    workspace::PeakHistory peaks;
  };
  [[nodiscard]] static Stored storedFor(const plan::Experiment& experiment,
                                        const ui::CostTablePtr& known);

  ui::Session* m_session;
  std::string m_key;  ///< of what the stored table is for; "" before the first
  Stored m_stored;    ///< no table: none is stored, or not read yet
  ui::LatestJob m_job;
};

}  // namespace stagelane::app
