#pragma once

/// The memory limit of a GPU whose partitions have limits of their own: allocators have one limit
/// for the whole GPU.

#include <map>

#include "engine/base/ids.h"

namespace stagelane::run {

class SharedLimits {
 public:
  /// The partition has one more user; without a limit until it gets one.
  void open(int partition) { ++m_partitions[partition].users; }
  /// One user less; the last one's end withdraws the limit.
  void close(int partition);
  /// 0: the partition has no limit. @pre it has a user
  void set(int partition, Bytes limit) { m_partitions[partition].limit = limit; }

  /// The limit of the GPU: the sum of its partitions' limits, where one without a limit counts as
  /// its share of `total` (`parts` equal ones), so that it does not lift the others'. 0 if no
  /// partition has a limit.
  [[nodiscard]] Bytes ofGpu(Bytes total, int parts) const;

 private:
  struct Partition {
    int users = 0;
    Bytes limit = 0;
  };
  std::map<int, Partition> m_partitions;
};

}  // namespace stagelane::run
