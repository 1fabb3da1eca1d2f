#include "ui/plan/blocks/layer_table_model.h"

#include <algorithm>
#include <set>

#include "engine/model/layer.h"
#include "engine/model/shapes.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/prediction/cost_facts.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

QString classOf(const model::Model& model, const model::Call& call) {
  return call.kind == model::CallKind::Layer
             ? qstring(model::className(model.layers[call.layer].spec))
             : u"add"_s;
}

}  // namespace

LayerTableModel::LayerTableModel(PlanModel* plan, QObject* parent)
    : QAbstractTableModel(parent), m_plan(plan) {
  connect(plan, &PlanModel::planChanged, this, [this] {
    if (m_plan->table() != m_table) rebuild();
  });
  rebuild();
}

void LayerTableModel::setRows(Rows rows) {
  if (rows != m_kind) {
    m_kind = rows;
    rebuild();
  }
}

void LayerTableModel::rebuild() {
  beginResetModel();
  m_rows.clear();
  m_table = m_plan->table();
  const auto experiment = m_plan->session().document().lastReadable();
  if (m_table && experiment) {
    if (const auto shapes = experiment->shapesAt(std::max<std::int64_t>(1, m_table->microBatch))) {
      if (m_kind == Rows::Blocks) {
        addBlocks(**shapes);
      } else {
        addLayers(**shapes);
      }
    }
  }
  endResetModel();
}

void LayerTableModel::setTimes(Row& row) const {
  const BlockFigures& figures = m_table->blocks[row.block];
  row.forward = figures.forwardNs;
  row.input = figures.inputNs;
  row.weight = figures.weightNs;
}

void LayerTableModel::addBlocks(const model::ModelShapes& shapes) {
  for (std::size_t block = 0; block < shapes.blocks.size(); ++block) {
    const model::BlockCost& cost = shapes.blocks[block];
    Row row;
    row.block = block;
    row.name = m_table->blocks[block].name;
    row.type = m_table->blocks[block].className;
    row.output = cost.outputShapes.empty() ? QString() : shapeText(cost.outputShapes.back());
    row.parameters = cost.parameters;
    row.macs = cost.macs;
    row.activations = cost.activationBytes;
    setTimes(row);
    m_rows.push_back(std::move(row));
  }
}

void LayerTableModel::addLayers(const model::ModelShapes& shapes) {
  const model::Model& model = *m_table->model;
  std::set<std::size_t> counted;
  for (const model::CallShape& shape : shapes.calls) {
    const model::Block& block = model.blocks[shape.block];
    const model::Call& call = block.calls[shape.call];
    const bool layer = call.kind == model::CallKind::Layer;
    Row row;
    row.block = shape.block;
    row.name = layer ? qstring(model.layers[call.layer].name) : qstring(block.name) + u" +"_s;
    row.type = classOf(model, call);
    row.output = shapeText(shape.output);
    // A layer that is called again shares its parameters with the first call.
    if (layer && counted.insert(call.layer).second) {
      row.parameters = m_table->layerParameters[call.layer];
    }
    row.macs = shape.macs;
    row.activations = shape.outputBytes;
    if (block.calls.size() == 1) setTimes(row);
    m_rows.push_back(std::move(row));
  }
}

std::size_t LayerTableModel::blockOf(int row) const {
  return m_rows[static_cast<std::size_t>(row)].block;
}

int LayerTableModel::rowOf(std::size_t block) const {
  const auto found = std::find_if(m_rows.begin(), m_rows.end(),
                                  [&](const Row& row) { return row.block == block; });
  return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

QString LayerTableModel::totals(const std::vector<int>& rows) const {
  std::int64_t parameters = 0;
  std::int64_t macs = 0;
  Bytes activations = 0;
  for (const int at : rows) {
    const Row& row = m_rows[static_cast<std::size_t>(at)];
    parameters += row.parameters;
    macs += row.macs;
    activations += row.activations;
  }
  const bool blocks = m_kind == Rows::Blocks;
  QString count =
      countedText(static_cast<std::int64_t>(m_rows.size()), blocks ? tr("block") : tr("layer"),
                  blocks ? tr("blocks") : tr("layers"));
  if (rows.size() < m_rows.size()) count.prepend(tr("%1 of ").arg(rows.size()));
  const std::int64_t samples = m_table ? m_table->microBatch : 0;
  return tr("%1 · %2 parameters · of %3: %4 MACs, %5 activations")
      .arg(count, countText(parameters), countedText(samples, tr("sample"), tr("samples")),
           countText(macs), bytesText(activations));
}

int LayerTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int LayerTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

double LayerTableModel::numberOf(const Row& row, int column) const {
  switch (column) {
    case Parameters: return static_cast<double>(row.parameters);
    case Macs: return static_cast<double>(row.macs);
    case Flops: return 2.0 * static_cast<double>(row.macs);
    case Activations: return static_cast<double>(row.activations);
    case Forward: return static_cast<double>(row.forward);
    case Input: return static_cast<double>(row.input);
    case Weight: return static_cast<double>(row.weight);
    default: return 0.0;
  }
}

QString LayerTableModel::textOf(const Row& row, int index, int column) const {
  const auto time = [this](TimeNs ns) {
    return ns < 0 ? QString(QChar(0x2013)) : approximately(m_table->basis) + timeText(ns);
  };
  switch (column) {
    case Number: return QString::number(index + 1);
    case Name: return row.name;
    case Type: return row.type;
    case Output: return row.output;
    case Parameters: return countText(row.parameters);
    case Macs: return countText(row.macs);
    case Flops: return countText(2 * row.macs);
    case Activations: return bytesText(row.activations);
    case Forward: return time(row.forward);
    case Input: return time(row.input);
    case Weight: return time(row.weight);
    default: return {};
  }
}

QVariant LayerTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = m_rows[static_cast<std::size_t>(index.row())];
  const bool words = index.column() == Name || index.column() == Type || index.column() == Output;
  switch (role) {
    case Qt::DisplayRole: return textOf(row, index.row(), index.column());
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (words ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ToolTipRole:
      return index.column() >= Forward && row.forward < 0
                 ? tr("Available for the whole block only, %1").arg(m_table->blocks[row.block].name)
                 : QVariant();
    case kSearchRole: return QString(row.name + QChar(u' ') + row.type);
    case kSortRole:
      return index.column() == Number ? QVariant(index.row())
             : words                  ? QVariant(textOf(row, index.row(), index.column()))
                                      : QVariant(numberOf(row, index.column()));
    default: return {};
  }
}

QVariant LayerTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  struct Heading {
    const char* text;
    const char* tip;
  };
  static constexpr Heading kHeadings[ColumnCount] = {
      {QT_TR_NOOP("#"), QT_TR_NOOP("Position in the chain")},
      {QT_TR_NOOP("Layer"), QT_TR_NOOP("Module path in PyTorch")},
      {QT_TR_NOOP("Type"), QT_TR_NOOP("PyTorch class")},
      {QT_TR_NOOP("Output shape"), QT_TR_NOOP("Output shape for one micro-batch")},
      {QT_TR_NOOP("Params"), QT_TR_NOOP("Parameters (shared ones count once)")},
      {QT_TR_NOOP("MACs"), QT_TR_NOOP("Multiply-accumulates of one micro-batch, forward")},
      {QT_TR_NOOP("FLOPs"), QT_TR_NOOP("Floating-point operations (2 × MACs)")},
      {QT_TR_NOOP("Activations"), QT_TR_NOOP("Size of all outputs for one micro-batch")},
      {QT_TR_NOOP("F"), QT_TR_NOOP("Forward time of one micro-batch on the first device")},
      {QT_TR_NOOP("I"), QT_TR_NOOP("Backward time for the input gradient")},
      {QT_TR_NOOP("W"), QT_TR_NOOP("Backward time for the weight gradients")}};
  const bool words = section == Name || section == Type || section == Output;
  switch (role) {
    case Qt::DisplayRole: return tr(kHeadings[section].text);
    case Qt::ToolTipRole: return tr(kHeadings[section].tip);
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (words ? Qt::AlignLeft : Qt::AlignRight));
    default: return {};
  }
}

}  // namespace stagelane::ui
