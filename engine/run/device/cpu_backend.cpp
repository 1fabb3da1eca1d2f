#include "engine/run/device/cpu_backend.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

#include <vector>

#include "engine/run/device/allocator.h"
#include "engine/run/device/host.h"

namespace stagelane::run {
namespace {

/// Calls `name(threads)` if the process has that function. Looked up at run time, because the
/// libraries come with LibTorch and may be absent at build time.
void callIfPresent(const char* name, int threads) {
  if (void* const symbol = dlsym(RTLD_DEFAULT, name)) {
    reinterpret_cast<void (*)(int)>(symbol)(threads);
  }
}

/// Sets the number of threads for the calling thread only.
///
/// The order matters: ATen applies its process-wide number at a thread's first parallel call, so
/// that call must come first. MKL's function takes its argument by value only in this spelling.
void setThreadsOfThisThread(int threads) {
  at::get_num_threads();
  callIfPresent("omp_set_num_threads", threads);
  callIfPresent("MKL_Set_Num_Threads_Local", threads);
}

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const BackendOptions& options)
      : m_options(options), m_cores(allowedCores()) {}

  [[nodiscard]] at::Device torchDevice() const override { return at::kCPU; }

  void enterThread() override {
    if (m_options.pin) pin();
    setThreadsOfThisThread(m_options.threads);
    c10::GradMode::set_enabled(true);
    setAllocationOwner(m_options.owner);
  }
  void leaveThread() override { setAllocationOwner(0); }

  [[nodiscard]] std::shared_ptr<Marker> mark() override {
    return std::make_shared<ClockMarker>(monotonicNs());
  }
  /// Operators have finished when they return.
  void synchronize() override {}

  [[nodiscard]] Parcel send(const at::Tensor& tensor, Backend& receiver) override {
    const auto now = mark();
    Parcel parcel{tensor.detach(), now, now, nullptr, {}};
    if (!receiver.torchDevice().is_cpu()) {
      leaveOutRepeats(parcel);
      parcel.arrived = std::make_shared<ArrivalMarker>(now->timeNs());
    }
    return parcel;
  }
  [[nodiscard]] at::Tensor receive(Parcel& parcel, const StopCheck& stopped) override {
    if (!parcel.arrived->wait(stopped)) return {};
    parcel.keepAlive.reset();
    return unpacked(parcel);
  }

  [[nodiscard]] Bytes peakBytes() const override { return allocationStats(m_options.owner).peak; }
  void resetPeakBytes() override { resetPeak(m_options.owner); }
  [[nodiscard]] Bytes liveBytes() const override { return allocationStats(m_options.owner).live; }
  [[nodiscard]] Bytes memoryBytes() const override { return hostMemory(); }
  void releaseCache() override { releaseCachedBlocks(); }
  void setMemoryLimit(Bytes limit) override { setAllocationLimit(m_options.owner, limit); }

 private:
  /// Pins to `threads` cores from `firstCore` on, counted among the available cores. If the system
  /// refuses, the worker runs unpinned.
  void pin() const {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < m_options.threads; ++i) {
      const auto index = static_cast<std::size_t>(m_options.firstCore + i);
      if (index >= m_cores.size()) return;
      CPU_SET(static_cast<std::size_t>(m_cores[index]), &set);
    }
    pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
  }

  BackendOptions m_options;
  std::vector<int> m_cores;
};

}  // namespace

Result<std::unique_ptr<Backend>> makeCpuBackend(const BackendOptions& options) {
  if (options.threads < 1) {
    return fail(ErrorCode::Invalid,
                "a CPU worker cannot have " + std::to_string(options.threads) + " threads",
                "threads_per_cpu_worker", "use at least 1");
  }
  if (options.owner < 0 || options.owner >= kMaxOwners) {
    return fail(
        ErrorCode::Invalid,
        "at most " + std::to_string(kMaxOwners - 1) + " CPU workers are supported in one run",
        "devices", "use fewer CPU workers");
  }
  return std::make_unique<CpuBackend>(options);
}

}  // namespace stagelane::run
