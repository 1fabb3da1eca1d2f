#include "profiler/capture/record_owners.h"

#include <charconv>

namespace stagelane::capture::detail {
namespace {

/// Keeps a common value; -1 if two values differ.
void agree(std::unordered_map<std::uint32_t, std::int32_t>& values, std::uint32_t key,
           std::int32_t value) {
  const auto [place, isNew] = values.try_emplace(key, value);
  if (!isNew && place->second != value) place->second = -1;
}

std::int32_t valueOf(const std::unordered_map<std::uint32_t, std::int32_t>& values,
                     std::uint32_t key) {
  const auto found = values.find(key);
  return found == values.end() ? -1 : found->second;
}

}  // namespace

std::uint32_t gpuOf(std::string_view device) {
  constexpr std::string_view kPrefix = "cuda:";
  if (const std::size_t host = device.find("/cuda:"); host != std::string_view::npos) {
    device.remove_prefix(host + 1);
  }
  if (device.substr(0, kPrefix.size()) != kPrefix) return kNoNumber;
  const std::string_view rest = device.substr(kPrefix.size());
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  const bool whole = end == rest.data() + rest.size() || *end == '/';
  return problem == std::errc() && whole ? number : kNoNumber;
}

RecordOwners::RecordOwners(const KernelRecords& records, const std::vector<std::string>& devices) {
  for (const std::string& device : devices) m_gpus.push_back(gpuOf(device));
  for (const ExternalId& id : records.externalIds()) {
    const ActionTag tag = unpackAction(id.action);
    const auto [place, isNew] = m_actions.try_emplace(id.correlation, tag);
    if (!isNew && !(place->second == tag)) place->second = {};
  }
  learnThreads(records);
  learnContexts(records);
}

void RecordOwners::learnThreads(const KernelRecords& records) {
  for (const HostWork& work : records.hostWork()) {
    if (work.thread == 0) continue;
    m_threads.try_emplace(work.correlation, work.thread);
    const std::int32_t device = actionOf(work.correlation).device;
    if (device >= 0) agree(m_ofThread, work.thread, device);
  }
}

void RecordOwners::learnContexts(const KernelRecords& records) {
  std::unordered_map<std::uint32_t, bool> green;
  for (const GpuContext& context : records.contexts()) green[context.context] = context.green;
  for (const DeviceWork& work : records.deviceWork()) {
    const std::int32_t device = actionOf(work.correlation).device;
    const auto known = green.find(work.context);
    if (known != green.end() && known->second && isOn(device, work.gpu)) {
      agree(m_ofContext, work.context, device);
    }
  }
}

bool RecordOwners::isOn(std::int32_t device, std::uint32_t gpu) const {
  return gpu != kNoNumber && device >= 0 && static_cast<std::size_t>(device) < m_gpus.size() &&
         m_gpus[static_cast<std::size_t>(device)] == gpu;
}

ActionTag RecordOwners::actionOf(std::uint32_t correlation) const {
  const auto found = m_actions.find(correlation);
  return found == m_actions.end() ? ActionTag{} : found->second;
}

std::int32_t RecordOwners::deviceOf(const DeviceWork& work) const {
  const std::int32_t device = actionOf(work.correlation).device;
  if (isOn(device, work.gpu)) return device;
  const std::int32_t ofContext = valueOf(m_ofContext, work.context);
  return isOn(ofContext, work.gpu) ? ofContext : onlyDeviceOf(work.gpu);
}

std::int32_t RecordOwners::deviceOf(const HostWork& work) const {
  std::int32_t device = actionOf(work.correlation).device;
  if (device < 0) {
    const auto thread = m_threads.find(work.correlation);
    const bool viaCall = work.thread == 0 && thread != m_threads.end();
    device = valueOf(m_ofThread, viaCall ? thread->second : work.thread);
  }
  return device >= 0 && static_cast<std::size_t>(device) < m_gpus.size() ? device : -1;
}

std::int32_t RecordOwners::onlyDeviceOf(std::uint32_t gpu) const {
  std::int32_t only = -1;
  for (std::size_t device = 0; device < m_gpus.size(); ++device) {
    if (isOn(static_cast<std::int32_t>(device), gpu)) {
      if (only >= 0) return -1;
      only = static_cast<std::int32_t>(device);
    }
  }
  return only;
}

}  // namespace stagelane::capture::detail
