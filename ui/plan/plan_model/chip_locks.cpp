#include "ui/plan/plan_model/chip_locks.h"

#include <utility>

#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/session/document/document.h"
#include "ui/session/document/schedule_choices.h"
#include "ui/session/document/variant_choices.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/page_requests.h"
#include "ui/session/session.h"

namespace stagelane::ui {

BlockLocks ChipLocks::locks() const {
  return m_plan->session().document().lockedBlocks(m_plan->session().selection().tabId());
}

bool ChipLocks::locked(std::size_t block) const {
  return locks().contains(m_plan->table()->blocks[block].name);
}

std::optional<QString> ChipLocks::refusalOfShape(const PlanShape& after) const {
  const auto lock = movedFromLock(locks(), m_plan->model(), after.deviceOfBlock);
  return lock ? std::optional(QObject::tr("%1. Press L to unlock it").arg(*lock)) : std::nullopt;
}

std::optional<QString> ChipLocks::refusalOf(const PlanSuggestion& suggestion) const {
  const bool moves = !suggestion.stages.empty() && !m_plan->moves().comesBeside(suggestion);
  return m_plan->ready() && moves
             ? refusalOfShape(shapeOf(suggestion.stages, m_plan->table()->blocks.size()))
             : std::nullopt;
}

std::optional<QString> ChipLocks::refusalOf(const PlanFix& fix) const {
  if (fix.suggestion) return refusalOf(*fix.suggestion);
  return fix.shape      ? refusalOfShape(*fix.shape)
         : fix.document ? m_plan->session().document().lockRefusal(*fix.document)
                        : std::nullopt;
}

std::optional<QString> ChipLocks::refusalOf(const search::KindPlan& plan) const {
  return m_plan->ready() ? refusalOfShape(shapeOf(plan.stages, m_plan->table()->blocks.size()))
                         : std::nullopt;
}

void ChipLocks::toggle() {
  if (!m_plan->ready() || m_plan->blockSelection().empty()) return;
  if (const QString fixed = m_plan->moves().whyFixed(); !fixed.isEmpty()) {
    m_plan->refuse(fixed);
    return;
  }
  if (locked(m_plan->blockSelection().first())) {
    unlockSelection();
  } else if (m_plan->session().selection().variant() == nullptr ||
             m_plan->session().selection().beingPlaced()) {
    m_plan->refuse(QObject::tr("Cannot lock blocks until the placement is computed"));
  } else {
    lockSelection();
  }
}

void ChipLocks::unlockSelection() {
  BlockLocks left = locks();
  for (const std::size_t block : m_plan->blockSelection().blocks()) {
    left.remove(m_plan->table()->blocks[block].name);
  }
  m_plan->session().document().lockBlocks(
      QObject::tr("Unlock %1").arg(blocksText(m_plan->model(), m_plan->blockSelection().list())),
      m_plan->session().selection().tabId(), left);
}

/// Any edit, measurement or run may change an automatic placement. Locking therefore makes the
/// placement manual, with every block where it is.
void ChipLocks::lockSelection() {
  ExperimentDocument& document = m_plan->session().document();
  const std::size_t index = m_plan->tabIndex();
  const QString tab = m_plan->session().selection().tabId();
  const QString step =
      QObject::tr("Lock %1").arg(blocksText(m_plan->model(), m_plan->blockSelection().list()));
  BlockLocks all = locks();
  for (const std::size_t block : m_plan->blockSelection().blocks()) {
    all[m_plan->table()->blocks[block].name] = m_plan->shape().deviceOfBlock[block];
  }
  if (!placedByMode(document.json(), index)) {
    document.lockBlocks(step, tab, all);
    return;
  }
  Json byHand =
      withDeviceNumbers(withShape(document.json(), index, m_plan->model(), m_plan->shape()), index,
                        m_plan->devices());
  const QString why = ui::refusalOf(byHand, index, utf8(document.baseFolder()));
  if (!why.isEmpty()) {
    m_plan->refuse(QObject::tr("Cannot make the placement manual to lock blocks: %1").arg(why));
    return;
  }
  document.undoStack().beginMacro(step);
  document.apply(step, std::move(byHand));
  document.lockBlocks(step, tab, all);
  document.undoStack().endMacro();
  m_plan->session().pages().showHint(QObject::tr("Placement is now manual"));
}

}  // namespace stagelane::ui
