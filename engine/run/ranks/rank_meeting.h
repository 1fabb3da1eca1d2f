#pragma once

/// How the ranks of a run meet before it starts: each announces itself, all wait for all, and all
/// must be the same program. Later, the ranks compare what must be equal on all of them.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/run/ranks/rank_store.h"

namespace stagelane::run {

/// What a rank says about itself.
struct RankHello {
  int rank = 0;
  std::string host;
  std::int64_t pid = 0;
  std::string version;
  std::string revision;
  std::string bootId;   ///< of the host's kernel since its start; equal only on the same host
  std::string devices;  ///< the rank's devices, as it wants to describe them
  friend bool operator==(const RankHello&, const RankHello&) = default;
};

/// The hello of this process.
[[nodiscard]] RankHello ownHello(int rank, std::string devices);

/// Announces `own` to the other ranks. @errors EngineFailure @thread any; blocks
[[nodiscard]] Status announce(RankStore& store, const RankHello& own);
/// Waits until all ranks have announced themselves, and checks that all have the version and the
/// revision of rank 0. @returns the hello of each rank, by rank
/// @errors EngineFailure: names the ranks that are missing after `limitNs`, or that run another
/// version @thread any; blocks
[[nodiscard]] Result<std::vector<RankHello>> meet(RankStore& store, TimeNs limitNs,
                                                  const StopCheck& stopped = {});

/// Checks that `text` is the same on all ranks that call this with the same key; compares digests.
/// Each key can be used once in a run. @errors EngineFailure: names the ranks whose text differs
/// from rank 0's, or that are missing @thread any; blocks
[[nodiscard]] Status agree(RankStore& store, const std::string& key, const std::string& text,
                           TimeNs limitNs, const StopCheck& stopped = {});

}  // namespace stagelane::run
