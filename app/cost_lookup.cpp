#include "app/cost_lookup.h"

#include <QGuiApplication>
#include <QMetaObject>
#include <memory>

#include "app/cost_source.h"
#include "engine/workspace/calibration_store.h"
#include "engine/workspace/workspace.h"

namespace stagelane::app {
namespace {

bool same(const predict::CostTable& a, const predict::CostTable& b) {
  return a.basis == b.basis && predict::toJson(a) == predict::toJson(b);
}

/// `known` again where nothing has changed, so that nothing is predicted again. A damaged file is
/// as good as none here; the command line says what is wrong with it.
ui::CostTablePtr storedFor(const plan::Experiment& experiment, const ui::CostTablePtr& known) {
  auto stored =
      workspace::findCalibration(workspace::workspaceRoot(), experiment, machineFor(experiment));
  if (known && stored && *stored && same((*stored)->table, *known)) {
    return known;
  }
  return stored && *stored ? std::make_shared<const predict::CostTable>(std::move((*stored)->table))
                           : nullptr;
}

}  // namespace

CostLookup::CostLookup(ui::Session* session, QObject* parent)
    : QObject(parent), m_session(session) {
  m_pool.setMaxThreadCount(1);
  connect(session, &ui::Session::documentChanged, this, &CostLookup::onDocumentChanged);
  connect(session, &ui::Session::runPhaseChanged, this, [this] {
    if (m_session->runPhase() == ui::RunPhase::Idle) {
      lookAgain();
    }
  });
  if (auto* program = qobject_cast<QGuiApplication*>(QCoreApplication::instance())) {
    connect(program, &QGuiApplication::applicationStateChanged, this,
            [this](Qt::ApplicationState state) {
              if (state == Qt::ApplicationActive) {
                lookAgain();
              }
            });
  }
  onDocumentChanged();
}

CostLookup::~CostLookup() { m_pool.waitForDone(); }

void CostLookup::onDocumentChanged() {
  const auto experiment = m_session->experiment();
  if (!experiment) {
    return;
  }
  std::string key = workspace::calibrationKey(*experiment);
  if (key != m_key) {
    m_key = std::move(key);
    m_stored.reset();
    lookAgain();
  }
  publish();
}

void CostLookup::lookAgain() {
  const auto experiment = m_session->experiment();
  if (!experiment) {
    return;
  }
  const std::uint64_t lookup = ++m_lookup;
  ++m_outstanding;
  m_pool.start([this, lookup, experiment, known = m_stored] {
    const ui::CostTablePtr table = storedFor(*experiment, known);
    QMetaObject::invokeMethod(
        this,
        [this, lookup, table] {
          --m_outstanding;
          if (lookup == m_lookup) {
            m_stored = table;
            publish();
          }
        },
        Qt::QueuedConnection);
  });
}

void CostLookup::publish() {
  const auto experiment = m_session->experiment();
  const bool enough = m_stored && experiment && workspace::covers(*m_stored, *experiment);
  m_session->setCosts(enough ? m_stored : nullptr);
}

}  // namespace stagelane::app
