// Memory limits per GPU that fill all GPUs evenly.

#include <algorithm>
#include <set>

#include "engine/plan/device_map.h"
#include "engine/plan/module_paths.h"

namespace stagelane::plan {
namespace {

using detail::PathNode;
using detail::Sizes;

/// Names without children, in the order of the sizes.
std::vector<std::string> leavesOf(const std::vector<std::string>& names) {
  std::set<std::string> parents;
  for (const std::string& name : names) {
    for (std::size_t dot = name.find('.'); dot != std::string::npos;
         dot = name.find('.', dot + 1)) {
      parents.insert(name.substr(0, dot));
    }
  }
  std::vector<std::string> leaves;
  for (const std::string& name : names) {
    if (!name.empty() && parents.count(name) == 0) leaves.push_back(name);
  }
  return leaves;
}

/// Mean size of the modules that directly hold tensors.
Bytes meanOfModules(const Sizes& sizes) {
  const std::vector<std::string> tensors = leavesOf(sizes.order);
  const std::set<std::string> gone(tensors.begin(), tensors.end());
  std::vector<std::string> modules;
  for (const std::string& name : sizes.order) {
    if (gone.count(name) == 0) modules.push_back(name);
  }
  double sum = 0.0;
  const std::vector<std::string> last = leavesOf(modules);
  for (const std::string& name : last) sum += static_cast<double>(sizes.of(name));
  return static_cast<Bytes>(sum / static_cast<double>(std::max<std::size_t>(last.size(), 1)));
}

void collectClasses(const PathNode& node, std::map<std::string, std::string>& classes) {
  classes[node.path] = node.className;
  for (const PathNode& child : node.children) collectClasses(child, classes);
}

/// The largest among the first modules of each class that is not split.
Bytes largestWhole(const PathNode& root, const Sizes& sizes,
                   const std::vector<std::string>& noSplit) {
  std::map<std::string, std::string> classes;
  collectClasses(root, classes);
  std::set<std::string> seen;
  Bytes largest = 0;
  for (const std::string& name : sizes.order) {
    const auto known = classes.find(name);
    if (name.empty() || known == classes.end()) continue;
    if (std::find(noSplit.begin(), noSplit.end(), known->second) == noSplit.end()) continue;
    if (seen.insert(known->second).second) largest = std::max(largest, sizes.of(name));
  }
  return largest;
}

MemoryList sorted(const MemoryList& memory) {
  MemoryList answer = memory;
  std::stable_sort(answer.begin(), answer.end(), [](const auto& a, const auto& b) {
    if (a.first.gpu && b.first.gpu) return *a.first.gpu < *b.first.gpu;
    return a.first.gpu.has_value() && !b.first.gpu.has_value();
  });
  return answer;
}

}  // namespace

MemoryList balancedMemory(const ModuleTree& tree, const MemoryList& memory,
                          const std::vector<std::string>& noSplit, bool lowZero) {
  MemoryList answer = sorted(memory);
  std::vector<std::size_t> gpus;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    if (answer[i].first.gpu && answer[i].second > 0) gpus.push_back(i);
  }
  if (gpus.empty()) return answer;
  const auto count = static_cast<Bytes>(gpus.size());
  const bool low = lowZero && count > 1;
  const PathNode root = detail::withPaths(tree);
  const Sizes sizes = detail::sizesOf(root);
  const Bytes most = std::max(largestWhole(root, sizes, noSplit), meanOfModules(sizes));
  const Bytes each = sizes.of("") / (low ? count - 1 : count) +
                     static_cast<Bytes>(1.25 * static_cast<double>(most));
  for (std::size_t i = 0; i + 1 < gpus.size(); ++i) {
    auto& [id, bytes] = answer[gpus[i]];
    if (!(low && *id.gpu == 0)) bytes = std::min(each, bytes);
  }
  if (low) {
    Bytes others = 0;
    for (const auto& [id, bytes] : answer) {
      if (id.gpu && *id.gpu >= 1 && *id.gpu < count) others += bytes;
    }
    Bytes& first = answer.front().second;
    first = std::min(std::max<Bytes>(0, sizes.of("") - others), first);
  }
  return answer;
}

}  // namespace stagelane::plan
