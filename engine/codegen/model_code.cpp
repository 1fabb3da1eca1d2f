#include "engine/codegen/model_code.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/codegen/layer_code.h"

namespace stagelane::codegen::detail {
namespace {

constexpr std::string_view kResidual = R"(class Residual(nn.Sequential):
    """Adds its input to the output of its layers."""

    def forward(self, x):
        return x + super().forward(x)


)";

constexpr std::string_view kPositionEmbedding = R"(class PositionEmbedding(nn.Module):
    """Adds a learned vector to each position."""

    def __init__(self, positions, features):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(positions, features))
        nn.init.normal_(self.weight)

    def forward(self, x):
        return x + self.weight[: x.size(1)]


)";

constexpr std::string_view kAttention = R"(class CausalSelfAttention(nn.Module):
    """Attention to the position itself and earlier ones. The input holds queries, keys and values
    concatenated in the last dimension."""

    def __init__(self, heads):
        super().__init__()
        self.heads = heads

    def forward(self, x):
        # Three tensors of [batch, heads, positions, features per head].
        query, key, value = x.unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        return mixed.transpose(1, 2).flatten(2)


)";

constexpr std::string_view kShortcut =
    R"(def shortcut_of(channels, out, stride):
    """Maps a block's input to the shape of its output; None if the shapes are equal."""
    if channels == out and stride == 1:
        return None
    return nn.Sequential(
        nn.Conv2d(channels, out, 1, stride=stride, bias=False), nn.BatchNorm2d(out)
    )


)";

constexpr std::string_view kBasicBlock = R"(class BasicBlock(nn.Module):
    """Two convolutions with a shortcut. Parameters have torchvision's names."""

    def __init__(self, channels, out, stride=1):
        super().__init__()
        # Initial values are drawn in the order of construction; torchvision begins here.
        shortcut = shortcut_of(channels, out, stride)
        self.conv1 = nn.Conv2d(channels, out, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(out)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(out, out, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(out)
        self.downsample = shortcut

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        y += x if self.downsample is None else self.downsample(x)
        return self.relu(y)


)";

constexpr std::string_view kBottleneck = R"(class Bottleneck(nn.Module):
    """Three convolutions, the middle one narrow, with a shortcut. Parameters have torchvision's
    names."""

    def __init__(self, channels, width, out, stride=1):
        super().__init__()
        # Initial values are drawn in the order of construction; torchvision begins here.
        shortcut = shortcut_of(channels, out, stride)
        self.conv1 = nn.Conv2d(channels, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride=stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, out, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(out)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = shortcut

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        y += x if self.downsample is None else self.downsample(x)
        return self.relu(y)


)";

constexpr std::string_view kDrawConvolutions =
    R"(    # torchvision initializes these again at the end.
    modules = [module for block in blocks.values() for module in block.modules()]
    for module in modules:
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
            if module.bias is not None:
                nn.init.zeros_(module.bias)
)";

constexpr std::string_view kDrawLinear = R"(        elif isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, 0, 0.01)
            nn.init.zeros_(module.bias)
)";

/// `layer3.12` → `layer3.` and 12.
std::optional<std::pair<std::string, long>> numbered(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  long number = 0;
  const auto read = std::from_chars(name.data() + digits, name.data() + name.size(), number);
  const bool leadingZero = name.size() > digits + 1 && name[digits] == '0';
  if (digits == 0 || digits == name.size() || leadingZero || read.ec != std::errc{}) return {};
  return std::pair(name.substr(0, digits), number);
}

class ModelWriter {
 public:
  ModelWriter(const model::Model& model, const std::set<std::size_t>& stageStarts)
      : m_model(model), m_stageStarts(stageStarts) {
    collect(model.root);
  }

  [[nodiscard]] ModelCode write() {
    std::vector<Expression> blocks;
    for (std::size_t i = 0; i < m_model.blocks.size(); ++i) blocks.push_back(blockCode(i));
    ModelCode code;
    writeBuild(blocks);
    code.buildFunction = m_build.text();
    code.classes = classes();
    code.dropout = std::any_of(
        m_model.layers.begin(), m_model.layers.end(),
        [](const model::Layer& each) { return std::holds_alternative<model::Dropout>(each.spec); });
    for (const auto& [tensor, owner] : m_model.ties) code.tied[owner] = accessOf(owner);
    return code;
  }

 private:
  void collect(const model::ModuleNode& node) {
    m_nodes[node.path] = &node;
    for (const model::ModuleNode& child : node.children) collect(child);
  }

  Expression layer(std::size_t index, const std::string& access) {
    const model::Layer& each = m_model.layers[index];
    m_access[each.name] = access;
    m_used.insert(std::string(model::className(each.spec)));
    model::LayerSpec spec = each.spec;
    if (m_fresh) {
      // A stage's input may be used elsewhere, or be a leaf, so it must not be overwritten.
      if (auto* relu = std::get_if<model::ReLU>(&spec)) relu->inplace = false;
      m_fresh = false;
    }
    return layerCode(spec);
  }

  Expression blockCode(std::size_t index) {
    const model::Block& block = m_model.blocks[index];
    m_fresh = m_stageStarts.count(index) > 0;
    const std::string access = "blocks[" + pythonText(block.name) + "]";
    const model::ModuleNode& node = *m_nodes.at(block.name);
    if (!node.layer) return containerCode(node, access);
    const bool flattened = block.calls.front().kind == model::CallKind::Flatten;
    if (!flattened) return layer(*node.layer, access);
    return callOf("nn.Sequential", {callOf("nn.Flatten", {}), layer(*node.layer, access + "[1]")});
  }

  Expression containerCode(const model::ModuleNode& node, const std::string& access) {
    m_used.insert(node.className);
    if (node.className == "BasicBlock" || node.className == "Bottleneck") return residualOf(node);
    if (node.className == "Block") return transformerBlock(node, access);
    std::vector<Expression> items;
    append(node, access, items);
    return callOf(node.className == "Residual" ? "Residual" : "nn.Sequential", std::move(items));
  }

  /// Appends the children of a container that runs them in sequence.
  void append(const model::ModuleNode& node, const std::string& access,
              std::vector<Expression>& items) {
    for (const model::ModuleNode& child : node.children) {
      const std::string place = access + "[" + std::to_string(items.size()) + "]";
      items.push_back(child.layer ? layer(*child.layer, place) : containerCode(child, place));
    }
  }

  /// Both halves add their output to their input.
  Expression transformerBlock(const model::ModuleNode& node, const std::string& access) {
    m_used.insert("Residual");
    std::vector<Expression> halves;
    for (std::size_t half = 0; half < 2; ++half) {
      const std::string place = access + "[" + std::to_string(half) + "]";
      std::vector<Expression> items{layer(*node.children[2 * half].layer, place + "[0]")};
      append(node.children[2 * half + 1], place, items);
      halves.push_back(callOf("Residual", std::move(items)));
    }
    return callOf("nn.Sequential", std::move(halves));
  }

  [[nodiscard]] const model::Conv2d& convolution(const std::string& path) const {
    return std::get<model::Conv2d>(m_model.layers[*m_nodes.at(path)->layer].spec);
  }

  Expression residualOf(const model::ModuleNode& node) {
    m_fresh = false;
    const bool narrow = node.className == "Bottleneck";
    const model::Conv2d& first = convolution(node.path + ".conv1");
    const model::Conv2d& second = convolution(node.path + ".conv2");
    std::vector<Expression> items{leaf(std::to_string(first.inChannels)),
                                  leaf(std::to_string(first.outChannels))};
    if (narrow) {
      items.push_back(leaf(std::to_string(convolution(node.path + ".conv3").outChannels)));
    }
    const std::int64_t stride = narrow ? second.stride[0] : first.stride[0];
    if (stride != 1) items.push_back(leaf("stride=" + std::to_string(stride)));
    return callOf(node.className, std::move(items));
  }

  /// Consecutive equal blocks with numbered names become a loop.
  [[nodiscard]] std::size_t alike(const std::vector<Expression>& blocks, std::size_t begin) const {
    const auto first = numbered(m_model.blocks[begin].name);
    std::size_t end = begin + 1;
    for (; first && end < blocks.size() && blocks[end] == blocks[begin]; ++end) {
      const auto next = numbered(m_model.blocks[end].name);
      const long expected = first->second + static_cast<long>(end - begin);
      if (!next || next->first != first->first || next->second != expected) break;
    }
    return end;
  }

  void writeBuild(const std::vector<Expression>& blocks) {
    m_build.line("def build_blocks():").indent();
    m_build.line("\"\"\"The blocks of " + plainWords(m_model.name) +
                 " in chain order, with their initial values.\"\"\"");
    m_build.line("torch.manual_seed(SEED)").line("blocks = {}");
    for (std::size_t at = 0; at < blocks.size();) {
      const std::size_t end = alike(blocks, at);
      const std::string& name = m_model.blocks[at].name;
      if (end - at > 1) {
        const auto [prefix, from] = *numbered(name);
        m_build.line("for i in range(" + std::to_string(from) + ", " +
                     std::to_string(from + static_cast<long>(end - at)) + "):");
        m_build.indent();
        m_build.assign("blocks[f\"" + prefix + "{i}\"]", blocks[at]);
        m_build.dedent();
      } else {
        m_build.assign("blocks[" + pythonText(name) + "]", blocks[at]);
      }
      at = end;
    }
    const std::string& root = m_model.root.className;
    if (root == "ResNet" || root == "VGG") m_build.lines(kDrawConvolutions);
    if (root == "VGG") m_build.lines(kDrawLinear);
    for (const auto& [tensor, owner] : m_model.ties) {
      m_build.line(accessOf(tensor) + " = " + accessOf(owner));
    }
    m_build.line("return {name: block.to(DTYPE) for name, block in blocks.items()}");
    m_build.dedent();
  }

  [[nodiscard]] std::string accessOf(const std::string& tensor) const {
    const std::size_t dot = tensor.rfind('.');
    return m_access.at(tensor.substr(0, dot)) + tensor.substr(dot);
  }

  [[nodiscard]] std::string classes() const {
    const auto uses = [this](const char* name) { return m_used.count(name) > 0; };
    std::string text;
    if (uses("Residual")) text += kResidual;
    if (uses("PositionEmbedding")) text += kPositionEmbedding;
    if (uses("CausalSelfAttention")) text += kAttention;
    if (uses("BasicBlock") || uses("Bottleneck")) text += kShortcut;
    if (uses("BasicBlock")) text += kBasicBlock;
    if (uses("Bottleneck")) text += kBottleneck;
    return text;
  }

  const model::Model& m_model;
  const std::set<std::size_t>& m_stageStarts;
  std::map<std::string, const model::ModuleNode*> m_nodes;
  std::map<std::string, std::string> m_access;  ///< of each layer
  std::set<std::string> m_used;                 ///< class names
  bool m_fresh = false;                         ///< the next layer is the first of a stage
  Code m_build;
};

}  // namespace

ModelCode modelCode(const model::Model& model, const std::set<std::size_t>& stageStarts) {
  return ModelWriter(model, stageStarts).write();
}

}  // namespace stagelane::codegen::detail
