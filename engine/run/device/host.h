#pragma once

/// What the engine knows of the machine it runs on, without any device library: cores, memory,
/// NVIDIA hardware on the PCI bus.

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane::run {

/// The cores that this process may use, in order.
[[nodiscard]] std::vector<int> allowedCores();
/// "Intel(R) Xeon(R) …" from a file of the form of /proc/cpuinfo; "CPU" where it says nothing.
[[nodiscard]] std::string cpuName(const std::filesystem::path& cpuInfo = "/proc/cpuinfo");
/// Memory of the machine, or of the control group where that is less; 0 when unknown.
[[nodiscard]] Bytes hostMemory();
/// PCI addresses of NVIDIA display and 3D controllers, whether or not a driver runs them.
[[nodiscard]] std::vector<std::string> nvidiaPciDevices(
    const std::filesystem::path& pciDevices = "/sys/bus/pci/devices");

}  // namespace stagelane::run
