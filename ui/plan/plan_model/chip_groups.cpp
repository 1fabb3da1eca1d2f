#include "ui/plan/plan_model/chip_groups.h"

#include "engine/base/find.h"
#include "ui/plan/plan_model/block_table.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/session/document/plan_edits.h"

namespace stagelane::ui {
namespace {

std::vector<double> weightsOf(const BlockTable& table, ChipWidth width) {
  std::vector<double> weights;
  for (const BlockFigures& block : table.blocks) {
    switch (width) {
      case ChipWidth::Time: weights.push_back(static_cast<double>(block.timeNs())); break;
      case ChipWidth::Memory: weights.push_back(static_cast<double>(block.memoryBytes())); break;
      case ChipWidth::Parameters: weights.push_back(static_cast<double>(block.parameters)); break;
    }
  }
  return weights;
}

}  // namespace

ChipGroups::ChipGroups(PlanModel* plan, QObject* parent) : QObject(parent), m_plan(plan) {}

QSet<QString> ChipGroups::open() const {
  QSet<QString> open = m_open;
  for (const ChainGroup& group : m_groups) {
    if (splitAcrossDevices(group)) open.insert(group.name);
  }
  return open;
}

bool ChipGroups::splitAcrossDevices(const ChainGroup& group) const {
  for (std::size_t block = group.first + 1; block <= group.last; ++block) {
    if (m_plan->shape().deviceOfBlock[block] != m_plan->shape().deviceOfBlock[group.first] ||
        m_plan->shape().stageBegins[block]) {
      return true;
    }
  }
  return false;
}

void ChipGroups::toggle(const QString& name) {
  const auto* group = findBy(m_groups, &ChainGroup::name, name);
  if (group == nullptr) return;
  if (splitAcrossDevices(*group)) {
    m_plan->refuse(tr("%1 stays open: its blocks are in more than one stage").arg(name));
    return;
  }
  if (!m_open.remove(name)) m_open.insert(name);
  Q_EMIT changed();
}

const ChainGroup* ChipGroups::groupOf(std::size_t block) const {
  return findIf(m_groups, [&](const ChainGroup& group) {
    return block >= group.first && block <= group.last;
  });
}

void ChipGroups::setWidth(ChipWidth width) {
  if (width != m_width) {
    m_width = width;
    Q_EMIT changed();
  }
}

ChainRequest ChipGroups::chainRequest(qreal width) const {
  ChainRequest request;
  for (const BlockFigures& block : m_plan->table()->blocks) request.names.push_back(block.name);
  request.weights = weightsOf(*m_plan->table(), m_width);
  request.groups = m_groups;
  request.openGroups = open();
  request.width = width;
  return request;
}

}  // namespace stagelane::ui
