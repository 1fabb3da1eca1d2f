#pragma once

/// Points on a GPU's compute stream as CUDA events, and their time on the host's monotonic clock.
/// CUDA measures only the time between two events; a reference event with known host time converts
/// that into host time.

#include <c10/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAStream.h>

#include <memory>
#include <mutex>

#include "engine/run/device/backend.h"

namespace stagelane::run {

/// An event and the host's time when the device reached it.
struct CudaReference {
  c10::cuda::CUDAEvent event{cudaEventDefault};
  TimeNs hostNs = 0;
};

class CudaMarker final : public Marker {
 public:
  /// Records the current point of `stream`.
  CudaMarker(std::shared_ptr<const CudaReference> reference, const c10::cuda::CUDAStream& stream);
  [[nodiscard]] TimeNs timeNs() const override;
  void wait() const override;
  /// Work queued on `stream` from now on begins after this point. The streams may belong to
  /// different devices.
  void block(const c10::cuda::CUDAStream& stream) const;

 private:
  std::shared_ptr<const CudaReference> m_reference;
  mutable c10::cuda::CUDAEvent m_event{cudaEventDefault};  ///< its own methods are not const
};

/// Creates markers of one device. Elapsed times are floats in milliseconds, which are exact to 0.1
/// µs over a second but not over an hour, so the reference is renewed whenever the device is idle.
class CudaClock {
 public:
  /// @pre nothing is queued on `stream`
  void start(const c10::cuda::CUDAStream& stream);
  /// Renews the reference if it is old. @pre `stream` was just synchronized
  void renew(const c10::cuda::CUDAStream& stream);
  [[nodiscard]] std::shared_ptr<CudaMarker> mark(const c10::cuda::CUDAStream& stream) const;

 private:
  mutable std::mutex m_mutex;  ///< guards m_reference: renewed by one thread, used by others
  std::shared_ptr<const CudaReference> m_reference;
};

}  // namespace stagelane::run
