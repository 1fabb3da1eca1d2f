#pragma once

/// Carries out a calibration: probes on the workers, rounds over the sizes, all workers at once for
/// contention, links. What is measured is decided by planCalibration, what it comes to by
/// costTable.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/run/detail/calibration_plan.h"
#include "engine/run/detail/calibration_samples.h"
#include "engine/run/detail/chain_probe.h"
#include "engine/run/detail/worker_pool.h"
#include "engine/run/engine.h"

namespace stagelane::run {

class Calibrator {
 public:
  /// Both references outlive it.
  Calibrator(const plan::Experiment& experiment, const CalibrationPorts& ports);
  ~Calibrator();
  Calibrator(const Calibrator&) = delete;
  Calibrator& operator=(const Calibrator&) = delete;

  /// Nothing when it was stopped. @errors DeviceMissing, OutOfMemory, EngineFailure, Invalid
  [[nodiscard]] Result<std::optional<predict::CostTable>> run();

 private:
  struct Bench {
    Worker* worker = nullptr;
    std::unique_ptr<ChainProbe> probe;
  };
  [[nodiscard]] Result<KindSamples> measureKind(const WorkerKind& kind, double budgetSeconds);
  [[nodiscard]] Status setUp(const WorkerKind& kind);
  [[nodiscard]] Status tearDown();
  [[nodiscard]] Result<double> secondsPerSample(std::int64_t samples);
  [[nodiscard]] Status firstRound(KindSamples& samples, Rounds& rounds);
  [[nodiscard]] Status oneRound(KindSamples& samples, const Rounds& rounds, int round);
  [[nodiscard]] Status measure(KindSamples& samples, std::int64_t size, BackwardKind kind);
  [[nodiscard]] Status contention(KindSamples& samples, std::size_t busy, bool warmUp);
  [[nodiscard]] Status losses(KindSamples& samples);
  [[nodiscard]] Result<std::vector<predict::LinkCost>> links(const CalibrationPlan& plan);
  /// The first workers, one for each range, visit at the same time.
  [[nodiscard]] Result<std::vector<ChainProbe::Visit>> visit(const std::vector<BlockRange>& ranges,
                                                             std::int64_t samples,
                                                             BackwardKind kind);
  [[nodiscard]] Status in(Bench& bench, const std::function<void(ChainProbe&)>& job);
  [[nodiscard]] std::vector<std::int64_t> fitting(const std::vector<std::int64_t>& samples) const;
  [[nodiscard]] Status tell(std::int64_t more);
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] std::size_t blocks() const { return m_experiment.model->blocks.size(); }

  const plan::Experiment& m_experiment;
  const CalibrationPorts& m_ports;
  WorkerPool m_pool;
  InitialValues m_values;
  Batch m_batch;
  std::vector<Bench> m_benches;  ///< of the kind being measured
  std::int64_t m_done = 0;       ///< samples that went through
  std::int64_t m_of = 0;
};

}  // namespace stagelane::run
