#pragma once

/// Measures one kind of worker: a probe on each worker of the kind, rounds over the micro-batch
/// sizes one at a time, and all workers at once for contention. calibration_samples evaluates the
/// samples.

#include <functional>
#include <future>
#include <memory>
#include <vector>

#include "engine/run/calibrate/calibration_plan.h"
#include "engine/run/calibrate/calibration_samples.h"
#include "engine/run/calibrate/chain_probe.h"
#include "engine/run/device/worker.h"
#include "engine/run/engine.h"
#include "engine/run/step/run_control.h"

namespace stagelane::run {

/// State shared by all kinds of a calibration.
struct SharedCalibration {
  const CalibrationPorts& ports;
  InitialValues values;
  Batch batch;
  std::int64_t done = 0;  ///< processed samples
  std::int64_t of = 0;
};

class KindCalibration {
 public:
  /// The references outlive it. `workers` are those that a variant uses at once, at least one.
  KindCalibration(const plan::Experiment& experiment, SharedCalibration& shared,
                  std::vector<Worker*> workers);
  ~KindCalibration();
  KindCalibration(const KindCalibration&) = delete;
  KindCalibration& operator=(const KindCalibration&) = delete;

  /// The samples collected until it was stopped. If it abandoned a worker, this object must not be
  /// destroyed. @errors OutOfMemory, EngineFailure, and errors of the progress port.
  /// @thread any but the workers'; blocks
  [[nodiscard]] Result<KindSamples> run(const WorkerKind& kind, double budgetSeconds);

 private:
  struct Bench {
    Worker* worker = nullptr;
    std::shared_ptr<ChainProbe> probe;
  };
  [[nodiscard]] Status setUp();
  [[nodiscard]] Status tearDown();
  [[nodiscard]] Result<Rounds> planRounds(KindSamples& samples, double budgetSeconds);
  [[nodiscard]] Result<double> secondsOfVisit(std::int64_t samples);
  [[nodiscard]] Result<VisitCost> probeCost(std::int64_t smallest, std::int64_t largest);
  [[nodiscard]] Status firstRound(KindSamples& samples, Rounds& rounds);
  [[nodiscard]] Status oneRound(KindSamples& samples, const Rounds& rounds, int round);
  [[nodiscard]] Status measure(KindSamples& samples, std::int64_t size, BackwardKind kind);
  [[nodiscard]] Status contention(KindSamples& samples, std::size_t busy, bool warmUp);
  [[nodiscard]] Status losses(KindSamples& samples);
  [[nodiscard]] Status sums(KindSamples& samples);
  [[nodiscard]] Result<double> secondsOfCopies(Bytes bytes);
  /// The first workers, one for each range, run a visit at the same time.
  [[nodiscard]] Result<std::vector<ChainProbe::Visit>> visit(const std::vector<BlockRange>& ranges,
                                                             std::int64_t samples,
                                                             BackwardKind kind);
  [[nodiscard]] Status await(std::future<Status>& job, Worker& worker) const;
  [[nodiscard]] Status in(Bench& bench, std::function<void(ChainProbe&)> job);
  [[nodiscard]] std::vector<std::int64_t> fitting(const std::vector<std::int64_t>& samples) const;
  [[nodiscard]] Status tell(std::int64_t more);
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] std::size_t blocks() const { return m_experiment.model->blocks.size(); }
  /// Whether split backwards are measured: only if a plan may have more than one stage.
  [[nodiscard]] bool splits() const { return m_workers.size() > 1 && blocks() > 1; }

  const plan::Experiment& m_experiment;
  SharedCalibration& m_shared;
  RunControl m_control;
  std::vector<Worker*> m_workers;
  std::vector<Bench> m_benches;  ///< parallel to m_workers
};

}  // namespace stagelane::run
