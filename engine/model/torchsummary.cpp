#include <array>
#include <cstdio>
#include <map>
#include <optional>

#include "engine/model/layer_shapes.h"
#include "engine/model/python_text.h"
#include "engine/model/summary.h"

namespace stagelane::model {
namespace {

/// torchsummary runs the model on two samples, because batch norm rejects one.
constexpr std::int64_t kTracedBatch = 2;
constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr double kElementBytes = 4.0;

struct Row {
  std::string className;
  Shape output;
  std::int64_t parameters = 0;
};

std::int64_t parametersOf(const LayerSpec& spec) {
  std::int64_t parameters = 0;
  for (const OwnedTensor& tensor : ownedTensors(spec)) {
    if (tensor.role != OwnedTensor::Role::Parameter) continue;
    std::int64_t elements = 1;
    for (const std::int64_t size : tensor.shape) elements *= size;
    parameters += elements;
  }
  return parameters;
}

/// The containers of a model, and where each one's forward ends: at its last leaf, or at the end of
/// its block if it is a block. Sequentials and the model itself have no row.
class Containers {
 public:
  explicit Containers(const Model& model) : m_model(model) {
    for (const ModuleNode& child : model.root.children) visit(child);
  }

  /// Class names of the containers that end with a call, innermost first.
  [[nodiscard]] std::vector<std::string> endingWith(std::size_t block, std::size_t call) const {
    std::vector<std::string> names;
    const auto found = m_ends.find({block, call});
    return found == m_ends.end() ? names : found->second;
  }

 private:
  void visit(const ModuleNode& node) {
    for (const ModuleNode& child : node.children) visit(child);
    if (node.layer || node.className == "Sequential") return;
    if (const auto end = endOf(node)) m_ends[*end].push_back(node.className);
  }

  using Place = std::pair<std::size_t, std::size_t>;  // block, call

  [[nodiscard]] std::optional<Place> endOf(const ModuleNode& node) const {
    std::optional<Place> end;
    for (std::size_t block = 0; block < m_model.blocks.size(); ++block) {
      const std::vector<Call>& calls = m_model.blocks[block].calls;
      if (m_model.blocks[block].name == node.path) return Place{block, calls.size() - 1};
      for (std::size_t call = 0; call < calls.size(); ++call) {
        if (calls[call].kind == CallKind::Layer && isBelow(calls[call].layer, node)) {
          end = {block, call};
        }
      }
    }
    return end;
  }

  [[nodiscard]] bool isBelow(std::size_t layer, const ModuleNode& node) const {
    return m_model.layers[layer].name.rfind(node.path + ".", 0) == 0;
  }

  const Model& m_model;
  std::map<Place, std::vector<std::string>> m_ends;
};

/// One row for each module at the end of its forward: leaves, then the enclosing containers.
std::vector<Row> rowsOf(const Model& model, const ModelShapes& shapes) {
  std::vector<Row> rows;
  const Containers containers(model);
  for (const CallShape& shape : shapes.calls) {
    const Call& call = model.blocks[shape.block].calls[shape.call];
    if (call.kind == CallKind::Layer) {
      const LayerSpec& spec = model.layers[call.layer].spec;
      rows.push_back({std::string(className(spec)), shape.output, parametersOf(spec)});
    }
    for (const std::string& name : containers.endingWith(shape.block, shape.call)) {
      rows.push_back({name, shape.output, 0});
    }
  }
  return rows;
}

std::string line(const std::string& first, const std::string& second, const std::string& third) {
  return detail::alignRight(first, 20) + "  " + detail::alignRight(second, 25) + " " +
         detail::alignRight(third, 15) + "\n";
}

std::string megabytes(const char* label, double value) {
  std::array<char, 128> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%s (MB): %0.2f\n", label, value);
  return buffer.data();
}

double elementsWithoutBatch(const Shape& shape) {
  double elements = 1.0;
  for (std::size_t i = 1; i < shape.size(); ++i) elements *= static_cast<double>(shape[i]);
  return elements;
}

}  // namespace

Result<std::string> torchsummaryTable(const Model& model, const Shape& input) {
  Shape traced{kTracedBatch};
  traced.insert(traced.end(), input.begin(), input.end());
  STAGELANE_TRY(shapes, inferShapes(model, traced, DType::Float32));
  const std::string thin = std::string(64, '-') + "\n";
  const std::string thick = std::string(64, '=') + "\n";
  std::string text = thin + line("Layer (type)", "Output Shape", "Param #") + thick;
  std::int64_t parameters = 0;
  double outputs = 0.0;
  std::size_t index = 0;
  for (const Row& row : rowsOf(model, *shapes)) {
    Shape shown = row.output;
    shown.front() = -1;
    text += line(row.className + "-" + std::to_string(++index), detail::shapeText(shown),
                 detail::withThousands(row.parameters));
    parameters += row.parameters;
    outputs += elementsWithoutBatch(row.output);
  }
  const double inputSize = elementsWithoutBatch(traced) * kElementBytes / kMebibyte;
  const double outputSize = 2.0 * outputs * kElementBytes / kMebibyte;
  const double parameterSize = static_cast<double>(parameters) * kElementBytes / kMebibyte;
  text += thick + "Total params: " + detail::withThousands(parameters) +
          "\nTrainable params: " + detail::withThousands(parameters) +
          "\nNon-trainable params: 0\n" + thin;
  text += megabytes("Input size", inputSize) + megabytes("Forward/backward pass size", outputSize) +
          megabytes("Params size", parameterSize) +
          megabytes("Estimated Total Size", parameterSize + outputSize + inputSize) + thin;
  return text;
}

}  // namespace stagelane::model
