#include "tests/support/async_device/usage.h"

#include <map>
#include <mutex>

namespace stagelane::async_device {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

struct Usage {
  std::mutex mutex;  ///< guards the members below
  Counts fallbacks;
  Counts kernels;
  CallCounts total;
};

Usage& usage() {
  static auto* const kUsage = new Usage();
  return *kUsage;
}

std::vector<std::string> listed(const Counts& counts) {
  std::vector<std::string> lines;
  for (const auto& [name, count] : counts) lines.push_back(name + " " + std::to_string(count));
  return lines;
}

}  // namespace

void noteFallback(const std::string& name, bool rehearsed) {
  const std::lock_guard<std::mutex> lock(usage().mutex);
  ++usage().fallbacks[name];
  ++usage().total.fallbacks;
  usage().total.rehearsals += rehearsed ? 1U : 0U;
}

void noteKernel(const std::string& name) {
  const std::lock_guard<std::mutex> lock(usage().mutex);
  ++usage().kernels[name];
  ++usage().total.kernels;
}

CallCounts callCounts() {
  const std::lock_guard<std::mutex> lock(usage().mutex);
  return usage().total;
}

std::vector<std::string> fallbackOperators() {
  const std::lock_guard<std::mutex> lock(usage().mutex);
  return listed(usage().fallbacks);
}

std::vector<std::string> kernelOperators() {
  const std::lock_guard<std::mutex> lock(usage().mutex);
  return listed(usage().kernels);
}

}  // namespace stagelane::async_device
