#pragma once

/// The processes of a run: found in the environment of torchrun or Slurm, or started here as
/// followers of this one. Rank 0 hands out the experiment; the others need no file. A calibration
/// has the same processes.

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/run/engine.h"

namespace stagelane::run {

struct World;

/// What the command line says about ranks.
struct RankOptions {
  int ranks = 0;                 ///< `--ranks`; 0: as many as the experiment needs
  std::optional<int> localRank;  ///< `--local-rank`, of torch.distributed.launch
};

/// Where this process stands before it has read the experiment.
class RankPlace {
 public:
  /// @errors Invalid, Usage (`--ranks` contradicts the launcher)
  [[nodiscard]] static Result<RankPlace> find(const RankOptions& options);

  /// Another process leads.
  [[nodiscard]] bool follows() const;
  /// The processes were asked for, so pipelines are dealt to them (plan::ranksOfRows).
  [[nodiscard]] bool isDealt() const;
  /// The processes of the run.
  [[nodiscard]] int sizeFor(const plan::Experiment& experiment) const;
  /// Of a launcher; null: started alone.
  [[nodiscard]] const World* world() const { return m_world.get(); }

 private:
  std::shared_ptr<const World> m_world;
  int m_asked = 0;  ///< RankOptions::ranks
};

/// Whether the processes suit the devices of the experiment. @errors Invalid
[[nodiscard]] Status checkRanks(const RankPlace& place, const plan::Experiment& experiment);

/// Opens the store, starts followers unless a launcher did, and waits for all ranks. Null if one
/// process is enough. `logs` gets a file for each follower started here.
/// @errors Invalid (too few processes), EngineFailure
[[nodiscard]] Result<std::shared_ptr<RankTeam>> leadRanks(const RankPlace& place,
                                                          const plan::Experiment& experiment,
                                                          RankWork work,
                                                          const std::filesystem::path& logs,
                                                          const std::atomic<bool>& stop);
/// What the ranks do, as in the event `ranks`.
[[nodiscard]] Json ranksTable(const RankTeam& team);

/// Ends the processes of a run. After a failure, or if a thread hangs, the team is never freed:
/// this process must end soon.
void endRanks(std::shared_ptr<RankTeam> team, bool failed);

/// A rank other than 0, to the end of the run. @returns the exit code
[[nodiscard]] int followRank(const RankPlace& place, const std::atomic<bool>& stop);

}  // namespace stagelane::run
