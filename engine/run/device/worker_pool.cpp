#include "engine/run/device/worker_pool.h"
#include "engine/trace/recorder.h"

#include <sched.h>

#include <algorithm>

namespace stagelane::run {
namespace {

int allowedCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

/// CPU workers are pinned only if all of them fit the available cores.
bool shouldPin(const plan::Experiment& experiment, int index, int threads) {
  int highest = index;
  for (const plan::DeviceSpec& spec : experiment.devices) {
    const auto device = plan::parseDevice(spec.id);
    if (device && device->kind == plan::DeviceKind::CpuWorker) {
      highest = std::max(highest, device->index);
    }
  }
  return threads == experiment.threadsPerCpuWorker && (highest + 1) * threads <= allowedCores();
}

/// Events captured on the worker's thread are attributed to this device number.
std::int32_t indexOf(const plan::Experiment& experiment, const DeviceId& device) {
  const auto& devices = experiment.devices;
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const plan::DeviceSpec& spec) { return spec.id == device; });
  return found == devices.end() ? -1 : static_cast<std::int32_t>(found - devices.begin());
}

}  // namespace

int threadsOf(const plan::Experiment& experiment, const plan::Variant& variant) {
  return variant.threads > 0 ? variant.threads : experiment.threadsPerCpuWorker;
}

WorkerPool::~WorkerPool() {
  for (const auto& named : m_workers) {
    if (named.second) named.second->backend().setMemoryLimit(0);
  }
}

bool WorkerPool::anyAbandoned() const {
  return std::any_of(m_workers.begin(), m_workers.end(),
                     [](const auto& named) { return named.second && named.second->abandoned(); });
}

Result<Worker*> WorkerPool::standIn(const DeviceId& device) {
  constexpr int kNoThreads = 0;  // no worker has this number
  std::unique_ptr<Worker>& place = m_workers[{device.value, kNoThreads}];
  if (place) return place.get();
  BackendOptions options;
  options.threads = 1;
  options.owner = static_cast<int>(m_workers.size());
  STAGELANE_TRY(backend, makeBackend(DeviceId{"cpu:0"}, options));
  place = std::make_unique<Worker>(device.value, std::move(*backend));
  return place.get();
}

Result<Worker*> WorkerPool::worker(const DeviceId& device, int threads) {
  std::unique_ptr<Worker>& place = m_workers[{device.value, threads}];
  if (place) return place.get();
  STAGELANE_TRY(parsed, plan::parseDevice(device));
  BackendOptions options;
  options.threads = threads;
  options.owner = static_cast<int>(m_workers.size());
  options.firstCore = parsed->index * threads;
  options.pin = parsed->kind == plan::DeviceKind::CpuWorker &&
                shouldPin(m_experiment, parsed->index, threads);
  auto backend = makeBackend(device, options);
  if (!backend) {
    backend.error().failure.device = device;
    return tl::make_unexpected(backend.error());
  }
  (*backend)->setMemoryLimit(plan::memoryLimit(m_experiment, device).value_or(0));
  place = std::make_unique<Worker>(device.value, std::move(*backend));
  const std::int32_t index = indexOf(m_experiment, device);
  const Status told = place
                          ->submit([index]() -> Status {
                            trace::setThreadDevice(index);
                            return {};
                          })
                          .get();
  return told ? Result<Worker*>(place.get()) : tl::make_unexpected(told.error());
}

Result<std::vector<Worker*>> WorkerPool::workers(const std::vector<DeviceId>& devices,
                                                 int threads) {
  std::vector<Worker*> result;
  for (const DeviceId& device : devices) {
    STAGELANE_TRY(each, worker(device, threads));
    result.push_back(*each);
  }
  return result;
}

}  // namespace stagelane::run
