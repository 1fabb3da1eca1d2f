#include "engine/model/summary.h"

#include <algorithm>
#include <array>
#include <map>

#include "engine/base/text.h"
#include "engine/model/layer_shapes.h"
#include "engine/model/python_text.h"

namespace stagelane::model {
namespace {

/// Versions of the programs whose formats and definitions the tables follow.
constexpr const char* kTorchVersion = "2.11.0";
constexpr const char* kTorchvisionVersion = "0.26.0";

struct Owned {
  std::int64_t parameterTensors = 0, parameters = 0, bufferTensors = 0, bufferElements = 0;
};

std::int64_t elementsOf(const OwnedTensor& tensor) {
  std::int64_t elements = 1;
  for (const std::int64_t size : tensor.shape) elements *= size;
  return elements;
}

Owned ownedBy(const LayerSpec& spec) {
  Owned owned;
  for (const OwnedTensor& tensor : ownedTensors(spec)) {
    const std::int64_t elements = elementsOf(tensor);
    const bool isParameter = tensor.role == OwnedTensor::Role::Parameter;
    (isParameter ? owned.parameterTensors : owned.bufferTensors) += 1;
    (isParameter ? owned.parameters : owned.bufferElements) += elements;
  }
  return owned;
}

Result<ModelShapes> shapesAt(const Model& model, const Shape& input, std::int64_t batch) {
  Shape whole{batch};
  whole.insert(whole.end(), input.begin(), input.end());
  return inferShapes(model, whole, DType::Float32);
}

bool isInPlace(const LayerSpec& spec) {
  const auto* relu = std::get_if<ReLU>(&spec);
  return relu != nullptr && relu->inplace;
}

Json jsonRow(const Layer& layer, const CallShape& shape) {
  const Owned owned = ownedBy(layer.spec);
  return Json{{"index", 0},
              {"name", layer.name},
              {"call", 0},
              {"class", std::string(className(layer.spec))},
              {"input_shape", shape.inputs.front()},
              {"output_shape", shape.output},
              {"param_tensors", owned.parameterTensors},
              {"params", owned.parameters},
              {"buffer_tensors", owned.bufferTensors},
              {"buffer_elements", owned.bufferElements},
              {"macs", shape.macs},
              {"is_inplace", isInPlace(layer.spec)}};
}

constexpr std::size_t kColumns = 7;
using Cells = std::array<std::string, kColumns>;

/// Lines of cells, the first two aligned left; a line of empty cells is a rule.
class Table {
 public:
  void add(Cells cells) {
    for (std::size_t i = 0; i < kColumns; ++i) m_widths[i] = std::max(m_widths[i], cells[i].size());
    m_lines.push_back(std::move(cells));
  }
  void addRule() { m_lines.emplace_back(); }

  [[nodiscard]] std::string text() const {
    std::size_t width = 2 * (kColumns - 1);
    for (const std::size_t column : m_widths) width += column;
    std::string text;
    for (const Cells& cells : m_lines) {
      text += cells == Cells{} ? std::string(width, '-') + "\n" : line(cells);
    }
    return text;
  }

 private:
  [[nodiscard]] std::string line(const Cells& cells) const {
    std::string text;
    for (std::size_t i = 0; i < kColumns; ++i) {
      const std::string space(m_widths[i] - cells[i].size(), ' ');
      if (i > 0) text += "  ";
      text += i < 2 ? cells[i] + space : space + cells[i];
    }
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }

  std::vector<Cells> m_lines;
  std::array<std::size_t, kColumns> m_widths{};
};

/// "tied" if all of a layer's parameters are owned by other layers.
std::string parametersText(const Model& model, const Layer& layer) {
  std::int64_t parameters = 0;
  bool isTied = false;
  for (const OwnedTensor& tensor : ownedTensors(layer.spec)) {
    const std::string name = layer.name + "." + tensor.name;
    if (tensor.role != OwnedTensor::Role::Parameter) continue;
    if (model.ownerOf(name) == name) {
      parameters += elementsOf(tensor);
    } else {
      isTied = true;
    }
  }
  return isTied && parameters == 0 ? "tied" : detail::withThousands(parameters);
}

Cells callCells(const Model& model, const CallShape& shape, bool isFirstCall) {
  const Block& block = model.blocks[shape.block];
  const Call& call = block.calls[shape.call];
  Cells cells{block.name,
              call.kind == CallKind::Flatten ? "(flatten)" : "(add)",
              detail::shapeText(shape.output),
              "",
              "",
              humanBytes(shape.outputBytes),
              humanBytes(shape.savedBytes)};
  if (call.kind != CallKind::Layer) return cells;
  const Layer& layer = model.layers[call.layer];
  cells[0] = layer.name;
  cells[1] = className(layer.spec);
  cells[3] = isFirstCall ? parametersText(model, layer) : "again";
  cells[4] = detail::withThousands(shape.macs);
  return cells;
}

Cells totalCells(const std::string& name, const std::string& what, const std::string& shape,
                 const BlockCost& cost) {
  return {name,
          what,
          shape,
          detail::withThousands(cost.parameters),
          detail::withThousands(cost.macs),
          humanBytes(cost.activationBytes),
          humanBytes(cost.savedBytes)};
}

BlockCost sumOf(const std::vector<BlockCost>& blocks) {
  BlockCost sum;
  for (const BlockCost& block : blocks) {
    sum.parameters += block.parameters;
    sum.bufferElements += block.bufferElements;
    sum.macs += block.macs;
    sum.parameterBytes += block.parameterBytes;
    sum.bufferBytes += block.bufferBytes;
    sum.activationBytes += block.activationBytes;
    sum.savedBytes += block.savedBytes;
    sum.temporaryBytes = std::max(sum.temporaryBytes, block.temporaryBytes);
  }
  return sum;
}

}  // namespace

Result<std::string> richTable(const Model& model, const Shape& input, std::int64_t batch) {
  STAGELANE_TRY(shapes, shapesAt(model, input, batch));
  Table table;
  table.add({"layer", "class", "output", "parameters", "MACs", "output bytes", "saved bytes"});
  table.addRule();
  std::vector<bool> seen(model.layers.size(), false);
  for (const CallShape& shape : shapes->calls) {
    const Block& block = model.blocks[shape.block];
    const Call& call = block.calls[shape.call];
    const bool isFirst = call.kind == CallKind::Layer && !seen[call.layer];
    if (isFirst) seen[call.layer] = true;
    table.add(callCells(model, shape, isFirst));
    if (block.calls.size() == 1 || shape.call + 1 < block.calls.size()) continue;
    table.add(totalCells("= " + block.name, block.className, detail::shapeText(shape.output),
                         shapes->blocks[shape.block]));
  }
  const BlockCost sum = sumOf(shapes->blocks);
  table.addRule();
  table.add(totalCells("= " + model.name, std::to_string(model.blocks.size()) + " blocks",
                       detail::shapeText(shapes->calls.back().output), sum));
  return table.text() + "batch " + std::to_string(batch) + ", float32; parameters " +
         humanBytes(sum.parameterBytes) + ", buffers " + humanBytes(sum.bufferBytes) +
         ", saved for backward " + humanBytes(sum.savedBytes) + ", temporary " +
         humanBytes(sum.temporaryBytes) + "\n";
}

Result<Json> summaryJson(const Model& model, const Shape& input, std::int64_t batch) {
  STAGELANE_TRY(shapes, shapesAt(model, input, batch));
  Json rows = Json::array();
  std::map<std::size_t, int> calls;
  std::int64_t macs = 0;
  for (const CallShape& shape : shapes->calls) {
    const Call& call = model.blocks[shape.block].calls[shape.call];
    if (call.kind != CallKind::Layer) continue;
    Json row = jsonRow(model.layers[call.layer], shape);
    row["index"] = rows.size();
    row["call"] = ++calls[call.layer];
    macs += shape.macs;
    rows.push_back(std::move(row));
  }
  const BlockCost sum = sumOf(shapes->blocks);
  return Json{{"model", model.name},
              {"torch", kTorchVersion},
              {"torchvision", kTorchvisionVersion},
              {"batch", batch},
              {"input_size", input},
              {"calls", rows.size()},
              {"leaf_modules", model.layers.size()},
              {"total_params", sum.parameters},
              {"total_buffer_elements", sum.bufferElements},
              {"total_macs", macs},
              {"rows", std::move(rows)}};
}

}  // namespace stagelane::model
