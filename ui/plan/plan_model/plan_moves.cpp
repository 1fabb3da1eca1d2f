#include "ui/plan/plan_model/plan_moves.h"

#include <numeric>

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

bool PlanMoves::move(const BlockSet& blocks, const DeviceId& device) {
  if (blocks.empty()) return false;
  if (const auto reason = m_plan->locks().refusal(blocks, device)) {
    m_plan->refuse(*reason);
    return false;
  }
  applyShape(tr("Move %1 to %2").arg(blocksText(m_plan->model(), blocks), qstring(device.value)),
             ui::moved(m_plan->shape(), blocks, device));
  Q_EMIT moved();
  return true;
}

bool PlanMoves::moveSelection(int lanes) {
  if (m_plan->blockSelection().empty() || !m_plan->ready()) return false;
  const int lane =
      m_plan->laneOf(m_plan->shape().deviceOfBlock[m_plan->blockSelection().first()]) + lanes;
  if (lane < 0 || lane >= static_cast<int>(m_plan->devices().size())) {
    m_plan->refuse(lanes < 0 ? tr("No lane above") : tr("No lane below"));
    return false;
  }
  return move(m_plan->blockSelection().list(), m_plan->devices()[static_cast<std::size_t>(lane)]);
}

void PlanMoves::cutBeforeCurrent() {
  if (m_plan->ready() && !m_plan->blockSelection().empty()) cutAt(m_plan->blockSelection().first());
}

void PlanMoves::cutAt(std::size_t block) {
  if (block == 0 || block >= m_plan->shape().deviceOfBlock.size()) {
    m_plan->refuse(tr("Cannot cut before %1: it is the first block")
                       .arg(m_plan->table()->blocks.front().name));
    return;
  }
  if (m_plan->shape().stageBegins[block]) {
    m_plan->refuse(tr("A stage already begins with %1").arg(m_plan->table()->blocks[block].name));
    return;
  }
  const PlanShape after = cutBefore(m_plan->shape(), block, m_plan->devices());
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
  if (index + 1 < document.tabs().size()) {
    m_plan->session().selection().setTab(QString(document.tabs()[index + 1].id));
  }
}

bool PlanMoves::comesBeside(const PlanSuggestion& suggestion) const {
  const VariantTab* tab = m_plan->session().document().tab(m_plan->session().selection().tabId());
  const plan::Variant* variant = m_plan->session().selection().variant();
  // The single-device baseline stays as it is.
  const bool baseline = variant != nullptr && plan::strategyRow(variant->strategy).oneDevice;
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
