#pragma once

/// What the operators compute in (`precision`). bf16 is autocast, as PyTorch's
/// `torch.autocast(device, dtype=torch.bfloat16)`: parameters, gradients and optimizer stay
/// float32, and the operators on autocast's list cast their operands. TF32 is a way of multiplying
/// that GPUs have.

#include <c10/core/Device.h>

#include "engine/plan/experiment.h"

namespace stagelane::run {

/// Autocast in the calling thread while it lives, where the precision asks for it. A forward and
/// its loss run under it, a backward does not need it.
///
/// Casts of weights are not kept between their uses: a kept one would add up the gradients of a
/// weight's uses in bfloat16, and would make them depend on where stages are cut.
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

/// Allows TF32 products on GPUs, or forbids them (LibTorch's own default allows them in
/// convolutions): fp32 means fp32. For the whole process. @thread before any worker works
void setProcessPrecision(plan::Precision precision);

}  // namespace stagelane::run
