#pragma once

/// All-reduces as between processes on this host, for a calibration: groups of Gloo over the
/// loopback interface whose members are all in this process. They use the same sockets, threads,
/// and copies as members in processes of their own.

#include <memory>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace stagelane::run {

/// @thread one at a time
class SumProbe {
 public:
  /// @pre at least two members @errors EngineFailure: they cannot connect. @thread any; blocks
  [[nodiscard]] static Result<std::unique_ptr<SumProbe>> create(int members);
  ~SumProbe();
  SumProbe(const SumProbe&) = delete;
  SumProbe& operator=(const SumProbe&) = delete;

  /// Sums float32 tensors of so many bytes, one of each member, and returns how long it takes from
  /// the first start to the last end. @errors EngineFailure @thread any; blocks
  [[nodiscard]] Result<TimeNs> sum(Bytes bytes);

 private:
  struct Impl;
  explicit SumProbe(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::run
