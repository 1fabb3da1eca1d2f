#include "engine/run/device/accelerator_backend.h"

#include <ATen/Context.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randint.h>
#include <c10/core/AutogradState.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/GradMode.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/run/device/allocator.h"
#include "engine/run/device/cpu_backend.h"
#include "engine/run/device/event_clock.h"
#include "engine/run/device/gpu_platform.h"
#include "engine/run/device/held_tensors.h"
#include "engine/run/device/shared_limits.h"
#include "engine/run/device/worker.h"

namespace stagelane::run {
namespace {

/// A tensor in page-locked host memory with the sizes and strides of `like`.
at::Tensor pinnedLike(const at::Tensor& like) {
  return at::empty_like(like, like.options().device(at::kCPU).pinned_memory(true));
}

/// Sizes for the check of a peer copy: small ones and one of several pages, none of them round.
constexpr std::int64_t kProbeBytes[] = {1, 4099, (std::int64_t{1} << 20) + 3};

/// The limits of each GPU's partitions. Global, because LibTorch's allocators are.
struct LimitsOfGpus {
  std::mutex mutex;  ///< guards ofGpu
  std::map<int, SharedLimits> ofGpu;
};
LimitsOfGpus& limits() {
  static auto* const kLimits = new LimitsOfGpus();
  return *kLimits;
}

/// A device as the experiment names it, and its partition if it is one.
struct OpenedDevice {
  c10::Device device;
  c10::Stream compute;
  std::optional<GpuPartition> partition;
  int number = 0;  ///< of the partition, 0 for a whole GPU
  int parts = 1;
};

/// A GPU or a partition of one: a compute stream that is current in the worker's thread, and copy
/// streams of the GPU, so that boundary tensors move while the next micro-batch computes.
class AcceleratorBackend final : public Backend {
 public:
  AcceleratorBackend(GpuPlatform& platform, const OpenedDevice& opened)
      : m_platform(platform),
        m_guard(opened.device.type()),
        m_opened(opened),
        m_device(opened.device),
        m_compute(opened.compute),
        m_copyOut(m_guard.getStreamFromGlobalPool(m_device)),
        m_copyIn(m_guard.getStreamFromGlobalPool(m_device)),
        m_copyClock(std::make_shared<EventClock>(c10Events(m_device.type()))),
        m_clock(hasOwnEvents() ? std::make_shared<EventClock>(m_opened.partition->events)
                               : m_copyClock) {
    m_clock->start(m_compute);
    if (hasOwnEvents()) m_copyClock->start(m_copyOut);
    const std::lock_guard<std::mutex> lock(limits().mutex);
    limits().ofGpu[m_device.index()].open(m_opened.number);
  }
  ~AcceleratorBackend() override {
    const std::lock_guard<std::mutex> lock(limits().mutex);
    limits().ofGpu[m_device.index()].close(m_opened.number);
  }
  AcceleratorBackend(const AcceleratorBackend&) = delete;
  AcceleratorBackend& operator=(const AcceleratorBackend&) = delete;

  [[nodiscard]] at::Device torchDevice() const override { return m_device; }

  void enterThread() override {
    m_guard.setDevice(m_device);
    m_guard.exchangeStream(m_compute);
    c10::GradMode::set_enabled(true);
    // Otherwise all workers of a GPU would share one backward thread, which would serialize the
    // partitions.
    c10::AutogradState::get_tls_state().set_multithreading_enabled(false);
    setAllocationOwner(0);
  }
  void leaveThread() override {
    synchronize();
    m_guard.exchangeStream(m_guard.getDefaultStream(m_device));
  }

  [[nodiscard]] std::shared_ptr<Marker> mark() override { return m_clock->mark(m_compute); }

  void synchronize() override {
    const c10::DeviceGuard onDevice(m_device);
    m_compute.synchronize();
    m_copyOut.synchronize();
    m_copyIn.synchronize();
    m_held.releaseReached();
    m_clock->renew(m_compute);
    if (hasOwnEvents()) m_copyClock->renew(m_copyOut);
  }

  [[nodiscard]] Parcel send(const at::Tensor& tensor, Backend& receiver) override {
    Parcel parcel;
    parcel.tensor = tensor.detach();
    const auto ready = m_clock->mark(m_compute);
    parcel.sendStart = ready;
    auto* const gpu = dynamic_cast<AcceleratorBackend*>(&receiver);
    if (gpu != nullptr && gpu->m_device == m_device) {
      parcel.arrived = ready;
      return parcel;
    }
    leaveOutRepeats(parcel);
    if (gpu == nullptr) {
      sendToHost(parcel, *ready);
    } else if (staged(*gpu)) {
      sendThroughHost(parcel, *ready, *gpu);
    } else {
      sendToPeer(parcel, *ready, *gpu);
    }
    return parcel;
  }

  [[nodiscard]] at::Tensor receive(Parcel& parcel, const StopCheck& stopped) override {
    if (parcel.tensor.is_cpu()) {
      if (!parcel.arrived->wait(stopped)) return {};
      takeFromHost(parcel);
    }
    markerOf(parcel).block(m_compute);
    if (hasOwnEvents()) {
      copyOnCompute(parcel);
    } else {
      parcel.tensor.record_stream(m_compute);
    }
    parcel.keepAlive.reset();
    return unpacked(parcel);
  }

  [[nodiscard]] std::optional<std::string> prepareTransfer(Backend& receiver,
                                                           const StopCheck& stopped) override {
    auto* const gpu = dynamic_cast<AcceleratorBackend*>(&receiver);
    if (gpu == nullptr || gpu->m_device == m_device) return std::string();
    if (m_staged.count(gpu->m_device.index()) == 0) {
      const std::optional<bool> works = peerCopyWorks(*gpu, stopped);
      if (!works) return std::nullopt;
      m_staged[gpu->m_device.index()] = !*works;
    }
    if (!staged(*gpu)) return std::string();
    return "copies from cuda:" + std::to_string(m_device.index()) +
           " to cuda:" + std::to_string(gpu->m_device.index()) +
           " corrupt the data; using host memory instead, which is slower";
  }

  [[nodiscard]] std::string remark() const override {
    if (!m_opened.partition) return {};
    return "a partition of cuda:" + std::to_string(m_device.index()) + ": " +
           std::to_string(m_opened.partition->smsAsked) + " SMs requested, " +
           std::to_string(m_opened.partition->smsGot) +
           " assigned; memory, L2 cache and copy engines are shared with the other partitions: "
           "peak memory is that of the whole GPU, and max_memory limits the sum of the partitions "
           "(one without a limit counts as its equal share); times are from events of the " +
           (hasOwnEvents() ? "partition's own context, because those of the GPU do not work on it"
                           : "GPU's context");
  }

  [[nodiscard]] Bytes peakBytes() const override { return stats().active_bytes[kAllPools].peak; }
  void resetPeakBytes() override { allocator().resetPeakStats(m_device.index()); }
  [[nodiscard]] Bytes liveBytes() const override {
    return stats().allocated_bytes[kAllPools].current;
  }

  [[nodiscard]] Bytes memoryBytes() const override {
    return static_cast<Bytes>(allocator().getMemoryInfo(m_device.index()).second);
  }
  void releaseCache() override {
    const c10::DeviceGuard onDevice(m_device);
    allocator().emptyCache();
  }
  [[nodiscard]] Bytes fetchedFromDevice() const override {
    return stats().reserved_bytes[kAllPools].allocated;
  }
  void setMemoryLimit(Bytes limit) override {
    const Bytes total = memoryBytes();
    const std::lock_guard<std::mutex> lock(limits().mutex);
    SharedLimits& shared = limits().ofGpu[m_device.index()];
    shared.set(m_opened.number, limit);
    m_platform.setMemoryLimit(m_device.index(), shared.ofGpu(total, m_opened.parts));
  }

 private:
  static constexpr std::size_t kAllPools =
      static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);

  [[nodiscard]] c10::DeviceAllocator& allocator() const {
    return *c10::getDeviceAllocator(m_device.type());
  }
  [[nodiscard]] c10::CachingDeviceAllocator::DeviceStats stats() const {
    return allocator().getDeviceStats(m_device.index());
  }

  /// LibTorch's events do not work on the compute stream, neither for times nor for the caching
  /// allocator (`record_stream`).
  [[nodiscard]] bool hasOwnEvents() const {
    return m_opened.partition.has_value() && m_opened.partition->events != nullptr;
  }

  /// The arrival of a tensor that an accelerator moves.
  static const EventMarker& markerOf(const Parcel& parcel) {
    return dynamic_cast<const EventMarker&>(*parcel.arrived);
  }

  [[nodiscard]] bool staged(const AcceleratorBackend& receiver) const {
    const auto found = m_staged.find(receiver.m_device.index());
    return found != m_staged.end() && found->second;
  }

  /// The stream for outgoing copies waits for the data.
  void beginCopyOut(Parcel& parcel, const EventMarker& ready) {
    ready.block(m_copyOut);
    // The begin and the end of a transfer need one clock.
    if (hasOwnEvents()) parcel.sendStart = m_copyClock->mark(m_copyOut);
  }

  /// A copy in memory of the compute stream, which needs no mark of its use. The original stays
  /// until the copy is made.
  void copyOnCompute(Parcel& parcel) {
    leaveOutRepeats(parcel);
    const auto begin = m_clock->mark(m_compute);
    at::Tensor copy = parcel.tensor.clone();
    const auto end = m_clock->mark(m_compute);
    m_held.releaseReached();
    m_held.hold(std::exchange(parcel.tensor, std::move(copy)), end);
    if (parcel.arrived == parcel.sendStart) {
      // Within one GPU, this is the only copy.
      parcel.sendStart = begin;
      parcel.arrived = end;
    }
  }

  /// Copies to page-locked memory; a CPU worker waits for `arrived`.
  void sendToHost(Parcel& parcel, const EventMarker& ready) {
    beginCopyOut(parcel, ready);
    const c10::StreamGuard onCopyStream(m_copyOut);
    at::Tensor host = pinnedLike(parcel.tensor);
    host.copy_(parcel.tensor, /*non_blocking=*/true);
    parcel.tensor.record_stream(m_copyOut);
    parcel.arrived = m_copyClock->mark(m_copyOut);
    parcel.tensor = std::move(host);
  }

  /// Receiver's thread. The copy is made from page-locked memory, because this thread would have to
  /// wait for a copy from other memory. It runs on a copy stream, beside earlier computations.
  void takeFromHost(Parcel& parcel) {
    at::Tensor host = parcel.tensor;
    if (!host.is_pinned()) {
      host = pinnedLike(parcel.tensor);
      host.copy_(parcel.tensor);
    }
    const c10::StreamGuard onCopyStream(m_copyIn);
    parcel.tensor = host.to(m_device, /*non_blocking=*/true);
    const auto arrived = m_copyClock->mark(m_copyIn);
    if (auto* const late = dynamic_cast<ArrivalMarker*>(parcel.arrived.get())) late->set(arrived);
    parcel.arrived = arrived;
  }

  /// GPU to GPU: LibTorch copies on the source's current stream and synchronizes it with the
  /// target's current stream; here these are the two copy streams.
  void sendToPeer(Parcel& parcel, const EventMarker& ready, AcceleratorBackend& receiver) {
    beginCopyOut(parcel, ready);
    const c10::Stream streams[] = {receiver.m_copyIn, m_copyOut};
    const c10::MultiStreamGuard onCopyStreams(streams);
    const c10::DeviceGuard onDevice(m_device);
    at::Tensor arrived = parcel.tensor.to(receiver.torchDevice(), /*non_blocking=*/true);
    parcel.tensor.record_stream(m_copyOut);
    parcel.arrived = m_copyClock->mark(m_copyOut);
    parcel.tensor = std::move(arrived);
  }

  /// GPU to page-locked memory to GPU, for pairs whose direct copies are broken.
  void sendThroughHost(Parcel& parcel, const EventMarker& ready, AcceleratorBackend& receiver) {
    sendToHost(parcel, ready);
    markerOf(parcel).block(receiver.m_copyIn);
    const c10::StreamGuard onCopyStream(receiver.m_copyIn);
    at::Tensor arrived = parcel.tensor.to(receiver.torchDevice(), /*non_blocking=*/true);
    parcel.keepAlive = std::make_shared<at::Tensor>(parcel.tensor);
    parcel.arrived = receiver.m_copyClock->mark(receiver.m_copyIn);
    parcel.tensor = std::move(arrived);
  }

  /// Sends probes like a step and compares the result. Some machines (wrong IOMMU settings)
  /// silently corrupt copies between GPUs. Empty if `stopped` ended the wait.
  [[nodiscard]] std::optional<bool> peerCopyWorks(AcceleratorBackend& receiver,
                                                  const StopCheck& stopped) {
    const c10::AutoGradMode noGrad(false);
    for (const std::int64_t size : kProbeBytes) {
      const at::Tensor probe = at::randint(0, 256, {size}, at::kByte);
      const at::Tensor host = pinnedLike(probe);
      host.copy_(probe);
      Parcel parcel;
      {
        const c10::StreamGuard onStream(m_compute);
        parcel.tensor = host.to(torchDevice(), /*non_blocking=*/true);
        const auto ready = m_clock->mark(m_compute);
        sendToPeer(parcel, *ready, receiver);
      }
      if (!parcel.arrived->wait(stopped)) return std::nullopt;
      if (!at::equal(parcel.tensor.to(at::kCPU), probe)) return false;
    }
    return true;
  }

  GpuPlatform& m_platform;
  c10::impl::VirtualGuardImpl m_guard;
  OpenedDevice m_opened;
  c10::Device m_device;
  c10::Stream m_compute;
  c10::Stream m_copyOut;
  c10::Stream m_copyIn;
  std::shared_ptr<EventClock> m_copyClock;
  std::shared_ptr<EventClock> m_clock;  ///< of the compute stream; usually also the copy streams'
  HeldTensors m_held;
  std::map<c10::DeviceIndex, bool> m_staged;  ///< written while no worker works
};

Result<std::unique_ptr<Backend>> open(GpuPlatform& platform, const plan::ParsedDevice& parsed) {
  const c10::Device device(platform.type(), static_cast<c10::DeviceIndex>(parsed.index));
  at::globalContext().lazyInitDevice(platform.type());
  const c10::DeviceGuard onDevice(device);
  platform.open(parsed.index);
  if (parsed.kind != plan::DeviceKind::GpuPartition) {
    const c10::impl::VirtualGuardImpl guard(platform.type());
    return std::make_unique<AcceleratorBackend>(
        platform, OpenedDevice{device, guard.getStreamFromGlobalPool(device), {}, 0, 1});
  }
  STAGELANE_TRY(partition, platform.partition(parsed));
  return std::make_unique<AcceleratorBackend>(
      platform,
      OpenedDevice{device, partition->compute, *partition, parsed.partition, parsed.partitions});
}

Error missing(const DeviceId& id, const std::string& why) {
  return Error{ErrorCode::DeviceMissing, "device '" + id.value + "' is not " + why, "devices",
               "use CPU workers (cpu:0, cpu:1, ...), or see 'stagelane devices'"};
}

}  // namespace

Result<std::unique_ptr<Backend>> makeAcceleratorBackend(const DeviceId& id,
                                                        const plan::ParsedDevice& device) {
  GpuPlatform* const platform = gpuPlatform();
  if (platform == nullptr) {
    return fail(ErrorCode::DeviceMissing, "device '" + id.value + "' needs an engine with CUDA",
                "devices",
                "this engine was built without CUDA; use CPU workers (cpu:0, cpu:1, ...), or build "
                "with -DSTAGELANE_CUDA=ON");
  }
  if (const std::string reason = platform->whyNone(); !reason.empty()) {
    return tl::make_unexpected(missing(id, "usable: " + reason));
  }
  if (device.index >= platform->count()) {
    return tl::make_unexpected(
        missing(id, "on this machine, which has " + std::to_string(platform->count()) + " GPU(s)"));
  }
  if (const std::string reason = platform->whyNot(device.index); !reason.empty()) {
    return tl::make_unexpected(missing(id, "usable: " + reason));
  }
  std::unique_ptr<Backend> backend;
  const Status status = guarded("opening " + id.value, [&]() -> Status {
    STAGELANE_TRY(opened, open(*platform, device));
    backend = std::move(*opened);
    return {};
  });
  STAGELANE_CHECK(status);
  return backend;
}

}  // namespace stagelane::run
