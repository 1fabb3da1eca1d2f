#include "ui/plan/plan_model/plan_moves.h"

#include <numeric>

#include "engine/base/find.h"
#include "engine/plan/rows.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model/chip_groups.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/session.h"

namespace stagelane::ui {

PlanMoves::PlanMoves(PlanModel* plan, QObject* parent) : QObject(parent), m_plan(plan) {}

BlockSet PlanMoves::dragSet(std::size_t first, std::size_t last, DragExtent extent) const {
  if (extent == DragExtent::Group) {
    if (const ChainGroup* group = m_plan->chips().groupOf(first)) {
      first = group->first;
      last = group->last;
    }
  } else if (extent == DragExtent::RestOfStage) {
    last = first;
    while (last + 1 < m_plan->shape().deviceOfBlock.size() &&
           !m_plan->shape().stageBegins[last + 1]) {
      ++last;
    }
  } else if (m_plan->blockSelection().selected(first, last) == Selected::All) {
    return m_plan->blockSelection().list();
  }
  BlockSet blocks(last - first + 1);
  std::iota(blocks.begin(), blocks.end(), first);
  return blocks;
}

std::optional<QString> PlanMoves::shapeRefusal(const PlanShape& after) const {
  const plan::Variant* variant = m_plan->session().selection().variant();
  if (variant == nullptr) return std::nullopt;
  if (auto reason = placementRefusal(plan::strategyRow(variant->strategy), after)) return reason;
  const std::size_t replicas = variant->stages.empty() ? 1 : variant->stages.front().group.size();
  if (replicas == 1) return std::nullopt;
  const std::vector<DeviceId> used = plan::rowsOf(stagesOf(after));
  if (!variant->groups.empty()) {
    const std::size_t needed = used.size() * replicas;
    if (needed <= m_plan->devices().size()) return std::nullopt;
    return tr("%1 replicas of %2 devices need %3 devices; the plan has %4")
        .arg(replicas)
        .arg(used.size())
        .arg(needed)
        .arg(m_plan->devices().size());
  }
  for (const DeviceId& device : used) {
    const auto inGroup = [&](const plan::DeviceGroup& group) { return group.first() == device; };
    if (findIf(m_plan->shape().groups, inGroup) == nullptr) {
      return tr("%1 is in no replica. Enter the number of replicas again to use all devices")
          .arg(qstring(device.value));
    }
  }
  return std::nullopt;
}

std::optional<QString> PlanMoves::refusal(const BlockSet& blocks, const DeviceId& device) const {
  const PlanShape after = m_plan->shapeAfter(blocks, device);
  if (auto reason = shapeRefusal(after)) return reason;
  return m_plan->locks().refusalOfShape(after);
}

QString PlanMoves::whyFixed() const {
  const plan::Variant* variant = m_plan->session().selection().variant();
  const bool fixed = variant != nullptr && plan::strategyRow(variant->strategy).replicates;
  return fixed ? placementRefusal(plan::strategyRow(variant->strategy), m_plan->shape())
                     .value_or(QString())
               : QString();
}

std::vector<DeviceId> PlanMoves::cutDevices() const {
  const PlanShape& shape = m_plan->shape();
  if (shape.groups.empty()) return m_plan->devices();
  const auto replicas = shape.groups.front().size();
  const plan::Variant* variant = m_plan->session().selection().variant();
  const bool found = variant != nullptr && !variant->groups.empty();
  const std::size_t used = plan::rowsOf(stagesOf(shape)).size();
  const bool roomForMore = found && (used + 1) * replicas <= m_plan->devices().size();
  std::vector<DeviceId> devices;
  for (const DeviceId& device : m_plan->devices()) {
    const bool inGroup = findIf(shape.groups, [&](const plan::DeviceGroup& group) {
                           return group.contains(device);
                         }) != nullptr;
    const bool first = inGroup && firstReplicaOf(shape, device) == device;
    if (first || (!inGroup && roomForMore)) devices.push_back(device);
  }
  return devices;
}

bool PlanMoves::move(const BlockSet& blocks, const DeviceId& device) {
  if (blocks.empty()) return false;
  if (const auto reason = refusal(blocks, device)) {
    m_plan->refuse(*reason);
    return false;
  }
  const DeviceId& first = firstReplicaOf(m_plan->shape(), device);
  applyShape(tr("Move %1 to %2").arg(blocksText(m_plan->model(), blocks), qstring(first.value)),
             m_plan->shapeAfter(blocks, device));
  Q_EMIT moved();
  return true;
}

bool PlanMoves::moveSelection(int lanes) {
  if (m_plan->blockSelection().empty() || !m_plan->ready()) return false;
  if (const QString fixed = whyFixed(); !fixed.isEmpty()) {
    m_plan->refuse(fixed);
    return false;
  }
  const PlanShape& shape = m_plan->shape();
  const auto count = static_cast<int>(m_plan->lanes().size());
  int lane = m_plan->laneOf(shape.deviceOfBlock[m_plan->blockSelection().first()]);
  // Lanes of other replicas show the same blocks.
  do {
    lane += lanes;
  } while (lane >= 0 && lane < count &&
           firstReplicaOf(shape, m_plan->deviceOfLane(lane)) != m_plan->deviceOfLane(lane));
  if (lane < 0 || lane >= count) {
    m_plan->refuse(lanes < 0 ? tr("No lane above") : tr("No lane below"));
    return false;
  }
  return move(m_plan->blockSelection().list(), m_plan->deviceOfLane(lane));
}

void PlanMoves::cutBeforeCurrent() {
  if (m_plan->ready() && !m_plan->blockSelection().empty()) cutAt(m_plan->blockSelection().first());
}

void PlanMoves::cutAt(std::size_t block) {
  if (const QString fixed = whyFixed(); !fixed.isEmpty()) {
    m_plan->refuse(fixed);
    return;
  }
  if (block == 0 || block >= m_plan->shape().deviceOfBlock.size()) {
    m_plan->refuse(tr("Cannot cut before %1: it is the first block")
                       .arg(m_plan->table()->blocks.front().name));
    return;
  }
  if (m_plan->shape().stageBegins[block]) {
    m_plan->refuse(tr("A stage already begins with %1").arg(m_plan->table()->blocks[block].name));
    return;
  }
  const PlanShape after = cutBefore(m_plan->shape(), block, cutDevices());
  if (const auto reason = shapeRefusal(after)) {
    m_plan->refuse(*reason);
    return;
  }
  applyShape(tr("Cut before %1").arg(m_plan->table()->blocks[block].name), after);
}

void PlanMoves::applySuggestion(const PlanSuggestion& suggestion) {
  ExperimentDocument& document = m_plan->session().document();
  const VariantTab* tab = document.tab(m_plan->session().selection().tabId());
  if (tab == nullptr || !m_plan->ready()) return;
  const QString title = suggestionTitle(suggestion);
  const std::size_t index = tab->index;
  if (!comesBeside(suggestion)) {
    document.apply(title, withDeviceNumbers(
                              withSuggestion(document.json(), index, m_plan->model(), suggestion),
                              index, m_plan->devices()));
    return;
  }
  // A sweep or a baseline stays; the suggestion becomes a tab of its own, which is shown.
  document.apply(title, withDeviceNumbers(withSuggestionBeside(document.json(), index,
                                                               m_plan->model(), suggestion),
                                          index + 1, m_plan->devices()));
  showTabAt(index + 1);
}

void PlanMoves::showTabAt(std::size_t index) {
  const auto& tabs = m_plan->session().document().tabs();
  if (index < tabs.size()) m_plan->session().selection().setTab(QString(tabs[index].id));
}

void PlanMoves::applyKind(const search::KindPlan& plan) {
  ExperimentDocument& document = m_plan->session().document();
  const VariantTab* tab = document.tab(m_plan->session().selection().tabId());
  const auto experiment = document.experiment();
  if (tab == nullptr || !experiment) return;
  if (const auto reason = m_plan->locks().refusalOf(plan)) {
    m_plan->refuse(*reason);
    return;
  }
  const std::size_t index = tab->index;
  document.apply(tr("Best plan: %1").arg(kindTitle(plan.strategy, plan.replicas)),
                 withDeviceNumbers(withKind(document.json(), index, *experiment, plan), index,
                                   m_plan->devices()));
}

void PlanMoves::addKind(const search::KindPlan& plan) {
  ExperimentDocument& document = m_plan->session().document();
  const VariantTab* tab = document.tab(m_plan->session().selection().tabId());
  const auto experiment = document.experiment();
  if (tab == nullptr || !experiment) return;
  const std::size_t index = tab->index;
  document.apply(tr("Add %1").arg(kindTitle(plan.strategy, plan.replicas)),
                 withDeviceNumbers(withKindBeside(document.json(), index, *experiment, plan),
                                   index + 1, m_plan->devices()));
  showTabAt(index + 1);
}

bool PlanMoves::comesBeside(const PlanSuggestion& suggestion) const {
  const VariantTab* tab = m_plan->session().document().tab(m_plan->session().selection().tabId());
  const plan::Variant* variant = m_plan->session().selection().variant();
  // A baseline, with the whole model on each device, stays as it is.
  const bool baseline = variant != nullptr && (plan::strategyRow(variant->strategy).oneDevice ||
                                               plan::strategyRow(variant->strategy).replicates);
  const bool sweep = tab != nullptr && tab->sweep();
  return (sweep && suggestion.kind != SuggestionKind::Placement) ||
         (baseline && suggestion.kind == SuggestionKind::Everything);
}

void PlanMoves::applyShape(const QString& stepName, const PlanShape& shape) {
  ExperimentDocument& document = m_plan->session().document();
  // The document may describe the same plan in another form; that is not an edit.
  const bool same = m_plan->session().selection().variant() != nullptr && shape == m_plan->shape();
  if (same || document.tab(m_plan->session().selection().tabId()) == nullptr) return;
  const std::size_t index = m_plan->tabIndex();
  document.apply(stepName,
                 withDeviceNumbers(withShape(document.json(), index, m_plan->model(), shape), index,
                                   m_plan->devices()));
}

}  // namespace stagelane::ui
