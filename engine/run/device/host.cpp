#include "engine/run/device/host.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace stagelane::run {
namespace {

std::string firstLineOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The limit of this process's control group (version 2), 0 for none.
Bytes controlGroupLimit() {
  const std::string text = firstLineOf("/sys/fs/cgroup/memory.max");
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos ||
      text.size() > 18) {
    return 0;
  }
  return std::stoll(text);
}

bool startsWith(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

std::vector<int> allowedCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(static_cast<std::size_t>(core), &set)) cores.push_back(core);
  }
  return cores;
}

std::string cpuName(const std::filesystem::path& cpuInfo) {
  std::ifstream file(cpuInfo);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (startsWith(line, "model name") && colon != std::string::npos) {
      const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
      return begin == std::string::npos ? "CPU" : line.substr(begin);
    }
  }
  return "CPU";
}

Bytes hostMemory() {
  const Bytes physical = static_cast<Bytes>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  const Bytes limit = controlGroupLimit();
  return limit > 0 ? std::min(limit, physical) : std::max<Bytes>(physical, 0);
}

std::vector<std::string> nvidiaPciDevices(const std::filesystem::path& pciDevices) {
  constexpr const char* kNvidia = "0x10de";
  constexpr const char* kDisplayClass = "0x03";
  std::vector<std::string> found;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(pciDevices, problem)) {
    if (firstLineOf(entry.path() / "vendor") == kNvidia &&
        startsWith(firstLineOf(entry.path() / "class"), kDisplayClass)) {
      found.push_back(entry.path().filename().string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace stagelane::run
