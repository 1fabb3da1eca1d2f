#pragma once

/// Locks: blocks that a tab keeps on their devices, whatever is edited. They are no part of the
/// document, so what an edit makes of it is read and compared with them. Rules only; who refuses
/// the edit is ExperimentDocument.

#include <QHash>
#include <QString>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/model/model.h"
#include "ui/session/document/document_reading.h"

namespace stagelane::ui {

/// The device that each locked block of a tab stays on, by the block's name.
using BlockLocks = QHash<QString, DeviceId>;
using LocksOfTabs = std::map<QString, BlockLocks>;  ///< by the tab's id

/// The first block of the chain that is locked to a device and of which that is true, in words:
/// "relu is locked to cpu:0".
[[nodiscard]] std::optional<QString> firstLock(
    const BlockLocks& locks, const model::Model& model,
    const std::function<bool(std::size_t block, const DeviceId& to)>& holds);
/// The first that is locked to another device than it has here.
[[nodiscard]] std::optional<QString> movedFromLock(const BlockLocks& locks,
                                                   const model::Model& model,
                                                   const std::vector<DeviceId>& deviceOfBlock);
/// What to do about it: "relu is locked to cpu:0 in pipeline. Press L to unlock it".
[[nodiscard]] QString unlockText(const QString& lock, const QString& tabName);

/// What is locked when the tabs were `before` and are `after`: a renamed tab has another id and
/// keeps its locks.
[[nodiscard]] LocksOfTabs locksAfter(LocksOfTabs locks, const std::vector<VariantTab>& before,
                                     const std::vector<VariantTab>& after);

/// Why `document`, read as `reading`, may not be: it has a locked block on another device, or
/// leaves it to a mode, which may. What cannot be read moves nothing.
[[nodiscard]] std::optional<QString> brokenLock(const LocksOfTabs& locks, const Json& document,
                                                const DocumentReading& reading);

}  // namespace stagelane::ui
