#include "engine/run/device/shared_limits.h"

#include <algorithm>

namespace stagelane::run {

Bytes SharedLimits::ofGpu(Bytes total, int parts) const {
  const bool limited = std::any_of(m_limits.begin(), m_limits.end(),
                                   [](const auto& each) { return each.second > 0; });
  if (!limited) return 0;
  Bytes sum = 0;
  for (const auto& [partition, limit] : m_limits) {
    sum += limit > 0 ? limit : total / std::max(parts, 1);
  }
  return std::min(sum, total);
}

}  // namespace stagelane::run
