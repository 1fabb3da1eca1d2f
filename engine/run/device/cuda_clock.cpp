#include "engine/run/device/cuda_clock.h"

#include <c10/cuda/CUDAGuard.h>

#include <cmath>

#include "engine/run/device/cpu_backend.h"

namespace stagelane::run {
namespace {

constexpr TimeNs kOldNs = 1'000'000'000;
constexpr int kTries = 5;

/// The event is between two readings of the host's clock; of several tries, uses the closest pair.
std::shared_ptr<const CudaReference> takeReference(const c10::cuda::CUDAStream& stream) {
  const c10::cuda::CUDAGuard onDevice(stream.device_index());
  std::shared_ptr<CudaReference> best;
  TimeNs bestWidth = 0;
  for (int i = 0; i < kTries; ++i) {
    auto reference = std::make_shared<CudaReference>();
    const TimeNs before = monotonicNs();
    reference->event.record(stream);
    reference->event.synchronize();
    const TimeNs width = monotonicNs() - before;
    reference->hostNs = before + width / 2;
    if (best == nullptr || width < bestWidth) {
      best = std::move(reference);
      bestWidth = width;
    }
  }
  return best;
}

}  // namespace

CudaMarker::CudaMarker(std::shared_ptr<const CudaReference> reference,
                       const c10::cuda::CUDAStream& stream)
    : m_reference(std::move(reference)) {
  m_event.record(stream);
}

TimeNs CudaMarker::timeNs() const {
  const float milliseconds = m_reference->event.elapsed_time(m_event);
  return m_reference->hostNs +
         static_cast<TimeNs>(std::llround(static_cast<double>(milliseconds) * 1e6));
}

void CudaMarker::wait() const { m_event.synchronize(); }

void CudaMarker::block(const c10::cuda::CUDAStream& stream) const { m_event.block(stream); }

void CudaClock::start(const c10::cuda::CUDAStream& stream) {
  auto reference = takeReference(stream);
  const std::lock_guard<std::mutex> lock(m_mutex);
  m_reference = std::move(reference);
}

void CudaClock::renew(const c10::cuda::CUDAStream& stream) {
  {
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_reference != nullptr && monotonicNs() - m_reference->hostNs < kOldNs) return;
  }
  start(stream);
}

std::shared_ptr<CudaMarker> CudaClock::mark(const c10::cuda::CUDAStream& stream) const {
  std::shared_ptr<const CudaReference> reference;
  {
    const std::lock_guard<std::mutex> lock(m_mutex);
    reference = m_reference;
  }
  return std::make_shared<CudaMarker>(std::move(reference), stream);
}

}  // namespace stagelane::run
