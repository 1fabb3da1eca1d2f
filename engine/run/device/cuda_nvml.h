#pragma once

/// Data available only from NVIDIA's management library: the driver's version and other users of a
/// GPU. Loaded at run time (it comes with the driver); without it the results are empty.

#include <string>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane::run {

struct GpuUser {
  unsigned int process = 0;
  std::string name;  ///< of the program, "" if not accessible
  Bytes memory = 0;  ///< 0 if the driver does not report it (for example in containers)
};

class Nvml {
 public:
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// "580.65.06", "" if unknown.
  [[nodiscard]] std::string driverVersion() const;
  /// Other processes that compute on the GPU with this PCI address.
  [[nodiscard]] std::vector<GpuUser> otherUsers(const std::string& pciAddress) const;

 private:
  void* m_library = nullptr;
};

}  // namespace stagelane::run
