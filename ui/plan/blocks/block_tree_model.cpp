#include "ui/plan/blocks/block_tree_model.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

struct BlockTreeModel::Node {
  QString name;
  QString path;
  QString className;
  Node* parent = nullptr;
  int row = 0;
  std::size_t first = 0;  ///< blocks
  std::size_t last = 0;
  bool hasBlocks = false;  ///< is a block, or contains some
  std::int64_t parameters = 0;
  TimeNs timeNs = 0;
  std::vector<std::unique_ptr<Node>> children;
};

namespace {

constexpr TimeNs kMicrosecondsBelowNs = 5'000'000;  ///< shorter steps are shown in µs

bool within(const std::string& inner, const std::string& outer) {
  return outer.empty() || inner == outer ||
         (inner.size() > outer.size() && inner.compare(0, outer.size(), outer) == 0 &&
          inner[outer.size()] == '.');
}

}  // namespace

BlockTreeModel::BlockTreeModel(PlanModel* plan, QObject* parent)
    : QAbstractItemModel(parent), m_plan(plan), m_tree{std::make_unique<Node>(), {}} {
  connect(plan, &PlanModel::planChanged, this, [this] {
    if (m_plan->table() != m_table) {
      takeTable();
    } else {
      refreshDevices();
    }
  });
  takeTable();
}

BlockTreeModel::~BlockTreeModel() = default;

BlockTreeModel::Tree BlockTreeModel::treeOf(const BlockTable& table) {
  Tree tree;
  tree.root = std::make_unique<Node>();
  const model::Model& model = *table.model;
  tree.nodeOfBlock.resize(model.blocks.size(), nullptr);
  const auto build = [&](const auto& self, const model::ModuleNode& module, Node* parent,
                         std::optional<std::size_t> insideBlock) -> void {
    auto node = std::make_unique<Node>();
    node->name = qstring(module.path.empty() ? model.name : module.path);
    if (insideBlock) node->name = qstring(module.name);
    node->path = qstring(module.path);
    node->className = qstring(module.className);
    node->parent = parent;
    node->row = static_cast<int>(parent->children.size());
    if (module.layer) node->parameters = table.layerParameters[*module.layer];
    bool found = false;
    for (std::size_t block = 0; block < model.blocks.size(); ++block) {
      if (insideBlock || !within(model.blocks[block].name, module.path)) continue;
      node->first = found ? node->first : block;
      node->last = block;
      node->timeNs += table.blocks[block].timeNs();
      found = node->hasBlocks = true;
      if (model.blocks[block].name == module.path) tree.nodeOfBlock[block] = node.get();
    }
    if (insideBlock) node->first = node->last = *insideBlock;
    const bool isBlock = !insideBlock && node->hasBlocks && node->first == node->last &&
                         model.blocks[node->first].name == module.path;
    for (const model::ModuleNode& child : module.children) {
      self(self, child, node.get(), isBlock ? std::optional(node->first) : insideBlock);
      if (!module.layer) node->parameters += node->children.back()->parameters;
    }
    parent->children.push_back(std::move(node));
  };
  build(build, model.root, tree.root.get(), std::nullopt);
  return tree;
}

bool BlockTreeModel::sameModules(const Node& a, const Node& b) {
  return a.path == b.path && a.name == b.name && a.className == b.className && a.first == b.first &&
         a.last == b.last && a.hasBlocks == b.hasBlocks &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    [](const auto& x, const auto& y) { return sameModules(*x, *y); });
}

/// If the modules are the same, only figures change, so views keep their expanded rows.
void BlockTreeModel::takeTable() {
  m_table = m_plan->table();
  Tree tree;
  if (m_table) {
    tree = treeOf(*m_table);
  } else {
    tree.root = std::make_unique<Node>();
  }
  const bool same = sameModules(*m_tree.root, *tree.root);
  if (!same) {
    beginResetModel();
    m_tree = std::move(tree);
  }
  m_laneOfBlock = lanesOfBlocks();
  const Node& whole = same ? *tree.root : *m_tree.root;
  m_micro = !whole.children.empty() && whole.children.front()->timeNs < kMicrosecondsBelowNs;
  if (same) {
    takeFigures(*m_tree.root, *tree.root, {});
    Q_EMIT headerDataChanged(Qt::Horizontal, Time, Time);
  } else {
    endResetModel();
  }
}

void BlockTreeModel::takeFigures(Node& node, const Node& from, const QModelIndex& index) {
  node.parameters = from.parameters;
  node.timeNs = from.timeNs;
  for (std::size_t row = 0; row < node.children.size(); ++row) {
    takeFigures(*node.children[row], *from.children[row],
                this->index(static_cast<int>(row), 0, index));
  }
  if (!node.children.empty()) {
    const int last = static_cast<int>(node.children.size()) - 1;
    Q_EMIT dataChanged(this->index(0, Parameters, index), this->index(last, Device, index));
  }
}

std::vector<int> BlockTreeModel::lanesOfBlocks() const {
  std::vector<int> lanes;
  for (const DeviceId& device : m_plan->shape().deviceOfBlock) {
    lanes.push_back(m_plan->laneOf(device));
  }
  lanes.resize(m_tree.nodeOfBlock.size(), -1);
  return lanes;
}

/// Reports only the rows that changed, because a view reads every reported row again.
void BlockTreeModel::refreshDevices() {
  const std::vector<int> before = std::exchange(m_laneOfBlock, lanesOfBlocks());
  const auto moved = [&](const Node& node) {
    for (std::size_t block = node.first; node.hasBlocks && block <= node.last; ++block) {
      if (before[block] != m_laneOfBlock[block]) return true;
    }
    return false;
  };
  const auto emitBelow = [&](const auto& self, const QModelIndex& parent) -> void {
    for (const auto& child : nodeOf(parent)->children) {
      if (moved(*child)) {
        const QModelIndex device = index(child->row, Device, parent);
        Q_EMIT dataChanged(device, device);
        self(self, index(child->row, 0, parent));
      }
    }
  };
  emitBelow(emitBelow, {});
}

const BlockTreeModel::Node* BlockTreeModel::nodeOf(const QModelIndex& index) const {
  return index.isValid() ? static_cast<const Node*>(index.internalPointer()) : m_tree.root.get();
}

QModelIndex BlockTreeModel::index(int row, int column, const QModelIndex& parent) const {
  const Node* node = nodeOf(parent);
  const bool exists = row >= 0 && row < static_cast<int>(node->children.size()) && column >= 0 &&
                      column < ColumnCount && parent.column() <= 0;
  return exists ? createIndex(row, column, node->children[static_cast<std::size_t>(row)].get())
                : QModelIndex();
}

QModelIndex BlockTreeModel::parent(const QModelIndex& child) const {
  const Node* node = nodeOf(child);
  if (!child.isValid() || node->parent == m_tree.root.get()) return {};
  return createIndex(node->parent->row, 0, node->parent);
}

int BlockTreeModel::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent)->children.size());
}

int BlockTreeModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QList<int> BlockTreeModel::lanesOf(const Node& node) const {
  QList<int> lanes;
  for (std::size_t block = node.first; node.hasBlocks && block <= node.last; ++block) {
    const int lane = m_laneOfBlock[block];
    if (lane >= 0 && !lanes.contains(lane)) lanes.append(lane);
  }
  std::sort(lanes.begin(), lanes.end());
  return lanes;
}

QVariant BlockTreeModel::data(const QModelIndex& index, int role) const {
  const Node& node = *nodeOf(index);
  if (role == Qt::DisplayRole) {
    switch (index.column()) {
      case Name: return node.name;
      case Parameters: return countText(node.parameters);
      case Time:
        return node.hasBlocks ? columnText(static_cast<double>(node.timeNs) / (m_micro ? 1e3 : 1e6))
                              : QString();
      default: return {};
    }
  }
  if (role == Qt::TextAlignmentRole && index.column() != Name) {
    return QVariant(Qt::AlignVCenter | Qt::AlignRight);
  }
  if (role == Qt::ToolTipRole) {
    return u"%1 (%2)"_s.arg(node.path.isEmpty() ? node.name : node.path, node.className);
  }
  if (role == kLanesRole && index.column() == Device) return QVariant::fromValue(lanesOf(node));
  if (role == kPathRole) return node.path;
  if (role == Qt::AccessibleTextRole) return node.path.isEmpty() ? node.name : node.path;
  return {};
}

QVariant BlockTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant(Qt::AlignVCenter | (section == Name ? Qt::AlignLeft : Qt::AlignRight));
  }
  if (role == Qt::ToolTipRole && section == Time) {
    return tr("Forward and backward time of one micro-batch on the first device");
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Name: return tr("Block");
    case Parameters: return tr("params");
    case Time:
      return (m_table ? approximately(m_table->basis) : QString()) +
             (m_micro ? tr("F+B µs") : tr("F+B ms"));
    default: return tr("device");
  }
}

std::pair<std::size_t, std::size_t> BlockTreeModel::blocksOf(const QModelIndex& index) const {
  const Node* node = nodeOf(index);
  return {node->first, node->last};
}

QModelIndex BlockTreeModel::indexOfBlock(std::size_t block) const {
  if (block >= m_tree.nodeOfBlock.size() || m_tree.nodeOfBlock[block] == nullptr) return {};
  const Node* node = m_tree.nodeOfBlock[block];
  return createIndex(node->row, 0, node);
}

}  // namespace stagelane::ui
