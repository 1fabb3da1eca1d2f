#pragma once

/// Which operators were called and how they got through.

#include <cstdint>
#include <string>
#include <vector>

namespace stagelane::async_device {

struct CallCounts {
  std::uint64_t fallbacks = 0;   ///< calls of the boxed fallback
  std::uint64_t rehearsals = 0;  ///< of them, those that needed the shapes of outputs
  std::uint64_t kernels = 0;     ///< calls of the library's own kernels
};

void noteFallback(const std::string& name, bool rehearsed);
void noteKernel(const std::string& name);
[[nodiscard]] CallCounts callCounts();
/// "aten::mm (new output) 12": names with the number of calls.
[[nodiscard]] std::vector<std::string> fallbackOperators();
[[nodiscard]] std::vector<std::string> kernelOperators();

}  // namespace stagelane::async_device
