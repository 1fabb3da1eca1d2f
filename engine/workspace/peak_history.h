#pragma once

/// Errors of past peak-memory predictions in this workspace's runs of one model: ratios of measured
/// to predicted peak per device and variant, by basis of the prediction and kind of device. They
/// determine the error bar of the next prediction.

#include <array>
#include <filesystem>

#include "engine/plan/device.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"

namespace stagelane::workspace {

/// Measured over predicted peaks.
struct PeakRatios {
  double low = 1.0;
  double high = 1.0;
  int devices = 0;  ///< number of compared peaks: one per device and variant
  int runs = 0;
  friend bool operator==(const PeakRatios&, const PeakRatios&) = default;
};

class PeakHistory {
 public:
  /// For estimates or measured costs; on CPU workers or GPUs.
  [[nodiscard]] const PeakRatios& of(predict::Basis basis, plan::DeviceKind kind) const {
    return m_ratios[place(basis, kind)];
  }
  [[nodiscard]] PeakRatios& of(predict::Basis basis, plan::DeviceKind kind) {
    return m_ratios[place(basis, kind)];
  }
  friend bool operator==(const PeakHistory&, const PeakHistory&) = default;

 private:
  [[nodiscard]] static std::size_t place(predict::Basis basis, plan::DeviceKind kind) {
    return (basis == predict::Basis::Estimate ? 0U : 2U) +
           (kind == plan::DeviceKind::CpuWorker ? 0U : 1U);
  }
  std::array<PeakRatios, 4> m_ratios;
};

/// From the newest runs of the workspace (twenty of the model, among at most two hundred) with the
/// experiment's model, input, dtype, precision, task and allocator. Skips damaged folders.
/// @thread any; reads files
[[nodiscard]] PeakHistory readPeakHistory(const std::filesystem::path& workspace,
                                          const plan::Experiment& experiment);

}  // namespace stagelane::workspace
