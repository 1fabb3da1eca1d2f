#include "engine/run/device/cuda_nvml.h"

#include <dlfcn.h>
#include <unistd.h>

#include <fstream>

namespace stagelane::run {
namespace {

// nvml.h comes with the toolkit, not with the wheels, so this repeats its version 2 declarations.
constexpr int kSuccess = 0;
using NvmlDevice = struct NvmlDeviceHandle*;
struct NvmlProcess {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId;
  unsigned int computeInstanceId;
};
constexpr unsigned long long kMemoryUnknown = ~0ULL;
constexpr unsigned int kMostProcesses = 64;

template <class Function>
Function find(void* library, const char* name) {
  return library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
}

std::string nameOfProcess(unsigned int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace

Nvml::Nvml() : m_library(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
  const auto init = find<int (*)()>(m_library, "nvmlInit_v2");
  if (m_library != nullptr && (init == nullptr || init() != kSuccess)) {
    dlclose(m_library);
    m_library = nullptr;
  }
}

Nvml::~Nvml() {
  if (m_library == nullptr) return;
  if (const auto shutdown = find<int (*)()>(m_library, "nvmlShutdown")) shutdown();
  dlclose(m_library);
}

std::string Nvml::driverVersion() const {
  const auto version = find<int (*)(char*, unsigned int)>(m_library, "nvmlSystemGetDriverVersion");
  char text[96] = "";
  return version != nullptr && version(text, sizeof(text)) == kSuccess ? text : "";
}

std::vector<GpuUser> Nvml::otherUsers(const std::string& pciAddress) const {
  const auto byAddress =
      find<int (*)(const char*, NvmlDevice*)>(m_library, "nvmlDeviceGetHandleByPciBusId_v2");
  const auto processes = find<int (*)(NvmlDevice, unsigned int*, NvmlProcess*)>(
      m_library, "nvmlDeviceGetComputeRunningProcesses_v3");
  NvmlDevice device = nullptr;
  if (byAddress == nullptr || processes == nullptr ||
      byAddress(pciAddress.c_str(), &device) != kSuccess) {
    return {};
  }
  unsigned int count = kMostProcesses;
  std::vector<NvmlProcess> running(count);
  if (processes(device, &count, running.data()) != kSuccess) return {};
  running.resize(count);
  std::vector<GpuUser> users;
  for (const NvmlProcess& process : running) {
    if (process.pid != static_cast<unsigned int>(getpid())) {
      const bool known = process.usedGpuMemory != kMemoryUnknown;
      users.push_back({process.pid, nameOfProcess(process.pid),
                       known ? static_cast<Bytes>(process.usedGpuMemory) : 0});
    }
  }
  return users;
}

}  // namespace stagelane::run
