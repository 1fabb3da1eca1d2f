#include "engine/plan/device_map.h"

#include <algorithm>
#include <set>

#include "engine/plan/module_paths.h"

namespace stagelane::plan {
namespace {

using detail::PathNode;
using detail::within;

/// A module or, without a node, a tensor that waits for a device.
struct Item {
  std::string name;
  const PathNode* module = nullptr;
};
using Queue = std::vector<Item>;

/// Whether `name` equals the prefix or is inside it.
bool covers(const std::string& prefix, const std::string& name) {
  return name == prefix || within(name, prefix);
}

/// Goes through the modules in order and fills one device after another.
class Mapper {
 public:
  Mapper(const PathNode& root, const MemoryList& memory, const MapOptions& options);
  std::optional<DeviceMap> run();

 private:
  /// The modules that must be placed with the item because they hold its tied parameters.
  struct Ties {
    Bytes bytes = 0;  ///< including the item's own
    Queue modules;
    bool broken = false;  ///< a tied parameter's module is already placed
  };
  struct Largest {
    Bytes bytes = 0;
    std::vector<std::string> names;
  };
  struct Device {
    MapDevice id;
    std::optional<Bytes> memory;  ///< empty: unlimited
    Bytes used = 0;
    bool reserves = false;  ///< reserves room for the largest layer
  };

  [[nodiscard]] bool whole(const Item& item) const;
  [[nodiscard]] static Queue parts(const PathNode& module);
  [[nodiscard]] Largest largestOf(const Queue& items) const;
  [[nodiscard]] Ties tiesOf(const Item& item, const Queue& others) const;
  void forget(const Item& item);
  void renewLargest();
  void place(const Item& item, const Ties& ties);
  [[nodiscard]] bool splitTied(const Item& item, const Ties& ties);
  void splitItem(const Item& item);
  [[nodiscard]] std::optional<Item> fallback(const Ties& ties, bool& broken) const;
  void putFirst(const Item& first, const Item& item);
  void nextDevice(const Item& item);
  /// Places one item of the queue. False where accelerate raises.
  [[nodiscard]] bool step();
  [[nodiscard]] Device& device() { return m_devices[m_current]; }

  const MapOptions& m_options;
  detail::Sizes m_sizes;
  std::vector<Device> m_devices;
  std::size_t m_current = 0;
  Queue m_queue;
  Largest m_largest;
  DeviceMap m_map;
};

Mapper::Mapper(const PathNode& root, const MemoryList& memory, const MapOptions& options)
    : m_options(options), m_sizes(detail::sizesOf(root)) {
  for (const auto& [id, bytes] : memory) {
    if (id.gpu) m_devices.push_back({id, bytes, 0, false});
  }
  std::sort(m_devices.begin(), m_devices.end(),
            [](const Device& a, const Device& b) { return *a.id.gpu < *b.id.gpu; });
  if (!m_devices.empty()) m_devices.front().reserves = true;
  for (const auto& [id, bytes] : memory) {
    if (id.word == "cpu") m_devices.push_back({id, bytes, 0, true});
  }
  m_devices.push_back({{std::nullopt, "disk"}, std::nullopt, 0, false});
  m_queue = parts(root);
  for (const TreeBuffer& buffer : root.buffers) m_queue.push_back({buffer.name, nullptr});
  m_largest = largestOf(m_queue);
}

bool Mapper::whole(const Item& item) const {
  if (item.module == nullptr || item.module->children.empty()) return true;
  const auto& kept = m_options.noSplit;
  return std::find(kept.begin(), kept.end(), item.module->className) != kept.end();
}

/// Parameters and children, without the module's own buffers, as accelerate does.
Queue Mapper::parts(const PathNode& module) {
  Queue items;
  std::set<std::int64_t> tensors;
  for (const TreeParameter& parameter : module.parameters) {
    if (tensors.insert(parameter.tensor).second) items.push_back({parameter.name, nullptr});
  }
  for (const PathNode& child : module.children) items.push_back({child.path, &child});
  return items;
}

Mapper::Largest Mapper::largestOf(const Queue& items) const {
  Largest largest;
  Queue stack(items.rbegin(), items.rend());
  while (!stack.empty()) {
    const Item item = stack.back();
    stack.pop_back();
    if (!whole(item)) {
      const auto& children = item.module->children;
      for (auto child = children.rbegin(); child != children.rend(); ++child) {
        stack.push_back({child->path, &*child});
      }
      continue;
    }
    const Bytes bytes = m_sizes.of(item.name);
    if (bytes > largest.bytes)
      largest = {bytes, {item.name}};
    else if (bytes == largest.bytes)
      largest.names.push_back(item.name);
  }
  return largest;
}

Mapper::Ties Mapper::tiesOf(const Item& item, const Queue& others) const {
  Ties ties;
  ties.bytes = m_sizes.of(item.name);
  for (const std::vector<std::string>& group : m_sizes.tied) {
    const auto inside = [&](const std::string& name) { return covers(item.name, name); };
    const auto count = std::count_if(group.begin(), group.end(), inside);
    if (count == 0 || count == static_cast<std::ptrdiff_t>(group.size())) continue;
    for (const std::string& name : group) {
      if (inside(name)) continue;
      const auto module = std::find_if(others.begin(), others.end(),
                                       [&](const Item& other) { return within(name, other.name); });
      if (module == others.end()) {
        ties.broken = true;
        return ties;
      }
      ties.modules.push_back(*module);
      ties.bytes += m_sizes.of(module->name) - m_sizes.of(name);
    }
  }
  return ties;
}

/// Removes the item from the largest waiting layers; recomputes them if none is left.
void Mapper::forget(const Item& item) {
  auto& names = m_largest.names;
  names.erase(std::remove_if(names.begin(), names.end(),
                             [&](const std::string& name) { return covers(item.name, name); }),
              names.end());
  if (names.empty()) renewLargest();
}

void Mapper::renewLargest() {
  Queue modules;
  for (const Item& item : m_queue) {
    if (item.module != nullptr) modules.push_back(item);
  }
  m_largest = largestOf(modules);
}

void Mapper::place(const Item& item, const Ties& ties) {
  device().used += ties.bytes;
  m_map[item.name] = device().id;
  for (const Item& tied : ties.modules) {
    m_queue.erase(std::remove_if(m_queue.begin(), m_queue.end(),
                                 [&](const Item& other) { return other.name == tied.name; }),
                  m_queue.end());
    m_map[tied.name] = device().id;
  }
}

/// Splits the first tied module that can be split, and retries the item.
bool Mapper::splitTied(const Item& item, const Ties& ties) {
  for (const Item& tied : ties.modules) {
    if (whole(tied)) continue;
    const auto place = std::find_if(m_queue.begin(), m_queue.end(),
                                    [&](const Item& other) { return other.name == tied.name; });
    const Queue pieces = parts(*tied.module);
    m_queue.insert(m_queue.erase(place), pieces.begin(), pieces.end());
    m_queue.insert(m_queue.begin(), item);
    renewLargest();
    return true;
  }
  return false;
}

void Mapper::splitItem(const Item& item) {
  const Queue pieces = parts(*item.module);
  m_queue.insert(m_queue.begin(), pieces.begin(), pieces.end());
  renewLargest();
}

/// The first module, parents before children, that fits an empty device.
std::optional<Item> Mapper::fallback(const Ties& ties, bool& broken) const {
  const Bytes room = *m_devices[m_current].memory - std::max(m_largest.bytes, ties.bytes);
  if (room <= 0) return std::nullopt;
  Queue stack(m_queue.rbegin(), m_queue.rend());
  while (!stack.empty()) {
    const Item item = stack.back();
    stack.pop_back();
    const Ties own = tiesOf(item, m_queue);
    if (own.broken) {
      broken = true;
      return std::nullopt;
    }
    if (own.bytes <= room) return item;
    if (whole(item)) continue;
    const auto& children = item.module->children;
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      stack.push_back({child->path, &*child});
    }
  }
  return std::nullopt;
}

/// Takes `first` out of its container and puts it before the item.
void Mapper::putFirst(const Item& first, const Item& item) {
  while (true) {
    const auto holder = std::find_if(m_queue.begin(), m_queue.end(), [&](const Item& other) {
      return covers(other.name, first.name);
    });
    if (holder->name == first.name) {
      m_queue.erase(holder);
      break;
    }
    const Queue pieces = parts(*holder->module);
    m_queue.insert(m_queue.erase(holder), pieces.begin(), pieces.end());
  }
  m_queue.insert(m_queue.begin(), {first, item});
}

void Mapper::nextDevice(const Item& item) {
  ++m_current;
  m_queue.insert(m_queue.begin(), item);
}

bool Mapper::step() {
  const Item item = m_queue.front();
  m_queue.erase(m_queue.begin());
  forget(item);
  const Bytes size = m_sizes.of(item.name);
  const Ties ties = tiesOf(item, m_queue);
  if (ties.broken) return false;
  const Bytes reserved = device().reserves ? m_largest.bytes : 0;
  const Bytes limit = device().memory.value_or(0) - reserved;
  if (!device().memory || device().used + ties.bytes <= limit) {
    place(item, ties);
    return true;
  }
  if (!ties.modules.empty() && device().used + size <= limit && splitTied(item, ties)) return true;
  if (device().used + size >= limit && !whole(item)) {
    splitItem(item);
    return true;
  }
  if (m_options.fallback && device().used == 0) {
    bool broken = false;
    if (const auto first = fallback(ties, broken)) {
      putFirst(*first, item);
      return true;
    }
    if (broken) return false;
  }
  nextDevice(item);
  return true;
}

std::optional<DeviceMap> Mapper::run() {
  while (!m_queue.empty()) {
    if (!step()) return std::nullopt;
  }
  return std::move(m_map);
}

/// Merges all entries of a module that share a device, then recurses into each child.
void clean(DeviceMap& map, const std::string& module) {
  const auto inside = [&](const std::string& name) {
    return module.empty() || within(name, module);
  };
  std::vector<std::string> names;
  bool alike = true;
  for (const auto& [name, device] : map) {
    if (!inside(name)) continue;
    alike = alike && (names.empty() || map.at(names.front()) == device);
    names.push_back(name);
  }
  if (names.size() > 1 && alike) {
    const MapDevice device = map.at(names.front());
    for (const std::string& name : names) map.erase(name);
    map[module] = device;
    return;
  }
  std::set<std::string> children;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    const std::size_t begin = module.empty() ? 0 : module.size() + 1;
    children.insert(name.substr(0, name.find('.', begin)));
  }
  for (const std::string& child : children) clean(map, child);
}

}  // namespace

std::optional<DeviceMap> inferDeviceMap(const ModuleTree& tree, const MemoryList& memory,
                                        const MapOptions& options) {
  const PathNode root = detail::withPaths(tree);
  auto map = Mapper(root, memory, options).run();
  if (map && options.clean) clean(*map, "");
  return map;
}

}  // namespace stagelane::plan
