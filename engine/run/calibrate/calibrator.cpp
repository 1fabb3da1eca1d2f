#include "engine/run/calibrate/calibrator.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "engine/base/quantile.h"
#include "engine/run/calibrate/link_probe.h"
#include "engine/run/calibrate/process_link.h"
#include "engine/run/step/data.h"
#include "engine/run/step/precision.h"
#include "engine/run/step/step.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

// Share of the time for kinds other than the first.
constexpr double kShareOfOtherKinds = 0.3;

double secondsOf(TimeNs ns) { return static_cast<double>(ns) * 1e-9; }

Json originOf(const CalibrationPlan& plan, double seconds, const std::vector<KindSamples>& kinds) {
  std::vector<double> noise;
  std::size_t passes = 0;
  for (const KindSamples& kind : kinds) {
    for (const auto& [size, each] : kind.passes) {
      std::vector<double> times;
      for (const PassTimes& pass : each) {
        if (pass.kind == BackwardKind::Whole && !pass.accumulates) times.push_back(totalNs(pass));
      }
      noise.push_back(relativeSpread(times));
      passes += each.size();
    }
  }
  return {{"kinds", plan.kinds.size()},
          {"passes", passes},
          {"seconds", seconds},
          {"noise", quantile(noise, 0.5)},
          {"worst_noise", quantile(noise, 1.0)}};
}

}  // namespace

Calibrator::Calibrator(const plan::Experiment& experiment, const CalibrationPorts& ports)
    : m_experiment(experiment),
      m_pool(experiment),
      m_control(ports.stop, stallTimeoutNs(experiment)),
      m_shared{ports, {}, {}, 0, 0} {}

bool Calibrator::stopped() const { return m_control.canceled(); }

Result<KindSamples> Calibrator::measureKind(const WorkerKind& kind, double budgetSeconds) {
  std::vector<DeviceId> devices = kind.together;
  if (devices.empty()) devices.push_back(kind.device);
  STAGELANE_TRY(workers, m_pool.workers(devices, kind.threads));
  auto calibration = std::make_unique<KindCalibration>(m_experiment, m_shared, std::move(*workers));
  Result<KindSamples> samples = calibration->run(kind, budgetSeconds);
  // The abandoned thread still uses it.
  if (threadsLeft()) static_cast<void>(calibration.release());
  return samples;
}

/// All pairs of CPU workers are equivalent, so one pair is measured.
Result<std::vector<predict::LinkCost>> Calibrator::links(const CalibrationPlan& plan) {
  std::vector<predict::LinkCost> answer;
  std::optional<predict::LinkCost> shared;
  for (const auto& [from, to] : plan.links) {
    STAGELANE_TRY(workers, m_pool.workers({from, to}, m_experiment.threadsPerCpuWorker));
    const bool cpu = (*workers)[0]->backend().torchDevice().is_cpu() &&
                     (*workers)[1]->backend().torchDevice().is_cpu();
    if (cpu && shared) {
      answer.push_back({from, to, shared->latencyNs, 0.0});
      continue;
    }
    STAGELANE_TRY(link, measureLink(*(*workers)[0], *(*workers)[1], m_control));
    answer.push_back(*link);
    if (cpu) shared = *link;
  }
  return answer;
}

/// Predictions estimate it if it cannot be measured: without a loopback interface, for example.
Result<std::optional<predict::ProcessLink>> Calibrator::linkOfProcesses(
    const CalibrationPlan& plan) {
  const auto pair = std::find_if(plan.links.begin(), plan.links.end(), [](const auto& link) {
    return plan::isCpuWorker(link.first) && plan::isCpuWorker(link.second);
  });
  if (pair == plan.links.end()) return std::nullopt;
  STAGELANE_TRY(workers,
                m_pool.workers({pair->first, pair->second}, m_experiment.threadsPerCpuWorker));
  const auto link = measureProcessLink(*(*workers)[0], *(*workers)[1], m_control);
  return link ? std::optional(*link) : std::nullopt;
}

Result<std::optional<predict::CostTable>> Calibrator::run() {
  const TimeNs start = trace::monotonicNs();
  STAGELANE_TRY(plan, planCalibration(m_experiment, m_shared.ports.neighbors));
  const Status drawn = guarded("drawing initial values and data", [this]() -> Status {
    const at::ScalarType dtype = scalarType(m_experiment);
    m_shared.values = drawInitialValues(*m_experiment.model, m_experiment.data.seed, dtype);
    m_shared.batch = SyntheticData(m_experiment, dtype).next();
    return {};
  });
  STAGELANE_CHECK(drawn);
  const double others = plan->kinds.size() > 1 ? kShareOfOtherKinds : 0.0;
  std::vector<KindSamples> kinds;
  for (const WorkerKind& kind : plan->kinds) {
    const double share =
        kinds.empty() ? 1.0 - others : others / static_cast<double>(plan->kinds.size() - 1);
    auto samples = measureKind(kind, share * m_shared.ports.budgetSeconds);
    if (stopped()) return std::nullopt;
    STAGELANE_CHECK(samples);
    kinds.push_back(std::move(*samples));
  }
  STAGELANE_TRY(linkCosts, links(*plan));
  STAGELANE_TRY(processes, linkOfProcesses(*plan));
  if (stopped()) return std::nullopt;
  std::vector<std::string> names;
  for (const model::Block& block : m_experiment.model->blocks) names.push_back(block.name);
  predict::CostTable table = costTable(kinds, std::move(*linkCosts), names);
  if (*processes) table.processLinks.push_back(**processes);
  table.origin = originOf(*plan, secondsOf(trace::monotonicNs() - start), kinds);
  return table;
}

Result<std::optional<predict::CostTable>> calibrate(const plan::Experiment& experiment,
                                                    const CalibrationPorts& ports) {
  Result<std::optional<predict::CostTable>> table = std::nullopt;
  const Status status = guarded("calibrating", [&]() -> Status {
    setProcessPrecision(experiment.precision);
    auto calibrator = std::make_unique<Calibrator>(experiment, ports);
    table = calibrator->run();
    // The abandoned thread still uses everything that the calibration created.
    if (calibrator->threadsLeft()) static_cast<void>(calibrator.release());
    return {};
  });
  STAGELANE_CHECK(status);
  return table;
}

}  // namespace stagelane::run
