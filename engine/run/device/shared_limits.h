#pragma once

/// The memory limit of a GPU whose partitions have limits of their own: allocators have one limit
/// for the whole GPU.

#include <map>

#include "engine/base/ids.h"

namespace stagelane::run {

class SharedLimits {
 public:
  /// The partition is in use; without a limit until it gets one.
  void open(int partition) { m_limits[partition] = 0; }
  void close(int partition) { m_limits.erase(partition); }
  /// 0: the partition has no limit.
  void set(int partition, Bytes limit) { m_limits[partition] = limit; }

  /// The limit of the GPU: the sum of its partitions' limits, where one without a limit counts as
  /// its share of `total` (`parts` equal ones), so that it does not lift the others'. 0 if no
  /// partition has a limit.
  [[nodiscard]] Bytes ofGpu(Bytes total, int parts) const;

 private:
  std::map<int, Bytes> m_limits;
};

}  // namespace stagelane::run
