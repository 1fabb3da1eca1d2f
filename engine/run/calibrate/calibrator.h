#pragma once

/// Runs a calibration: one kind of worker after another, then the links. planCalibration decides
/// what to measure, and costTable computes the result.

#include <optional>
#include <vector>

#include "engine/run/calibrate/kind_calibration.h"
#include "engine/run/device/worker_pool.h"

namespace stagelane::run {

class Calibrator {
 public:
  /// Both references outlive it.
  Calibrator(const plan::Experiment& experiment, const CalibrationPorts& ports);

  /// Empty if it was stopped. @errors DeviceMissing, OutOfMemory, EngineFailure, Invalid
  [[nodiscard]] Result<std::optional<predict::CostTable>> run();
  /// A worker's thread was abandoned: this object must not be destroyed.
  [[nodiscard]] bool threadsLeft() const { return m_pool.anyAbandoned(); }

 private:
  [[nodiscard]] Result<KindSamples> measureKind(const WorkerKind& kind, double budgetSeconds);
  [[nodiscard]] Result<std::vector<predict::LinkCost>> links(const CalibrationPlan& plan);
  /// Between CPU workers in any two processes of this host; empty if it cannot be measured.
  [[nodiscard]] Result<std::optional<predict::ProcessLink>> linkOfProcesses(
      const CalibrationPlan& plan);
  [[nodiscard]] bool stopped() const;

  const plan::Experiment& m_experiment;
  WorkerPool m_pool;
  RunControl m_control;
  SharedCalibration m_shared;
};

}  // namespace stagelane::run
