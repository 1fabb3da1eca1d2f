#pragma once

/// A module tree with full paths, for the computation of device maps. Internal to engine/plan.

#include <map>
#include <string>
#include <vector>

#include "engine/plan/device_map.h"

namespace stagelane::plan::detail {

struct PathNode {
  std::string path;
  std::string className;
  std::vector<TreeParameter> parameters;  ///< names are full paths
  std::vector<TreeBuffer> buffers;        ///< names are full paths
  std::vector<PathNode> children;
};
[[nodiscard]] PathNode withPaths(const ModuleTree& tree, const std::string& parent = {});

/// Sizes in accelerate's order of names: all parameters, then all buffers.
struct Sizes {
  std::vector<std::string> order;
  std::map<std::string, Bytes> bytes;
  /// Names of one tensor, sorted; one group per tensor with several names, ordered by the first.
  std::vector<std::vector<std::string>> tied;

  [[nodiscard]] Bytes of(const std::string& name) const {
    const auto found = bytes.find(name);
    return found == bytes.end() ? 0 : found->second;
  }
};
[[nodiscard]] Sizes sizesOf(const PathNode& root);

/// Whether `name` is inside the module `prefix`.
[[nodiscard]] inline bool within(const std::string& name, const std::string& prefix) {
  return name.size() > prefix.size() && name.compare(0, prefix.size(), prefix) == 0 &&
         name[prefix.size()] == '.';
}

}  // namespace stagelane::plan::detail
