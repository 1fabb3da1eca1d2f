#pragma once

/// Device maps as Hugging Face accelerate makes them: module sizes, balanced memory, and the map
/// from module to device. Reproduces accelerate's defects, so that the results are equal. Works on
/// a tree of modules with tensor sizes; ignores compute time.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::plan {

/// A parameter; two parameters with the same tensor number are one tensor (tied).
struct TreeParameter {
  std::string name;
  Bytes bytes = 0;
  std::int64_t tensor = 0;
};
struct TreeBuffer {
  std::string name;
  Bytes bytes = 0;
};
/// A module of PyTorch's tree, children in registration order.
struct ModuleTree {
  std::string name;  ///< last part of the path, "" for the root
  std::string className;
  std::vector<TreeParameter> parameters;
  std::vector<TreeBuffer> buffers;
  std::vector<ModuleTree> children;
};

/// An integer for a GPU, else `cpu` or `disk`.
struct MapDevice {
  std::optional<int> gpu;
  std::string word;
  friend bool operator==(const MapDevice&, const MapDevice&) = default;
};
using MemoryList = std::vector<std::pair<MapDevice, Bytes>>;
/// Dotted path ("" for the whole model) → device.
using DeviceMap = std::map<std::string, MapDevice>;

struct MapOptions {
  std::vector<std::string> noSplit;  ///< classes that are not split
  bool fallback = false;             ///< accelerate's fallback_allocation
  bool clean = true;                 ///< merge modules that share a device into one entry
};

/// Empty where accelerate raises an IndexError: a tied parameter whose module is already placed.
/// @source accelerate 1.15, `infer_auto_device_map`: behavior, not text
[[nodiscard]] std::optional<DeviceMap> inferDeviceMap(const ModuleTree& tree,
                                                      const MemoryList& memory,
                                                      const MapOptions& options);

/// Memory limits that fill all GPUs evenly; the last GPU keeps its own limit. `lowZero` leaves as
/// much of GPU 0 free as the others allow.
/// @source accelerate 1.15, `get_balanced_memory`: behavior, not text
[[nodiscard]] MemoryList balancedMemory(const ModuleTree& tree, const MemoryList& memory,
                                        const std::vector<std::string>& noSplit, bool lowZero);

/// The result of one case in the form of accelerate's conformance files: `map`, `map_unclean`,
/// `balanced`, `map_balanced`. @errors Invalid with the JSON pointer
[[nodiscard]] Result<Json> answerDeviceMapCase(const Json& document, const std::string& pointer);

}  // namespace stagelane::plan
