#include "engine/run/device/shared_limits.h"

#include <algorithm>

namespace stagelane::run {

void SharedLimits::close(int partition) {
  const auto found = m_partitions.find(partition);
  if (found != m_partitions.end() && --found->second.users == 0) m_partitions.erase(found);
}

Bytes SharedLimits::ofGpu(Bytes total, int parts) const {
  const bool limited = std::any_of(m_partitions.begin(), m_partitions.end(),
                                   [](const auto& each) { return each.second.limit > 0; });
  if (!limited) return 0;
  Bytes sum = 0;
  for (const auto& [number, partition] : m_partitions) {
    sum += partition.limit > 0 ? partition.limit : total / std::max(parts, 1);
  }
  return std::min(sum, total);
}

}  // namespace stagelane::run
