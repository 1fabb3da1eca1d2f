#pragma once

/// Remembers what a tab was as a pipeline while it is tried on one device or without micro-batches:
/// a switch of the strategy and back loses no schedule, no list of split sizes, no placement. For
/// as long as the document is open, which has no place for it.

#include <QString>
#include <map>
#include <string_view>

#include "engine/base/json.h"

namespace stagelane::ui {

class StrategyMemory {
 public:
  /// To be called with the variant as it is before its strategy changes.
  void keep(const QString& tabId, const Json& variant);
  /// The document after the change, with what variant `index` had under that strategy before.
  [[nodiscard]] Json restored(const QString& tabId, Json document, std::size_t index) const;

 private:
  std::map<std::pair<QString, std::string_view>, Json> m_kept;  ///< by tab and strategy
};

}  // namespace stagelane::ui
