#pragma once

/// Locks: blocks that a tab keeps on their devices whatever is edited. They are not part of the
/// document, so the result of an edit is compared with them. Rules only; ExperimentDocument refuses
/// the edit.

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

/// The locked device of each block of a tab, by block name.
using BlockLocks = QHash<QString, DeviceId>;
using LocksOfTabs = std::map<QString, BlockLocks>;  ///< by tab id

/// The first block of the chain that is locked to a matching device, in words: "relu is locked to
/// cpu:0".
[[nodiscard]] std::optional<QString> firstLock(
    const BlockLocks& locks, const model::Model& model,
    const std::function<bool(std::size_t block, const DeviceId& to)>& holds);
/// The first block that is locked to another device than its current one.
[[nodiscard]] std::optional<QString> movedFromLock(const BlockLocks& locks,
                                                   const model::Model& model,
                                                   const std::vector<DeviceId>& deviceOfBlock);
/// The lock and how to remove it: "relu is locked to cpu:0 in pipeline. Press L to unlock it".
[[nodiscard]] QString unlockText(const QString& lock, const QString& tabName);

/// The locks after the tabs changed from `before` to `after`: a renamed tab has a new id and keeps
/// its locks.
[[nodiscard]] LocksOfTabs locksAfter(LocksOfTabs locks, const std::vector<VariantTab>& before,
                                     const std::vector<VariantTab>& after);

/// Why `document`, read as `reading`, is refused: it moves a locked block or lets a mode place it.
/// A document that cannot be read moves nothing.
[[nodiscard]] std::optional<QString> brokenLock(const LocksOfTabs& locks, const Json& document,
                                                const DocumentReading& reading);

}  // namespace stagelane::ui
