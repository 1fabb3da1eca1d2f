#pragma once

/// Keeps the session's costs and the errors of predicted memory peaks up to date with the
/// workspace's data on the experiment's model: when the document changes, after a run, and when the
/// window is activated. Reads files in another thread; measures nothing.

#include <QObject>
#include <QThreadPool>
#include <cstdint>
#include <string>

#include "engine/plan/experiment.h"
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
  ~CostLookup() override;

  /// True if no lookup is in progress.
  [[nodiscard]] bool settled() const { return m_outstanding == 0; }

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
  QThreadPool m_pool;
  std::string m_key;           ///< key of the stored table's model; "" before the first
  Stored m_stored;             ///< without a table if none is stored or read yet
  std::uint64_t m_lookup = 0;  ///< results of older lookups are dropped
  int m_outstanding = 0;
};

}  // namespace stagelane::app
