#include "engine/plan/module_paths.h"

#include <algorithm>

namespace stagelane::plan::detail {
namespace {

std::string joined(const std::string& parent, const std::string& name) {
  return parent.empty() ? name : parent + "." + name;
}

/// Sums tensor sizes under every prefix of their names.
class Adder {
 public:
  void addParameters(const PathNode& node) {
    for (const TreeParameter& parameter : node.parameters) {
      const auto known = m_first.find(parameter.tensor);
      if (known == m_first.end()) {
        m_first.emplace(parameter.tensor, m_names.size());
        m_names.push_back({parameter.name});
        add(parameter.name, parameter.bytes);
      } else {
        m_names[known->second].push_back(parameter.name);
      }
    }
    for (const PathNode& child : node.children) addParameters(child);
  }
  void addBuffers(const PathNode& node) {
    for (const TreeBuffer& buffer : node.buffers) add(buffer.name, buffer.bytes);
    for (const PathNode& child : node.children) addBuffers(child);
  }
  Sizes finish() {
    for (std::vector<std::string>& names : m_names) {
      if (names.size() < 2) continue;
      std::sort(names.begin(), names.end());
      m_sizes.tied.push_back(names);
    }
    return std::move(m_sizes);
  }

 private:
  void add(const std::string& name, Bytes bytes) {
    addTo("", bytes);
    for (std::size_t dot = name.find('.'); dot != std::string::npos;
         dot = name.find('.', dot + 1)) {
      addTo(name.substr(0, dot), bytes);
    }
    addTo(name, bytes);
  }
  void addTo(const std::string& name, Bytes bytes) {
    const auto [place, isNew] = m_sizes.bytes.emplace(name, 0);
    if (isNew) m_sizes.order.push_back(name);
    place->second += bytes;
  }

  Sizes m_sizes;
  std::map<std::int64_t, std::size_t> m_first;
  std::vector<std::vector<std::string>> m_names;
};

}  // namespace

PathNode withPaths(const ModuleTree& tree, const std::string& parent) {
  PathNode node;
  node.path = joined(parent, tree.name);
  node.className = tree.className;
  for (TreeParameter parameter : tree.parameters) {
    parameter.name = joined(node.path, parameter.name);
    node.parameters.push_back(std::move(parameter));
  }
  for (const TreeBuffer& buffer : tree.buffers) {
    node.buffers.push_back({joined(node.path, buffer.name), buffer.bytes});
  }
  for (const ModuleTree& child : tree.children) {
    node.children.push_back(withPaths(child, node.path));
  }
  return node;
}

Sizes sizesOf(const PathNode& root) {
  Adder adder;
  adder.addParameters(root);
  adder.addBuffers(root);
  return adder.finish();
}

}  // namespace stagelane::plan::detail
