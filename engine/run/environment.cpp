#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <sys/utsname.h>
#include <torch/headeronly/version.h>

#include "engine/base/version.h"
#include "engine/run/device/gpu_platform.h"
#include "engine/run/device/host.h"
#include "engine/run/engine.h"

namespace stagelane::run {
namespace {

#ifdef __clang__
constexpr const char* kCompiler = __VERSION__;  // includes "Clang"
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

std::string oneLine(std::string text) {
  for (char& c : text) c = c == '\n' ? ' ' : c;
  return text;
}

std::string operatingSystem() {
  utsname names{};
  if (uname(&names) != 0) return "unknown";
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

Json devicesOfThisMachine() {
  Json list = Json::array();
  const auto devices = listDevices();
  if (!devices) return list;
  for (const DeviceInfo& device : *devices) {
    list.push_back({{"id", device.id},
                    {"name", device.name},
                    {"memory_bytes", device.memory},
                    {"usable", device.usable}});
  }
  return list;
}

}  // namespace

Json environmentJson() {
  Json environment{
      {"stagelane", std::string(version())},
      {"git_revision", std::string(gitRevision())},
      {"compiler", kCompiler},
      {"torch", TORCH_VERSION},
      {"mkl", oneLine(at::get_mkl_version())},
      {"onednn", oneLine(at::get_mkldnn_version())},
      {"openmp", oneLine(at::get_openmp_version())},
      {"cpu_capability", at::get_cpu_capability()},
      {"cpu", cpuName()},
      {"cores_allowed", allowedCores().size()},
      {"memory_bytes", hostMemory()},
      {"system", operatingSystem()},
  };
  const GpuPlatform* const platform = gpuPlatform();
  environment["cuda"] = platform == nullptr ? Json(nullptr) : platform->environment();
  environment["devices"] = devicesOfThisMachine();
  return environment;
}

}  // namespace stagelane::run
