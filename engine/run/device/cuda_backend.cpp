#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randint.h>
#include <c10/core/AutogradState.h>
#include <c10/core/GradMode.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <map>
#include <optional>

#include "engine/run/device/allocator.h"
#include "engine/run/device/cpu_backend.h"
#include "engine/run/device/cuda_clock.h"
#include "engine/run/device/cuda_partition.h"
#include "engine/run/device/gpu_backend.h"
#include "engine/run/device/worker.h"

namespace stagelane::run {
namespace {

using c10::cuda::CUDAStream;

/// A tensor in page-locked host memory with the sizes and strides of `like`.
at::Tensor pinnedLike(const at::Tensor& like) {
  return at::empty_like(like, like.options().device(at::kCPU).pinned_memory(true));
}

/// Sizes for the check of a peer copy: small ones and one of several pages, none of them round.
constexpr std::int64_t kProbeBytes[] = {1, 4099, (std::int64_t{8} << 20) + 3};

/// A GPU or a partition of one: a compute stream that is current in the worker's thread, and copy
/// streams of the GPU, so that boundary tensors move while the next micro-batch computes.
class CudaBackend final : public Backend {
 public:
  CudaBackend(c10::DeviceIndex device, CUDAStream compute, std::optional<CudaPartition> partition,
              int partitions)
      : m_device(device),
        m_partition(partition),
        m_partitions(partitions),
        m_compute(compute),
        m_copyOut(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device)),
        m_copyIn(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device)) {
    m_clock.start(m_compute);
  }

  [[nodiscard]] at::Device torchDevice() const override { return {at::kCUDA, m_device}; }

  void enterThread() override {
    c10::cuda::set_device(m_device);
    c10::cuda::setCurrentCUDAStream(m_compute);
    c10::GradMode::set_enabled(true);
    // Otherwise all workers of a GPU would share one backward thread, which would serialize the
    // partitions.
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
    setAllocationOwner(0);
  }
  void leaveThread() override {
    synchronize();
    c10::cuda::setCurrentCUDAStream(c10::cuda::getDefaultCUDAStream(m_device));
  }

  [[nodiscard]] std::shared_ptr<Marker> mark() override { return m_clock.mark(m_compute); }

  void synchronize() override {
    const c10::cuda::CUDAGuard onDevice(m_device);
    m_compute.synchronize();
    m_copyOut.synchronize();
    m_copyIn.synchronize();
    m_clock.renew(m_compute);
  }

  [[nodiscard]] Parcel send(const at::Tensor& tensor, Backend& receiver) override {
    Parcel parcel;
    parcel.tensor = tensor.detach();
    const auto ready = m_clock.mark(m_compute);
    parcel.sendStart = ready;
    auto* const gpu = dynamic_cast<CudaBackend*>(&receiver);
    if (gpu == nullptr) {
      sendToHost(parcel, *ready);
    } else if (gpu->m_device == m_device) {
      parcel.arrived = ready;
    } else if (staged(*gpu)) {
      sendThroughHost(parcel, *ready, *gpu);
    } else {
      sendToPeer(parcel, *ready, *gpu);
    }
    return parcel;
  }

  [[nodiscard]] at::Tensor receive(Parcel& parcel) override {
    at::Tensor tensor = std::move(parcel.tensor);
    if (tensor.is_cpu()) {
      parcel.arrived->wait();
      tensor = tensor.to(torchDevice());
      parcel.arrived = mark();
    } else {
      dynamic_cast<const CudaMarker&>(*parcel.arrived).block(m_compute);
      tensor.record_stream(m_compute.unwrap());
    }
    parcel.keepAlive.reset();
    return tensor;
  }

  [[nodiscard]] std::string prepareTransfer(Backend& receiver) override {
    auto* const gpu = dynamic_cast<CudaBackend*>(&receiver);
    if (gpu == nullptr || gpu->m_device == m_device) return {};
    const bool works = peerCopyWorks(*gpu);
    m_staged[gpu->m_device] = !works;
    if (works) return {};
    return "copies from cuda:" + std::to_string(m_device) +
           " to cuda:" + std::to_string(gpu->m_device) +
           " corrupt the data; using host memory instead, which is slower";
  }

  [[nodiscard]] std::string remark() const override {
    if (!m_partition) return {};
    return "a partition of cuda:" + std::to_string(m_device) + ": " +
           std::to_string(m_partition->smsAsked) + " SMs requested, " +
           std::to_string(m_partition->smsGot) +
           " assigned; memory, L2 cache and copy engines are shared with the other partitions";
  }

  [[nodiscard]] Bytes peakBytes() const override {
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(m_device);
    return stats.allocated_bytes[kAllPools].peak;
  }
  void resetPeakBytes() override { c10::cuda::CUDACachingAllocator::resetPeakStats(m_device); }
  [[nodiscard]] Bytes liveBytes() const override {
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(m_device);
    return stats.allocated_bytes[kAllPools].current;
  }

  /// The allocator has limits per GPU, not per partition, so the partitions of a GPU share the sum.
  void setMemoryLimit(Bytes limit) override {
    std::size_t free = 0;
    std::size_t total = 0;
    const c10::cuda::CUDAGuard onDevice(m_device);
    C10_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    const double wanted = static_cast<double>(limit) * m_partitions;
    const double fraction =
        limit <= 0 ? 1.0
                   : std::min(1.0, wanted / static_cast<double>(std::max<std::size_t>(total, 1)));
    c10::cuda::CUDACachingAllocator::setMemoryFraction(fraction, m_device);
  }

 private:
  static constexpr std::size_t kAllPools =
      static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);

  [[nodiscard]] bool staged(const CudaBackend& receiver) const {
    const auto found = m_staged.find(receiver.m_device);
    return found != m_staged.end() && found->second;
  }

  /// Copies to page-locked memory; a CPU worker waits for `arrived`.
  void sendToHost(Parcel& parcel, const CudaMarker& ready) {
    ready.block(m_copyOut);
    const c10::cuda::CUDAStreamGuard onCopyStream(m_copyOut);
    at::Tensor host = pinnedLike(parcel.tensor);
    host.copy_(parcel.tensor, /*non_blocking=*/true);
    parcel.tensor.record_stream(m_copyOut.unwrap());
    parcel.arrived = m_clock.mark(m_copyOut);
    parcel.tensor = std::move(host);
  }

  /// GPU to GPU: LibTorch copies on the source's current stream and synchronizes it with the
  /// target's current stream; here these are the two copy streams.
  void sendToPeer(Parcel& parcel, const CudaMarker& ready, CudaBackend& receiver) {
    ready.block(m_copyOut);
    const c10::cuda::CUDAMultiStreamGuard onCopyStreams({receiver.m_copyIn, m_copyOut});
    const c10::cuda::CUDAGuard onDevice(m_device);
    at::Tensor arrived = parcel.tensor.to(receiver.torchDevice(), /*non_blocking=*/true);
    parcel.tensor.record_stream(m_copyOut.unwrap());
    parcel.arrived = m_clock.mark(m_copyOut);
    parcel.tensor = std::move(arrived);
  }

  /// GPU to page-locked memory to GPU, for pairs whose direct copies are broken.
  void sendThroughHost(Parcel& parcel, const CudaMarker& ready, CudaBackend& receiver) {
    sendToHost(parcel, ready);
    const auto onHost = std::dynamic_pointer_cast<CudaMarker>(parcel.arrived);
    onHost->block(receiver.m_copyIn);
    const c10::cuda::CUDAStreamGuard onCopyStream(receiver.m_copyIn);
    at::Tensor arrived = parcel.tensor.to(receiver.torchDevice(), /*non_blocking=*/true);
    parcel.keepAlive = std::make_shared<at::Tensor>(parcel.tensor);
    parcel.arrived = receiver.m_clock.mark(receiver.m_copyIn);
    parcel.tensor = std::move(arrived);
  }

  /// Sends probes like a step and compares the result. Some machines (wrong IOMMU settings)
  /// silently corrupt copies between GPUs.
  [[nodiscard]] bool peerCopyWorks(CudaBackend& receiver) {
    const c10::AutoGradMode noGrad(false);
    for (const std::int64_t size : kProbeBytes) {
      const at::Tensor probe = at::randint(0, 256, {size}, at::kByte);
      Parcel parcel;
      {
        const c10::cuda::CUDAStreamGuard onStream(m_compute);
        parcel.tensor = probe.to(torchDevice());
        const auto ready = m_clock.mark(m_compute);
        sendToPeer(parcel, *ready, receiver);
      }
      parcel.arrived->wait();
      receiver.synchronize();
      if (!at::equal(parcel.tensor.to(at::kCPU), probe)) return false;
    }
    return true;
  }

  c10::DeviceIndex m_device;
  std::optional<CudaPartition> m_partition;
  int m_partitions;
  CUDAStream m_compute;
  CUDAStream m_copyOut;
  CUDAStream m_copyIn;
  CudaClock m_clock;
  std::map<c10::DeviceIndex, bool> m_staged;  ///< written while no worker works
};

Result<std::unique_ptr<Backend>> openGpu(const plan::ParsedDevice& device) {
  const auto index = static_cast<c10::DeviceIndex>(device.index);
  at::globalContext().lazyInitDevice(at::kCUDA);
  const c10::cuda::CUDAGuard onDevice(index);
  // Any call that needs the device creates its primary context, of which partitions are parts.
  C10_CUDA_CHECK(cudaFree(nullptr));
  if (device.kind != plan::DeviceKind::GpuPartition) {
    return std::make_unique<CudaBackend>(
        index, c10::cuda::getStreamFromPool(/*isHighPriority=*/false, index), std::nullopt, 1);
  }
  STAGELANE_TRY(partition, cudaPartition(device));
  return std::make_unique<CudaBackend>(index,
                                       c10::cuda::getStreamFromExternal(partition->stream, index),
                                       *partition, device.partitions);
}

}  // namespace

Result<std::unique_ptr<Backend>> makeGpuBackend(const DeviceId& id,
                                                const plan::ParsedDevice& device) {
  const std::string reason = whyNoGpus();
  const std::string hint = "use CPU workers (cpu:0, cpu:1, ...), or see 'stagelane devices'";
  if (!reason.empty()) {
    return fail(ErrorCode::DeviceMissing, "device '" + id.value + "' is not usable: " + reason,
                "devices", hint);
  }
  if (device.index >= usableGpus()) {
    return fail(ErrorCode::DeviceMissing,
                "device '" + id.value + "' is not on this machine, which has " +
                    std::to_string(usableGpus()) + " GPU(s)",
                "devices", hint);
  }
  std::unique_ptr<Backend> backend;
  const Status status = guarded("opening " + id.value, [&]() -> Status {
    STAGELANE_TRY(opened, openGpu(device));
    backend = std::move(*opened);
    return {};
  });
  STAGELANE_CHECK(status);
  return backend;
}

}  // namespace stagelane::run
