#pragma once

/// Properties of the machine that need no device library: cores, memory, NVIDIA hardware on the PCI
/// bus.

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane::run {

/// The cores that this process may use, in order.
[[nodiscard]] std::vector<int> allowedCores();
/// "Intel(R) Xeon(R) …" from a file in the form of /proc/cpuinfo; "CPU" if it has no name.
[[nodiscard]] std::string cpuName(const std::filesystem::path& cpuInfo = "/proc/cpuinfo");
/// Memory of the machine, or of the control group if that is less; 0 if unknown.
[[nodiscard]] Bytes hostMemory();
/// PCI addresses of NVIDIA display and 3D controllers, with or without a driver.
[[nodiscard]] std::vector<std::string> nvidiaPciDevices(
    const std::filesystem::path& pciDevices = "/sys/bus/pci/devices");

}  // namespace stagelane::run
