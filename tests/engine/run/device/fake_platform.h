#pragma once

/// Two accelerators that can be listed but not used.

#include "engine/run/device/gpu_platform.h"

namespace stagelane::run {

class FakePlatform final : public GpuPlatform {
 public:
  std::string none;  ///< whyNone()

  [[nodiscard]] c10::DeviceType type() const override { return c10::kPrivateUse1; }
  [[nodiscard]] std::string whyNone() const override { return none; }
  [[nodiscard]] int count() const override { return none.empty() ? 2 : 0; }
  [[nodiscard]] std::vector<DeviceInfo> list() const override {
    DeviceInfo good;
    good.id = "cuda:0";
    good.kind = "gpu";
    good.name = "good";
    DeviceInfo old = good;
    old.id = "cuda:1";
    old.usable = false;
    old.reason = kReason;
    return {good, old};
  }
  [[nodiscard]] Json environment() const override {
    Json versions;
    versions["runtime"] = "fake";
    return versions;
  }
  [[nodiscard]] std::string whyNot(int index) const override { return index == 1 ? kReason : ""; }
  void open(int) override {}
  [[nodiscard]] Result<GpuPartition> partition(const plan::ParsedDevice&) override {
    return fail(ErrorCode::Invalid, "not divisible");
  }
  void setMemoryLimit(int, Bytes) override {}

  static constexpr const char* kReason = "LibTorch has no kernels for it";
};

}  // namespace stagelane::run
