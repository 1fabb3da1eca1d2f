#pragma once

/// What the engine needs of a kind of accelerator beyond the interface that LibTorch has for all of
/// them: finding devices, dividing them, and limiting their memory. Needs no CUDA header.

#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/plan/device.h"
#include "engine/run/device/device_event.h"
#include "engine/run/engine.h"

namespace stagelane::run {

/// A partition's own compute stream, which lives until the process ends: LibTorch's caching
/// allocator remembers every stream that used memory.
struct GpuPartition {
  c10::Stream compute;
  unsigned int smsAsked = 0;
  unsigned int smsGot = 0;  ///< the driver rounds to the hardware's granularity
  /// Null if c10::Event works on `compute`. Otherwise LibTorch's own events do not work there
  /// either, so memory cannot be marked as used by `compute` (`record_stream`).
  EventMaker events = nullptr;
};

class GpuPlatform {
 public:
  virtual ~GpuPlatform() = default;
  [[nodiscard]] virtual c10::DeviceType type() const = 0;
  /// Why no device is usable: "no NVIDIA driver …"; "" if there is one.
  [[nodiscard]] virtual std::string whyNone() const = 0;
  /// Number of devices; 0 if none is usable.
  [[nodiscard]] virtual int count() const = 0;
  /// The devices with driver, memory, peers, other users and SM count, for `stagelane devices`;
  /// also those that are not usable, with the reason.
  [[nodiscard]] virtual std::vector<DeviceInfo> list() const = 0;
  /// Versions of driver and runtime, for environment.json.
  [[nodiscard]] virtual Json environment() const = 0;
  /// Why this device is not usable ("its compute capability is 6.1 …"); "" if it is.
  [[nodiscard]] virtual std::string whyNot(int /*index*/) const { return {}; }
  /// Name of the device's kind; devices with the same name compute alike. Cheap.
  /// @pre the device is usable
  [[nodiscard]] virtual std::string model(int /*index*/) const { return "GPU"; }
  /// Prepares the device for the calls below and for LibTorch.
  virtual void open(int index) = 0;
  /// @pre open() @errors Invalid (an impossible partition), EngineFailure (driver)
  [[nodiscard]] virtual Result<GpuPartition> partition(const plan::ParsedDevice& device) = 0;
  /// Larger allocations on the device throw c10::OutOfMemoryError; 0: no limit. @pre open()
  virtual void setMemoryLimit(int index, Bytes limit) = 0;
};

/// The accelerators of this process: NVIDIA GPUs, unless another platform was set; null in an
/// engine without CUDA. @thread any
[[nodiscard]] GpuPlatform* gpuPlatform();
/// Replaces the platform and returns the former one. @pre no device is in use
std::unique_ptr<GpuPlatform> setGpuPlatform(std::unique_ptr<GpuPlatform> platform);

}  // namespace stagelane::run
