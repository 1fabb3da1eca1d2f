#pragma once

/// The workers of a run: one persistent thread for each (device, threads) that a variant uses,
/// created on first use and kept until the run ends, so that no step starts a thread.

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/run/device/worker.h"

namespace stagelane::run {

/// Threads of a variant's CPU workers: its own setting, else the experiment's.
[[nodiscard]] int threadsOf(const plan::Experiment& experiment, const plan::Variant& variant);

class WorkerPool {
 public:
  /// `experiment` outlives the pool.
  explicit WorkerPool(const plan::Experiment& experiment) : m_experiment(experiment) {}
  /// Ends the threads and removes the limits: an owner's accounts outlive its worker.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// The worker of a device with this thread count; its memory limit is the experiment's for the
  /// device. @errors DeviceMissing, Invalid
  [[nodiscard]] Result<Worker*> worker(const DeviceId& device, int threads);
  /// A CPU worker that has the name of a device of another process, whatever its kind.
  /// @errors DeviceMissing
  [[nodiscard]] Result<Worker*> standIn(const DeviceId& device);
  /// Of several devices, in order.
  [[nodiscard]] Result<std::vector<Worker*>> workers(const std::vector<DeviceId>& devices,
                                                     int threads);
  /// Whether a worker's thread was abandoned (Worker::abandon).
  [[nodiscard]] bool anyAbandoned() const;

 private:
  const plan::Experiment& m_experiment;
  std::map<std::pair<std::string, int>, std::unique_ptr<Worker>> m_workers;
};

}  // namespace stagelane::run
