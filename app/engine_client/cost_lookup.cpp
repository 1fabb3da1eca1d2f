#include "app/engine_client/cost_lookup.h"

#include <QGuiApplication>
#include <memory>

#include "app/engine_client/cost_source.h"
#include "engine/plan/experiment.h"
#include "engine/workspace/calibration_store.h"
#include "engine/workspace/workspace.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/cost_facts.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

bool same(const predict::CostTable& a, const predict::CostTable& b) {
  return a.basis == b.basis && predict::toJson(a) == predict::toJson(b);
}

}  // namespace

/// Returns `known` if nothing has changed, to avoid new predictions. Ignores a damaged file; the
/// command line reports it.
CostLookup::Stored CostLookup::storedFor(const plan::Experiment& experiment,
                                         const ui::CostTablePtr& known) {
  Stored answer;
  answer.peaks = workspace::readPeakHistory(workspace::workspaceRoot(), experiment);
  const workspace::Machine here = machineFor(experiment);
  auto found = workspace::findCalibration(workspace::workspaceRoot(), experiment, here);
  if (!found || !*found) return answer;
  workspace::StoredCalibration& stored = **found;
  answer.facts = ui::factsOf(stored.table);
  answer.facts.file = stored.file;
  for (const std::string& difference : workspace::differences(stored.machine, here)) {
    answer.facts.differences.append(ui::qstring(difference));
  }
  answer.table = known && same(stored.table, *known)
                     ? known
                     : std::make_shared<const predict::CostTable>(std::move(stored.table));
  return answer;
}

CostLookup::CostLookup(ui::Session* session, QObject* parent)
    : QObject(parent), m_session(session) {
  connect(&session->document(), &ui::ExperimentDocument::changed, this,
          &CostLookup::onDocumentChanged);
  connect(&session->runState(), &ui::RunState::phaseChanged, this, [this] {
    if (m_session->runState().phase() == ui::RunPhase::Idle) lookAgain();
  });
  if (auto* program = qobject_cast<QGuiApplication*>(QCoreApplication::instance())) {
    connect(program, &QGuiApplication::applicationStateChanged, this,
            [this](Qt::ApplicationState state) {
              // A lookup queries the GPUs and would disturb a measurement.
              if (state == Qt::ApplicationActive && !m_session->runState().measuring()) lookAgain();
            });
  }
  onDocumentChanged();
}

void CostLookup::onDocumentChanged() {
  const auto experiment = m_session->document().experiment();
  if (!experiment) return;
  std::string key = workspace::calibrationKey(*experiment);
  if (key != m_key) {
    m_key = std::move(key);
    m_stored = {};
    lookAgain();
  }
  publish();
}

void CostLookup::lookAgain() {
  const auto experiment = m_session->document().experiment();
  if (!experiment) return;
  m_job.start([this, experiment, known = m_stored.table](const std::atomic<bool>&) {
    return [this, stored = storedFor(*experiment, known)] {
      m_stored = stored;
      publish();
    };
  });
}

void CostLookup::publish() {
  m_session->costs().setPeakHistory(m_stored.peaks);
  const auto experiment = m_session->document().experiment();
  if (!m_stored.table || !experiment) {
    m_session->costs().set(nullptr);
    return;
  }
  ui::CostFacts facts = m_stored.facts;
  facts.lacks = ui::qstring(workspace::lacks(*m_stored.table, *experiment));
  m_session->costs().set(facts.lacks.isEmpty() ? m_stored.table : nullptr, facts);
}

}  // namespace stagelane::app
