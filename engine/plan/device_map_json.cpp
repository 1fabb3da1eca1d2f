// Reads and answers accelerate's conformance files for device maps.

#include <limits>

#include "engine/plan/device_map.h"

namespace stagelane::plan {
namespace {

constexpr int kDeepestTree = 500;

tl::unexpected<Error> invalid(std::string message, std::string pointer, std::string hint = {}) {
  return fail(ErrorCode::Invalid, std::move(message), std::move(pointer), std::move(hint));
}

/// Size in bits, because accelerate counts a bool as an eighth of a byte.
Result<std::int64_t> bitsOf(const std::string& dtype, const std::string& pointer) {
  static const std::map<std::string, std::int64_t> bits{
      {"float64", 64},  {"int64", 64}, {"float32", 32}, {"int32", 32}, {"float16", 16},
      {"bfloat16", 16}, {"int16", 16}, {"int8", 8},     {"uint8", 8},  {"bool", 1}};
  const auto known = bits.find(dtype);
  if (known != bits.end()) return known->second;
  return invalid("'" + dtype + "' is not a tensor type", pointer, "For example float32");
}

struct TensorRow {
  std::string name;
  Bytes bytes = 0;
  std::int64_t tensor = 0;
};

/// `[name, numel, dtype]`; for parameters with a tensor number at the end.
Result<TensorRow> tensorRow(const Json& row, std::size_t members, const std::string& pointer) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 128;
  const bool sound = row.is_array() && row.size() == members && row[0].is_string() &&
                     row[1].is_number_integer() && row[2].is_string() &&
                     (members < 4 || row[3].is_number_integer());
  if (!sound || row[1].get<std::int64_t>() < 0 || row[1].get<std::int64_t>() > kMost) {
    return invalid(
        members == 4 ? "a parameter must be [name, numel, dtype, tensor]"
                     : "a buffer must be [name, numel, dtype]",
        pointer,
        "For example [\"weight\", 64, \"float32\"" + std::string(members == 4 ? ", 0]" : "]"));
  }
  STAGELANE_TRY(bits, bitsOf(row[2].get<std::string>(), childPointer(pointer, 2)));
  return TensorRow{row[0].get<std::string>(), row[1].get<std::int64_t>() * *bits / 8,
                   members == 4 ? row[3].get<std::int64_t>() : 0};
}

const Json& listIn(const Json& object, const char* key) {
  static const Json none = Json::array();
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

struct TreeReader {
  Result<ModuleTree> read(const Json& node, const std::string& name, const std::string& pointer,
                          int depth);
  Status readTensors(const Json& node, const std::string& pointer, ModuleTree& tree);
};

Status TreeReader::readTensors(const Json& node, const std::string& pointer, ModuleTree& tree) {
  const Json& parameters = listIn(node, "params");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    STAGELANE_TRY(row,
                  tensorRow(parameters[i], 4, childPointer(childPointer(pointer, "params"), i)));
    tree.parameters.push_back({std::move(row->name), row->bytes, row->tensor});
  }
  const Json& buffers = listIn(node, "buffers");
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    STAGELANE_TRY(row, tensorRow(buffers[i], 3, childPointer(childPointer(pointer, "buffers"), i)));
    tree.buffers.push_back({std::move(row->name), row->bytes});
  }
  return {};
}

Result<ModuleTree> TreeReader::read(const Json& node, const std::string& name,
                                    const std::string& pointer, int depth) {
  if (!node.is_object() || !node.contains("class") || !node["class"].is_string()) {
    return invalid(
        "a module must be an object with \"class\", \"params\", \"buffers\", \"children\"",
        pointer);
  }
  if (depth > kDeepestTree) return invalid("the tree is deeper than 500 modules", pointer);
  ModuleTree tree;
  tree.name = name;
  tree.className = node["class"].get<std::string>();
  STAGELANE_CHECK(readTensors(node, pointer, tree));
  const Json& children = listIn(node, "children");
  for (std::size_t i = 0; i < children.size(); ++i) {
    const std::string place = childPointer(childPointer(pointer, "children"), i);
    const Json& child = children[i];
    if (!child.is_array() || child.size() != 2 || !child[0].is_string()) {
      return invalid("a child must be [name, module]", place);
    }
    auto read =
        this->read(child[1], child[0].get<std::string>(), childPointer(place, 1), depth + 1);
    if (!read) return read;
    tree.children.push_back(std::move(*read));
  }
  return tree;
}

Result<MemoryList> memoryFrom(const Json& list, const std::string& pointer) {
  if (!list.is_array()) return invalid("max_memory must be a list of [device, bytes]", pointer);
  MemoryList memory;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Json& row = list[i];
    const bool sound = row.is_array() && row.size() == 2 && row[1].is_number_integer() &&
                       (row[0].is_number_integer() || row[0] == "cpu");
    if (!sound) {
      return invalid("a device in max_memory must be [number, bytes] or [\"cpu\", bytes]",
                     childPointer(pointer, i));
    }
    MapDevice device;
    if (row[0].is_string())
      device.word = "cpu";
    else
      device.gpu = row[0].get<int>();
    memory.emplace_back(device, row[1].get<Bytes>());
  }
  return memory;
}

Json jsonOf(const MapDevice& device) { return device.gpu ? Json(*device.gpu) : Json(device.word); }

Json jsonOf(const std::optional<DeviceMap>& map) {
  if (!map) return {{"raises", "IndexError"}};
  Json rows = Json::array();
  for (const auto& [name, device] : *map) rows.push_back(Json::array({name, jsonOf(device)}));
  return {{"ok", std::move(rows)}};
}

Json jsonOf(const MemoryList& memory) {
  Json rows = Json::array();
  for (const auto& [device, bytes] : memory) rows.push_back(Json::array({jsonOf(device), bytes}));
  return {{"ok", std::move(rows)}};
}

Result<std::vector<std::string>> classesFrom(const Json& value, const std::string& pointer) {
  std::vector<std::string> classes;
  if (value.is_null()) return classes;
  if (!value.is_array()) return invalid("no_split must be a list of classes or null", pointer);
  for (const Json& name : value) {
    if (!name.is_string()) return invalid("no_split must be a list of classes or null", pointer);
    classes.push_back(name.get<std::string>());
  }
  return classes;
}

Result<bool> flag(const Json& document, const char* key, const std::string& pointer) {
  if (!document.contains(key)) return false;
  if (document[key].is_boolean()) return document[key].get<bool>();
  return invalid(std::string(key) + " must be true or false", childPointer(pointer, key));
}

}  // namespace

Result<Json> answerDeviceMapCase(const Json& document, const std::string& pointer) {
  const char* key = document.is_object() && document.contains("model") ? "model" : "tree";
  if (!document.is_object() || !document.contains(key) || !document.contains("max_memory")) {
    return invalid("a case must be an object with \"tree\" (or \"model\") and \"max_memory\"",
                   pointer);
  }
  STAGELANE_TRY(tree, TreeReader().read(document[key], "", childPointer(pointer, key), 0));
  STAGELANE_TRY(memory, memoryFrom(document["max_memory"], childPointer(pointer, "max_memory")));
  STAGELANE_TRY(classes,
                classesFrom(document.value("no_split", Json()), childPointer(pointer, "no_split")));
  STAGELANE_TRY(fallback, flag(document, "fallback_allocation", pointer));
  STAGELANE_TRY(lowZero, flag(document, "low_zero", pointer));
  const MemoryList balanced = balancedMemory(*tree, *memory, *classes, *lowZero);
  return Json{{"map", jsonOf(inferDeviceMap(*tree, *memory, {*classes, *fallback, true}))},
              {"map_unclean", jsonOf(inferDeviceMap(*tree, *memory, {*classes, *fallback, false}))},
              {"balanced", jsonOf(balanced)},
              {"map_balanced", jsonOf(inferDeviceMap(*tree, balanced, {*classes, false, true}))}};
}

}  // namespace stagelane::plan
