#include "engine/run/step/precision.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>

namespace stagelane::run {

AutocastGuard::AutocastGuard(plan::Precision precision, c10::DeviceType device)
    : m_device(device),
      m_before(at::autocast::is_autocast_enabled(device)),
      m_keptBefore(at::autocast::is_autocast_cache_enabled()) {
  const bool wanted = precision == plan::Precision::Bf16;
  at::autocast::set_autocast_enabled(device, wanted);
  at::autocast::set_autocast_cache_enabled(false);
  if (wanted) at::autocast::set_autocast_dtype(device, at::kBFloat16);
}

AutocastGuard::~AutocastGuard() {
  at::autocast::set_autocast_enabled(m_device, m_before);
  at::autocast::set_autocast_cache_enabled(m_keptBefore);
}

void setProcessPrecision(plan::Precision precision) {
  const bool tf32 = precision == plan::Precision::Tf32;
  at::globalContext().setAllowTF32CuBLAS(tf32);
  at::globalContext().setAllowTF32CuDNN(tf32);
}

}  // namespace stagelane::run
