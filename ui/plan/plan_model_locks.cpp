/// The part of PlanModel that keeps blocks where they are locked to.

#include <utility>

#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model.h"
#include "ui/session/document/schedule_choices.h"
#include "ui/session/document/variant_choices.h"

namespace stagelane::ui {

BlockLocks PlanModel::locks() const {
  return m_session->document().lockedBlocks(m_session->currentTabId());
}

bool PlanModel::locked(std::size_t block) const {
  return locks().contains(m_table->blocks[block].name);
}

std::optional<QString> PlanModel::refusal(const BlockSet& blocks, const DeviceId& device) const {
  return refusalOfShape(moved(m_shape, blocks, device));
}

std::optional<QString> PlanModel::refusalOfShape(const PlanShape& after) const {
  const auto lock = movedFromLock(locks(), model(), after.deviceOfBlock);
  return lock ? std::optional(QStringLiteral("%1. Press L to unlock it").arg(*lock)) : std::nullopt;
}

std::optional<QString> PlanModel::refusalOf(const PlanSuggestion& suggestion) const {
  const bool moves = !suggestion.stages.empty() && !comesBeside(suggestion);
  return ready() && moves ? refusalOfShape(shapeOf(suggestion.stages, m_table->blocks.size()))
                          : std::nullopt;
}

std::optional<QString> PlanModel::refusalOf(const PlanFix& fix) const {
  if (fix.suggestion) {
    return refusalOf(*fix.suggestion);
  }
  return fix.shape      ? refusalOfShape(*fix.shape)
         : fix.document ? m_session->document().lockRefusal(*fix.document)
                        : std::nullopt;
}

void PlanModel::toggleLock() {
  if (!ready() || m_selection.empty()) {
    return;
  }
  if (locked(m_selection.first())) {
    unlockSelection();
  } else if (m_session->currentVariant() == nullptr || beingPlaced()) {
    Q_EMIT refused(QStringLiteral("Where the blocks go is not known yet, so none can be locked"));
  } else {
    lockSelection();
  }
}

void PlanModel::unlockSelection() {
  BlockLocks left = locks();
  for (const std::size_t block : m_selection.blocks()) {
    left.remove(m_table->blocks[block].name);
  }
  m_session->document().lockBlocks(
      QStringLiteral("Unlock %1").arg(blocksText(model(), m_selection.list())),
      m_session->currentTabId(), left);
}

/// A mode may place the blocks elsewhere after any edit or measurement, also when the plan is run:
/// what is locked is therefore placed by hand, all as it lies.
void PlanModel::lockSelection() {
  ExperimentDocument& document = m_session->document();
  const std::size_t index = tabIndex();
  const QString tab = m_session->currentTabId();
  const QString step = QStringLiteral("Lock %1").arg(blocksText(model(), m_selection.list()));
  BlockLocks all = locks();
  for (const std::size_t block : m_selection.blocks()) {
    all[m_table->blocks[block].name] = m_shape.deviceOfBlock[block];
  }
  if (!placedByMode(document.json(), index)) {
    document.lockBlocks(step, tab, all);
    return;
  }
  Json byHand =
      withDeviceNumbers(withShape(document.json(), index, model(), m_shape), index, m_devices);
  const QString why = ui::refusalOf(byHand, index, utf8(document.baseFolder()));
  if (!why.isEmpty()) {
    Q_EMIT refused(
        QStringLiteral("A locked block is placed by hand, and here it cannot be: %1").arg(why));
    return;
  }
  document.undoStack().beginMacro(step);
  document.apply(step, std::move(byHand));
  document.lockBlocks(step, tab, all);
  document.undoStack().endMacro();
  m_session->showHint(QStringLiteral("The placement is by hand now, as the blocks lie"));
}

}  // namespace stagelane::ui
