#pragma once

/// Ranks that are all in this process, connected by Gloo over the loopback interface. They use the
/// same sockets, threads, and copies as ranks in processes of their own on this host, so a
/// calibration can measure with them.

#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/run/ranks/rank_groups.h"

namespace stagelane::run {

struct LocalRanks {
  std::vector<std::unique_ptr<RankStore>> stores;  ///< outlive the groups
  std::vector<std::shared_ptr<RankGroup>> groups;  ///< of all ranks, as each of them sees it

  /// @pre at least two ranks @errors EngineFailure: they cannot connect. @thread any; blocks
  [[nodiscard]] static Result<LocalRanks> create(const std::string& name, int ranks);
};

}  // namespace stagelane::run
