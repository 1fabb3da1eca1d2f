#include "ui/session/document/tab_edits.h"

#include "ui/session/document/plan_edits.h"

namespace stagelane::ui {

QString duplicateTab(ExperimentDocument& document, const QString& tabId) {
  const VariantTab* tab = document.tab(tabId);
  if (tab == nullptr) return tabId;
  const QString step = QObject::tr("Duplicate %1").arg(tab->name);
  const std::size_t index = tab->index;
  const BlockLocks locks = document.lockedBlocks(tabId);
  document.undoStack().beginMacro(step);
  document.apply(step, withDuplicatedVariant(document.json(), index));
  const QString copy =
      index + 1 < document.tabs().size() ? QString(document.tabs()[index + 1].id) : tabId;
  document.lockBlocks(step, copy, locks);
  document.undoStack().endMacro();
  return copy;
}

void removeTab(ExperimentDocument& document, const QString& tabId) {
  const VariantTab* tab = document.tab(tabId);
  if (tab == nullptr || document.tabs().size() < 2) return;
  const QString step = QObject::tr("Delete %1").arg(tab->name);
  const std::size_t index = tab->index;
  document.undoStack().beginMacro(step);
  // Another tab may take over the name.
  document.lockBlocks(step, tabId, {});
  document.apply(step, withoutVariant(document.json(), index));
  document.undoStack().endMacro();
}

}  // namespace stagelane::ui
