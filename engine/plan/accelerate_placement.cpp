#include "engine/plan/accelerate_placement.h"

#include <algorithm>
#include <set>

namespace stagelane::plan {
namespace {

/// More than any device has, yet sums of it do not overflow.
constexpr Bytes kUnlimited = Bytes{1} << 50;

/// Numbers tensors by full name; tied tensors share the number of the first.
class TreeBuilder {
 public:
  TreeBuilder(const model::Model& model, model::DType dtype) : m_model(model), m_dtype(dtype) {}

  ModuleTree build(const model::ModuleNode& node) {
    ModuleTree tree;
    tree.name = node.name;
    tree.className = node.className;
    if (node.layer) addTensors(m_model.layers[*node.layer], tree);
    for (const model::ModuleNode& child : node.children) tree.children.push_back(build(child));
    return tree;
  }

 private:
  void addTensors(const model::Layer& layer, ModuleTree& tree) {
    using Role = model::OwnedTensor::Role;
    for (const model::OwnedTensor& tensor : model::ownedTensors(layer.spec)) {
      Bytes bytes = tensor.role == Role::IntegerBuffer ? 8 : model::bytesPerElement(m_dtype);
      for (const std::int64_t size : tensor.shape) bytes *= size;
      if (tensor.role == Role::Parameter) {
        tree.parameters.push_back({tensor.name, bytes, numberOf(layer.name + "." + tensor.name)});
      } else {
        tree.buffers.push_back({tensor.name, bytes});
      }
    }
  }

  std::int64_t numberOf(const std::string& name) {
    const auto tie = m_model.ties.find(name);
    const std::string& first = tie == m_model.ties.end() ? name : tie->second;
    return m_numbers.try_emplace(first, static_cast<std::int64_t>(m_numbers.size())).first->second;
  }

  const model::Model& m_model;
  model::DType m_dtype;
  std::map<std::string, std::int64_t> m_numbers;
};

/// The longest map entry that contains the block; null if the block was split.
const MapDevice* placeOf(const DeviceMap& map, const std::string& block) {
  for (std::string path = block;;) {
    const auto found = map.find(path);
    if (found != map.end()) return &found->second;
    if (path.empty()) return nullptr;
    const std::size_t dot = path.rfind('.');
    path.resize(dot == std::string::npos ? 0 : dot);
  }
}

Result<std::vector<DeviceId>> devicesOf(const model::Model& model, const DeviceMap& map,
                                        const std::vector<DeviceSpec>& devices,
                                        const std::string& pointer) {
  std::vector<DeviceId> answer;
  for (const model::Block& block : model.blocks) {
    const MapDevice* place = placeOf(map, block.name);
    if (place == nullptr || !place->gpu) {
      const std::string where = place == nullptr ? "several devices" : place->word;
      return fail(ErrorCode::Invalid,
                  "accelerate places the block " + block.name + " on " + where +
                      ", because the devices have too little memory for it",
                  pointer, "Increase \"max_memory\" of the devices, or use \"optimal\"");
    }
    answer.push_back(devices[static_cast<std::size_t>(*place->gpu)].id);
  }
  return answer;
}

}  // namespace

std::optional<AccelerateMode> accelerateModeFrom(std::string_view word) {
  const auto found = std::find(kAccelerateModes.begin(), kAccelerateModes.end(), word);
  if (found == kAccelerateModes.end()) return std::nullopt;
  return static_cast<AccelerateMode>(found - kAccelerateModes.begin());
}

ModuleTree moduleTreeOf(const model::Model& model, model::DType dtype) {
  return TreeBuilder(model, dtype).build(model.root);
}

Result<std::vector<Stage>> accelerateStages(const model::Model& model, model::DType dtype,
                                            const std::vector<DeviceSpec>& devices,
                                            AccelerateMode mode, const std::string& pointer) {
  const ModuleTree tree = moduleTreeOf(model, dtype);
  std::set<std::string> classes;
  for (const model::Block& block : model.blocks) classes.insert(block.className);
  MapOptions options;
  options.noSplit.assign(classes.begin(), classes.end());
  MemoryList memory;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    memory.push_back({{static_cast<int>(i), ""}, devices[i].maxMemory.value_or(kUnlimited)});
  }
  if (mode != AccelerateMode::Sequential) {
    memory = balancedMemory(tree, memory, options.noSplit, mode == AccelerateMode::BalancedLow0);
  }
  const auto map = inferDeviceMap(tree, memory, options);
  if (!map) {
    return fail(ErrorCode::Invalid,
                "accelerate cannot map this model: a tied parameter belongs to a module that is "
                "already placed",
                pointer, "Use \"optimal\", or an object of blocks and devices");
  }
  STAGELANE_TRY(deviceOfBlock, devicesOf(model, *map, devices, pointer));
  return stagesOf(*deviceOfBlock);
}

}  // namespace stagelane::plan
