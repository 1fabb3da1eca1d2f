#include "ui/models/run_estimate.h"

#include <QMetaObject>
#include <memory>

#include "engine/plan/imagined.h"
#include "ui/models/background.h"
#include "ui/models/formatting.h"

namespace stagelane::ui {
namespace {

constexpr int kDelayMs = 150;

/// The turns that record operators or kernels, and the gradient check's reference and plan.
double extraSteps(const plan::Experiment& experiment) {
  const std::int64_t recorded = plan::recordedTurns(experiment) * experiment.data.batches;
  return static_cast<double>(recorded) + (experiment.verifyGradients ? 2.0 : 0.0);
}

QHash<QString, double> secondsOf(const plan::Experiment& experiment,
                                 const predict::CostTable* costs) {
  QHash<QString, double> seconds;
  const auto timed = static_cast<double>(experiment.repeat + experiment.warmup) *
                     static_cast<double>(experiment.data.batches);
  for (const plan::Variant& variant : experiment.variants) {
    auto step = predictStep(experiment, variant, {costs, {}});
    if (!step && costs != nullptr) {
      step = predictStep(experiment, variant);
    }
    if (step) {
      seconds.insert(qstring(variant.id),
                     static_cast<double>(step->stepNs) * 1e-9 * (timed + extraSteps(experiment)));
    }
  }
  return seconds;
}

}  // namespace

RunEstimate::RunEstimate(Session* session, QObject* parent) : QObject(parent), m_session(session) {
  m_pool.setMaxThreadCount(1);
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &RunEstimate::start);
  connect(session, &Session::documentChanged, this, [this] { m_delay.start(); });
  connect(session, &Session::costsChanged, this, [this] { m_delay.start(); });
  m_delay.start();
}

RunEstimate::~RunEstimate() { m_pool.waitForDone(); }

void RunEstimate::start() {
  const auto experiment = m_session->experiment();
  if (!experiment) {
    m_known = false;
    Q_EMIT changed();
    return;
  }
  if (m_session->document().planning()) {
    return;  // what is found is a change of its own
  }
  const std::uint64_t generation = m_session->document().generation();
  m_pool.start([this, experiment, generation, costs = m_session->costs()] {
    workBehindTheWindow();
    const auto seconds =
        std::make_shared<QHash<QString, double>>(secondsOf(*experiment, costs.get()));
    QMetaObject::invokeMethod(
        this,
        [this, seconds, generation] {
          if (generation == m_session->document().generation()) {
            m_seconds = *seconds;
            m_known = true;
            Q_EMIT changed();
          }
        },
        Qt::QueuedConnection);
  });
}

std::optional<double> RunEstimate::includedSeconds() const {
  const auto experiment = m_session->experiment();
  if (!m_known || !experiment) {
    return std::nullopt;
  }
  double sum = 0.0;
  for (const plan::Variant& variant : experiment->variants) {
    const bool runs = variant.include && !plan::imaginedDeviceOf(*experiment, variant);
    sum += runs ? m_seconds.value(qstring(variant.id)) : 0.0;
  }
  return sum;
}

std::optional<double> RunEstimate::tabSeconds(const QString& tabId) const {
  const VariantTab* tab = m_session->document().tab(tabId);
  const auto experiment = m_session->experiment();
  if (!m_known || tab == nullptr || !experiment) {
    return std::nullopt;
  }
  double sum = 0.0;
  for (const QString& id : tab->variantIds) {
    sum += m_seconds.value(id);
  }
  for (const plan::Variant& variant : experiment->variants) {
    sum += variant.implicit ? m_seconds.value(qstring(variant.id)) : 0.0;
  }
  return sum;
}

}  // namespace stagelane::ui
