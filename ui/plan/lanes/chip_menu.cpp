#include "ui/plan/lanes/chip_menu.h"

#include "engine/base/find.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/lanes/device_bar.h"
#include "ui/plan/plan_model/chip_groups.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/session/document/document.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr const char* kWhyDisabled = "whyDisabled";

}  // namespace

ChipMenu::ChipMenu(PlanModel* plan, LanesView* lanes)
    : QObject(lanes), m_plan(plan), m_lanes(lanes) {
  connect(lanes, &LanesView::chipMenuRequested, this, &ChipMenu::open);
  connect(plan, &PlanModel::selectionChanged, this, &ChipMenu::refreshWords);
  connect(plan, &PlanModel::planChanged, this, &ChipMenu::refreshWords);
  connect(&plan->chips(), &ChipGroups::changed, this, &ChipMenu::refreshWords);
}

QAction* ChipMenu::actionNamed(const QString& name) const {
  const QList<QAction*> actions = m_lanes->actions();
  const auto* found =
      findIf(actions, [&](const QAction* action) { return action->objectName() == name; });
  return found == nullptr ? nullptr : *found;
}

void ChipMenu::open(bool onChip, const QPoint& globalAt) {
  refreshWords();
  auto* menu = new QMenu(m_lanes);
  setNames(menu, u"chipMenu"_s, tr("Chip"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  const auto add = [&](std::initializer_list<const char*> names) {
    const qsizetype before = menu->actions().size();
    for (const char* name : names) {
      QAction* action = actionNamed(QString::fromLatin1(name));
      if (action != nullptr && (action->isEnabled() || action->property(kWhyDisabled).isValid())) {
        menu->addAction(action);
      }
    }
    if (menu->actions().size() > before) menu->addSeparator();
  };
  if (onChip) {
    add({"moveUp", "moveDown", "cutHere", "lock", "toggleGroup"});
    add({"selectBefore", "selectNext", "extendBefore", "extendNext"});
  }
  add({"fixPlanAction"});
  if (onChip) add({"deviceSettings", "removeDevice"});
  add({"addCpuWorker", "addImagined"});
  addUndo(*menu);
  menu->popup(globalAt);
}

/// The keys are those of the window's own actions, so that they stay unambiguous.
void ChipMenu::addUndo(QMenu& menu) const {
  QUndoStack& stack = m_plan->session().document().undoStack();
  const auto add = [&](const QString& text, const QString& step, const QString& keys,
                       const QString& name, bool enabled, void (QUndoStack::*act)()) {
    QAction* action =
        menu.addAction((enabled ? text + u": "_s + step : text) + QLatin1Char('\t') + keys);
    action->setObjectName(name);
    action->setEnabled(enabled);
    connect(action, &QAction::triggered, &stack, act);
  };
  add(tr("Undo"), stack.undoText(), u"Ctrl+Z"_s, u"undoHere"_s, stack.canUndo(), &QUndoStack::undo);
  add(tr("Redo"), stack.redoText(), u"Ctrl+Shift+Z"_s, u"redoHere"_s, stack.canRedo(),
      &QUndoStack::redo);
}

/// Disables an action while no block has a lane of its own, and says why; enables it otherwise.
void ChipMenu::disable(const char* name) const {
  QAction* action = actionNamed(QString::fromLatin1(name));
  if (action == nullptr) return;
  const QString fixed = m_plan->moves().whyFixed();
  action->setEnabled(fixed.isEmpty());
  action->setToolTip(fixed);
  action->setProperty(kWhyDisabled, fixed.isEmpty() ? QVariant() : QVariant(fixed));
}

void ChipMenu::refreshWords() {
  if (!m_plan->ready() || m_plan->current() >= m_plan->table()->blocks.size()) return;
  const auto set = [this](const char* name, const QString& text, bool enabled = true) {
    if (QAction* action = actionNamed(QString::fromLatin1(name))) {
      action->setText(text);
      action->setEnabled(enabled);
    }
  };
  const std::size_t current = m_plan->current();
  const QString block = m_plan->table()->blocks[current].name;
  const auto& selection = m_plan->selection();
  const bool locked = !selection.empty() && m_plan->locks().locked(*selection.begin());
  for (const char* name : {"moveUp", "moveDown", "cutHere", "lock"}) disable(name);
  const bool free = m_plan->moves().whyFixed().isEmpty();
  set("lock", locked ? tr("Unlock") : tr("Lock to its device"), free);
  set("cutHere",
      tr("Cut before %1")
          .arg(selection.empty() ? block : m_plan->table()->blocks[*selection.begin()].name),
      free);
  const ChainGroup* group = m_plan->chips().groupOf(current);
  const bool open = group != nullptr && m_plan->chips().open().contains(group->name);
  set("toggleGroup",
      group == nullptr ? tr("Open or close the group")
                       : (open ? tr("Close %1") : tr("Open %1")).arg(group->name),
      group != nullptr);
  if (const auto device = m_plan->currentDevice()) {
    const QString name = qstring(device->value);
    set("deviceSettings", tr("Settings of %1…").arg(name));
    set("removeDevice", removalText(m_plan->deviceEdits(), *device),
        !m_plan->deviceEdits().removalRefusal(*device));
  }
}

}  // namespace stagelane::ui
