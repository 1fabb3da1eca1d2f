#pragma once

/// For which GPUs LibTorch has kernels. A wheel has them for some compute capabilities only, and
/// every operator fails on other GPUs.

#include <string>
#include <vector>

namespace stagelane::run {

/// The architectures in the options of nvcc, such as "-gencode;arch=compute_80,code=sm_80": "sm_80"
/// for machine code, "compute_80" for code that the driver compiles. In their order, each once.
[[nodiscard]] std::vector<std::string> kernelArchitectures(const std::string& nvccOptions);

/// Whether a GPU of this compute capability runs code of one of the architectures. Machine code
/// runs on GPUs of the same major and at least the same minor version, with an "a" only on exactly
/// that version. Without architectures (they are unknown) true.
[[nodiscard]] bool runsOneOf(const std::vector<std::string>& architectures, int major, int minor);

}  // namespace stagelane::run
