#pragma once

/// The few things only NVIDIA's management library knows: the driver's version and who else uses a
/// GPU. Loaded at run time (it comes with the driver); without it the answers are empty.

#include <string>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane::run {

struct GpuUser {
  unsigned int process = 0;
  std::string name;  ///< of the program, "" when it may not be read
  Bytes memory = 0;  ///< 0 when the driver does not tell (in containers, say)
};

class Nvml {
 public:
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// "580.65.06", "" when unknown.
  [[nodiscard]] std::string driverVersion() const;
  /// Other processes that compute on the GPU with this PCI address.
  [[nodiscard]] std::vector<GpuUser> otherUsers(const std::string& pciAddress) const;

 private:
  void* m_library = nullptr;
};

}  // namespace stagelane::run
