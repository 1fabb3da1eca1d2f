#include "ui/frame/run_estimate.h"

#include "engine/base/goes_on.h"
#include "engine/plan/experiment.h"
#include "engine/plan/imagined.h"
#include "ui/kit/background.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kDelayMs = 150;

/// The passes that record operators or kernels, and the gradient check's reference and plan.
double extraSteps(const plan::Experiment& experiment) {
  const std::int64_t recorded = plan::recordedTurns(experiment) * experiment.data.batches;
  return static_cast<double>(recorded) + (experiment.verifyGradients ? 2.0 : 0.0);
}

QHash<QString, double> secondsOf(const plan::Experiment& experiment,
                                 const predict::CostTable* costs, const GoesOn& goesOn) {
  QHash<QString, double> seconds;
  const auto timed = static_cast<double>(experiment.repeat + experiment.warmup) *
                     static_cast<double>(experiment.data.batches);
  for (const plan::Variant& variant : experiment.variants) {
    if (!isWanted(goesOn)) break;
    if (const auto step = predictStep(experiment, variant, orEstimated(costs, goesOn))) {
      seconds.insert(qstring(variant.id),
                     static_cast<double>(step->stepNs) * 1e-9 * (timed + extraSteps(experiment)));
    }
  }
  return seconds;
}

}  // namespace

RunEstimate::RunEstimate(Session* session, QObject* parent) : QObject(parent), m_session(session) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &RunEstimate::start);
  connect(&session->document(), &ExperimentDocument::changed, this, &RunEstimate::ask);
  connect(&session->costs(), &Costs::changed, this, &RunEstimate::ask);
  connect(&session->runState(), &RunState::measuringChanged, this, &RunEstimate::ask);
  ask();
}

/// Results for an older document are useless and delay the newer one.
void RunEstimate::ask() {
  m_job.cancel();
  m_delay.stop();
  if (!m_session->runState().measuring()) m_delay.start();
}

void RunEstimate::start() {
  const auto experiment = m_session->document().experiment();
  if (!experiment) {
    m_known = false;
    Q_EMIT changed();
    return;
  }
  if (m_session->document().planning()) {
    return;  // the search's result is a change of its own
  }
  m_job.start([this, experiment, costs = m_session->costs().table()](
                  const std::atomic<bool>& canceled) -> std::function<void()> {
    workBehindTheWindow();
    return
        [this, seconds = secondsOf(*experiment, costs.get(), [&canceled] { return !canceled; })] {
          m_seconds = seconds;
          m_known = true;
          Q_EMIT changed();
        };
  });
}

std::optional<double> RunEstimate::includedSeconds() const {
  const auto experiment = m_session->document().experiment();
  if (!m_known || !experiment) return std::nullopt;
  double sum = 0.0;
  for (const plan::Variant& variant : experiment->variants) {
    const bool runs = variant.include && !plan::imaginedDeviceOf(*experiment, variant);
    sum += runs ? m_seconds.value(qstring(variant.id)) : 0.0;
  }
  return sum;
}

std::optional<double> RunEstimate::tabSeconds(const QString& tabId) const {
  const VariantTab* tab = m_session->document().tab(tabId);
  const auto experiment = m_session->document().experiment();
  if (!m_known || tab == nullptr || !experiment) return std::nullopt;
  double sum = 0.0;
  for (const QString& id : tab->variantIds) sum += m_seconds.value(id);
  for (const plan::Variant& variant : experiment->variants) {
    sum += variant.implicit ? m_seconds.value(qstring(variant.id)) : 0.0;
  }
  return sum;
}

}  // namespace stagelane::ui
