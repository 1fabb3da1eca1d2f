#include "engine/plan/stages.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "engine/base/text.h"
#include "engine/plan/device.h"

namespace stagelane::plan {
namespace {

/// True if `prefix` is `name` or one of its enclosing modules.
bool isPrefixOf(std::string_view prefix, std::string_view name) {
  if (prefix.empty()) return true;
  if (name.substr(0, prefix.size()) != prefix) return false;
  return name.size() == prefix.size() || name[prefix.size()] == '.';
}

/// The first `parts` parts of a dotted name; the whole name if it has no more.
std::string prefixOf(std::string_view name, std::size_t parts) {
  std::size_t end = 0;
  for (std::size_t part = 0; part < parts && end != std::string_view::npos; ++part) {
    end = name.find('.', part == 0 ? 0 : end + 1);
  }
  return std::string(name.substr(0, end));
}

/// Names allowed in a placement: every block and every module that contains blocks.
std::vector<std::string> placeableNames(const model::Model& model) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const model::Block& block : model.blocks) {
    for (std::size_t parts = 1;; ++parts) {
      const std::string prefix = prefixOf(block.name, parts);
      if (seen.insert(prefix).second) names.push_back(prefix);
      if (prefix == block.name) break;
    }
  }
  return names;
}

Error unknownName(const model::Model& model, const std::string& key, std::string pointer) {
  for (const model::Block& block : model.blocks) {
    if (!isPrefixOf(block.name, key)) continue;
    return Error{
        ErrorCode::Invalid,
        "\"" + key + "\" is inside the block \"" + block.name + "\", which cannot be split",
        std::move(pointer), "Use \"" + block.name + "\""};
  }
  const std::string similar = nearest(key, placeableNames(model));
  std::string hint = similar.empty() ? "The blocks are:" : "Did you mean \"" + similar + "\"?";
  if (similar.empty()) {
    for (const model::Block& block : model.blocks) hint += " " + block.name;
  }
  return Error{ErrorCode::Invalid, "the model " + model.name + " has no block \"" + key + "\"",
               std::move(pointer), std::move(hint)};
}

struct PlacementRule {
  std::string prefix;
  DeviceId device;
};

Result<std::vector<PlacementRule>> readRules(const model::Model& model, const Json& placement,
                                             const std::string& pointer) {
  if (!placement.is_object()) {
    return fail(ErrorCode::Invalid, "a placement must be an object of blocks and devices", pointer,
                "Use {\"conv1\": \"cpu:0\", …}");
  }
  std::vector<PlacementRule> rules;
  for (const auto& [key, value] : placement.items()) {
    const std::string place = childPointer(pointer, key);
    const std::string& prefix = key;
    const bool matches =
        std::any_of(model.blocks.begin(), model.blocks.end(),
                    [&prefix = prefix](const auto& b) { return isPrefixOf(prefix, b.name); });
    if (!matches) return tl::make_unexpected(unknownName(model, key, place));
    STAGELANE_TRY(device, deviceFromJson(value, place));
    rules.push_back({key, std::move(*device)});
  }
  return rules;
}

/// A suggestion of an entry that covers `block`.
std::string coveringHint(const model::Model& model,
                         const std::vector<std::optional<DeviceId>>& devices, std::size_t block) {
  const std::string group = prefixOf(model.blocks[block].name, 1);
  bool wholeGroup = true;
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    if (isPrefixOf(group, model.blocks[i].name) && devices[i]) wholeGroup = false;
  }
  std::string device = "DEVICE";
  for (std::size_t i = 0; i < devices.size() && (i < block || device == "DEVICE"); ++i) {
    if (devices[i]) device = devices[i]->value;
  }
  return "Add \"" + (wholeGroup ? group : model.blocks[block].name) + "\": \"" + device + "\"";
}

/// The devices of a stage's replicas. Every replica needs its own.
Result<DeviceGroup> groupFromJson(const Json& value, const std::string& pointer) {
  if (!value.is_array()) {
    STAGELANE_TRY(device, deviceFromJson(value, pointer));
    return DeviceGroup(std::move(*device));
  }
  std::vector<DeviceId> replicas;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string place = childPointer(pointer, i);
    STAGELANE_TRY(device, deviceFromJson(value[i], place));
    if (std::find(replicas.begin(), replicas.end(), *device) != replicas.end()) {
      return fail(ErrorCode::Invalid, "two replicas of a stage are on " + device->value, place,
                  "Give each replica a device of its own");
    }
    replicas.push_back(std::move(*device));
  }
  if (replicas.empty()) {
    return fail(ErrorCode::Invalid, "the list of devices is empty", pointer,
                "Use \"cpu:0\", or a device for each replica");
  }
  return DeviceGroup(std::move(replicas));
}

}  // namespace

Result<DeviceId> deviceFromJson(const Json& value, const std::string& pointer) {
  if (value.is_number_integer()) {
    const auto index = value.get<std::int64_t>();
    DeviceId id{"cuda:" + std::to_string(index)};
    if (parseDevice(id)) return id;
    return fail(ErrorCode::Invalid, value.dump() + " is not a GPU number", pointer,
                "Use 0 for cuda:0, or a name such as \"cpu:0\"");
  }
  if (!value.is_string()) {
    return fail(ErrorCode::Invalid, "expected a device name, found " + value.dump(), pointer,
                "Use \"cpu:0\" or \"cuda:0\"");
  }
  DeviceId id{value.get<std::string>()};
  if (id.value == "cpu" || id.value == "disk") {
    return fail(ErrorCode::Invalid,
                "\"" + id.value + "\" (offload) is not available in this version", pointer,
                "Use \"cpu:0\" for a CPU worker, \"cuda:0\" for a GPU");
  }
  auto parsed = parseDevice(id);
  if (!parsed) {
    Error error = parsed.error();
    error.context = pointer;
    return tl::make_unexpected(std::move(error));
  }
  return id;
}

Result<std::vector<DeviceId>> devicesOfBlocks(const model::Model& model, const Json& placement,
                                              const std::string& pointer) {
  STAGELANE_TRY(rules, readRules(model, placement, pointer));
  std::vector<std::optional<DeviceId>> found(model.blocks.size());
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    std::optional<std::size_t> longest;
    for (const PlacementRule& rule : *rules) {
      if (!isPrefixOf(rule.prefix, model.blocks[i].name)) continue;
      if (longest && rule.prefix.size() < *longest) continue;
      longest = rule.prefix.size();
      found[i] = rule.device;
    }
  }
  std::vector<DeviceId> devices;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) {
      return fail(ErrorCode::Invalid,
                  "the placement has no device for the block \"" + model.blocks[i].name + "\"",
                  pointer, coveringHint(model, found, i));
    }
    devices.push_back(*found[i]);
  }
  return devices;
}

std::vector<Stage> stagesOf(const std::vector<DeviceId>& deviceOfBlock) {
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < deviceOfBlock.size(); ++i) {
    if (!stages.empty() && stages.back().group == deviceOfBlock[i]) {
      stages.back().lastBlock = i;
    } else {
      stages.push_back({i, i, deviceOfBlock[i]});
    }
  }
  return stages;
}

Result<std::vector<Stage>> stagesFromJson(const model::Model& model, const Json& stages,
                                          const std::string& pointer) {
  if (!stages.is_array() || stages.empty()) {
    return fail(ErrorCode::Invalid, "stages must list at least one stage", pointer,
                "Use [{\"first\": \"" + model.blocks.front().name + "\", \"device\": \"cpu:0\"}]");
  }
  std::vector<Stage> answer;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::string place = childPointer(pointer, i);
    ObjectReader reader(stages[i], place);
    const std::string first = reader.text("first");
    const Json* deviceValue = reader.raw("device");
    if (deviceValue == nullptr) reader.problem("", "\"device\" is missing");
    STAGELANE_CHECK(reader.finish());
    STAGELANE_TRY(group, groupFromJson(*deviceValue, childPointer(place, "device")));

    const std::string firstPlace = childPointer(place, "first");
    const auto block =
        std::find_if(model.blocks.begin(), model.blocks.end(), [&](const model::Block& candidate) {
          return !first.empty() && isPrefixOf(first, candidate.name);
        });
    if (block == model.blocks.end()) {
      return tl::make_unexpected(unknownName(model, first, firstPlace));
    }
    const auto index = static_cast<std::size_t>(block - model.blocks.begin());
    if (answer.empty() && index != 0) {
      return fail(
          ErrorCode::Invalid,
          "the first stage begins with \"" + first + "\", so the blocks before it have no device",
          firstPlace, "Begin with \"" + model.blocks.front().name + "\"");
    }
    if (!answer.empty() && index <= answer.back().firstBlock) {
      return fail(ErrorCode::Invalid,
                  "\"" + first + "\" does not come after the first block of the previous stage",
                  firstPlace, "List each stage once, in the order of the model");
    }
    if (!answer.empty()) answer.back().lastBlock = index - 1;
    answer.push_back({index, model.blocks.size() - 1, std::move(*group)});
  }
  return answer;
}

Json stagesToJson(const model::Model& model, const std::vector<Stage>& stages) {
  Json list = Json::array();
  for (const Stage& stage : stages) {
    Json devices = Json::array();
    for (const DeviceId& device : stage.group) devices.push_back(device.value);
    list.push_back({{"first", model.blocks[stage.firstBlock].name},
                    {"device", devices.size() == 1 ? devices.front() : devices}});
  }
  return list;
}

namespace {

/// Writes `prefix` (which covers `blocks`) as one key if they share a device, else recurses.
void writeGroup(const model::Model& model, const std::vector<DeviceId>& devices,
                const std::vector<std::size_t>& blocks, std::size_t parts, Json& answer) {
  const DeviceId& device = devices[blocks.front()];
  const bool shared = std::all_of(blocks.begin(), blocks.end(),
                                  [&](std::size_t block) { return devices[block] == device; });
  if (shared) {
    answer[parts == 0 ? "" : prefixOf(model.blocks[blocks.front()].name, parts)] = device.value;
    return;
  }
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::size_t>> groups;
  for (const std::size_t block : blocks) {
    const std::string prefix = prefixOf(model.blocks[block].name, parts + 1);
    if (groups[prefix].empty()) order.push_back(prefix);
    groups[prefix].push_back(block);
  }
  for (const std::string& prefix : order) {
    writeGroup(model, devices, groups[prefix], parts + 1, answer);
  }
}

}  // namespace

Json placementOf(const model::Model& model, const std::vector<DeviceId>& deviceOfBlock) {
  Json answer = Json::object();
  std::vector<std::size_t> all(model.blocks.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  if (!all.empty()) writeGroup(model, deviceOfBlock, all, 0, answer);
  return answer;
}

std::vector<DeviceId> deviceOfEachBlock(const std::vector<Stage>& stages, std::size_t blockCount) {
  std::vector<DeviceId> devices(blockCount);
  for (const Stage& stage : stages) {
    for (std::size_t i = stage.firstBlock; i <= stage.lastBlock && i < blockCount; ++i) {
      devices[i] = stage.group.first();
    }
  }
  return devices;
}

SharedParameters sharedParameters(const model::Model& model, const std::vector<Stage>& stages) {
  if (model.ties.empty()) return {};  // a layer is of one block, and a block of one stage
  std::map<std::string, std::set<int>> users;
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    for (std::size_t block = stages[stage].firstBlock; block <= stages[stage].lastBlock; ++block) {
      for (const std::size_t index : model.blocks[block].layers) {
        const model::Layer& layer = model.layers[index];
        for (const model::OwnedTensor& owned : model::ownedTensors(layer.spec)) {
          if (owned.role != model::OwnedTensor::Role::Parameter) continue;
          users[model.ownerOf(layer.name + "." + owned.name)].insert(static_cast<int>(stage));
        }
      }
    }
  }
  SharedParameters shared;
  for (const auto& [name, of] : users) {
    if (of.size() > 1) shared[name].assign(of.begin(), of.end());
  }
  return shared;
}

}  // namespace stagelane::plan
