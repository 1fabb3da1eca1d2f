#pragma once

/// The processes of a run: found in the environment of torchrun or Slurm, or started here as
/// followers of this one. Rank 0 hands out the experiment; the others need no file.

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/run/ranks/rank_team.h"
#include "engine/run/ranks/world.h"

namespace stagelane {

/// What the command line says about ranks.
struct RankOptions {
  int ranks = 0;                 ///< `--ranks`; 0: as many as the experiment needs
  std::optional<int> localRank;  ///< `--local-rank`, of torch.distributed.launch
};

/// Where this process stands before it has read the experiment.
struct RankPlace {
  std::optional<run::World> world;  ///< of a launcher; empty: started alone
  [[nodiscard]] bool follows() const { return world && world->rank > 0; }
  [[nodiscard]] bool isDealt(const RankOptions& options) const {
    return options.ranks > 0 || (world && world->size > 1);
  }
};
/// @errors Invalid, Usage (`--ranks` under a launcher)
[[nodiscard]] Result<RankPlace> rankPlace(const RankOptions& options);

/// Whether the processes suit the devices of the experiment. @errors Invalid
[[nodiscard]] Status checkRanks(const RankPlace& place, const RankOptions& options,
                                const plan::Experiment& experiment);

/// Opens the store, starts followers unless a launcher did, and waits for all ranks. Null if one
/// process is enough. `logs` gets a file for each follower started here.
/// @errors Invalid (too few processes), EngineFailure
[[nodiscard]] Result<std::unique_ptr<run::RankTeam>> leadRanks(const RankPlace& place,
                                                               const RankOptions& options,
                                                               const plan::Experiment& experiment,
                                                               const std::filesystem::path& logs,
                                                               const std::atomic<bool>& stop);

/// A rank other than 0, to the end of the run. @returns the exit code
[[nodiscard]] int followRank(const RankPlace& place, const std::atomic<bool>& stop);

}  // namespace stagelane
