#pragma once

/// Remembers a tab's settings per strategy, so that switching the strategy and back restores
/// schedule, split sizes and placement. Lasts while the document is open.

#include <QString>
#include <map>
#include <string_view>

#include "engine/base/json.h"

namespace stagelane::ui {

class StrategyMemory {
 public:
  /// Call it with the variant before its strategy changes.
  void keep(const QString& tabId, const Json& variant);
  /// The document after the change, with the settings that variant `index` had under that strategy.
  [[nodiscard]] Json restored(const QString& tabId, Json document, std::size_t index) const;

 private:
  std::map<std::pair<QString, std::string_view>, Json> m_kept;  ///< by tab and strategy
};

}  // namespace stagelane::ui
