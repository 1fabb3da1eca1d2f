#pragma once

/// The arithmetic of the operators (`precision`). bf16 is autocast, as PyTorch's
/// `torch.autocast(device, dtype=torch.bfloat16)`: parameters, gradients and optimizer stay
/// float32, and the operators on autocast's list cast their operands. TF32 affects matrix products
/// on GPUs only.

#include <c10/core/Device.h>

#include "engine/plan/experiment.h"

namespace stagelane::run {

/// Enables autocast in the calling thread while alive, if the precision requires it. A forward and
/// its loss run under it; a backward does not need it.
///
/// Casts of weights are not cached: a cached cast would accumulate the gradients of a weight's uses
/// in bfloat16, and they would depend on the stage boundaries.
class AutocastGuard {
 public:
  AutocastGuard(plan::Precision precision, c10::DeviceType device);
  ~AutocastGuard();
  AutocastGuard(const AutocastGuard&) = delete;
  AutocastGuard& operator=(const AutocastGuard&) = delete;

 private:
  c10::DeviceType m_device;
  bool m_before;
  bool m_keptBefore;
};

/// Allows or forbids TF32 products on GPUs (LibTorch's default allows them in convolutions), so
/// that fp32 means fp32. Process-wide. @thread before any worker starts
void setProcessPrecision(plan::Precision precision);

}  // namespace stagelane::run
