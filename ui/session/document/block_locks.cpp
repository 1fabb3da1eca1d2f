#include "ui/session/document/block_locks.h"

#include <QObject>
#include <algorithm>
#include <utility>

#include "ui/kit/text/formatting.h"
#include "ui/session/document/schedule_choices.h"

namespace stagelane::ui {
namespace {

std::optional<QString> movedIn(const VariantTab& tab, const BlockLocks& locks,
                               const plan::Experiment& experiment) {
  for (const QString& id : tab.variantIds) {
    const plan::Variant* variant = experiment.variantById(utf8(id));
    const auto owners = plan::deviceOfEachBlock(variant->stages, experiment.model->blocks.size());
    if (const auto moved = movedFromLock(locks, *experiment.model, owners)) return moved;
  }
  return std::nullopt;
}

}  // namespace

std::optional<QString> firstLock(
    const BlockLocks& locks, const model::Model& model,
    const std::function<bool(std::size_t block, const DeviceId& to)>& holds) {
  for (std::size_t block = 0; !locks.isEmpty() && block < model.blocks.size(); ++block) {
    const QString name = qstring(model.blocks[block].name);
    const auto lock = locks.find(name);
    if (lock != locks.end() && holds(block, *lock)) {
      return QObject::tr("%1 is locked to %2").arg(name, qstring(lock->value));
    }
  }
  return std::nullopt;
}

std::optional<QString> movedFromLock(const BlockLocks& locks, const model::Model& model,
                                     const std::vector<DeviceId>& deviceOfBlock) {
  return firstLock(locks, model, [&](std::size_t block, const DeviceId& to) {
    return deviceOfBlock[block] != to;
  });
}

QString unlockText(const QString& lock, const QString& tabName) {
  return QObject::tr("%1 in %2. Press L to unlock it").arg(lock, tabName);
}

LocksOfTabs locksAfter(LocksOfTabs locks, const std::vector<VariantTab>& before,
                       const std::vector<VariantTab>& after) {
  const auto stays = [&after](const QString& id) {
    return std::any_of(after.begin(), after.end(),
                       [&id](const VariantTab& tab) { return tab.id == id; });
  };
  for (std::size_t at = 0; before.size() == after.size() && at < before.size(); ++at) {
    const auto found = locks.find(before[at].id);
    if (found != locks.end() && !stays(before[at].id)) {
      BlockLocks taken = std::move(found->second);
      locks.erase(found);
      locks[after[at].id] = std::move(taken);
    }
  }
  return locks;
}

std::optional<QString> brokenLock(const LocksOfTabs& locks, const Json& document,
                                  const DocumentReading& reading) {
  for (const VariantTab& tab : reading.tabs) {
    const auto own = locks.find(tab.id);
    if (own == locks.end() || tab.variantIds.isEmpty()) continue;
    if (placedByMode(document, tab.index)) {
      const auto any = firstLock(own->second, *reading.experiment->model,
                                 [](std::size_t, const DeviceId&) { return true; });
      if (any) {
        return QObject::tr("Automatic placement is not available: %1")
            .arg(unlockText(*any, tab.name));
      }
    } else if (const auto moved = movedIn(tab, own->second, *reading.experiment)) {
      return unlockText(*moved, tab.name);
    }
  }
  return std::nullopt;
}

}  // namespace stagelane::ui
