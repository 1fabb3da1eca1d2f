#pragma once

/// The place of this process among the processes of a run, as its launcher describes it in the
/// environment. Reads variables only; connects to nothing.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace stagelane::run {

struct World {
  int rank = 0;             ///< 0 … size − 1
  int size = 1;             ///< number of processes
  int localRank = 0;        ///< number among the processes of this host
  std::string address;      ///< host name or IP address where the store listens
  int port = 0;             ///< of the store; 0: any free port (only rank 0 can use that)
  bool agentStore = false;  ///< the launcher serves the store, not rank 0
  int restart = 0;          ///< how often the launcher has restarted all ranks
  std::string launcher;     ///< "torchrun", "slurm", or "stagelane"
};

/// The value of an environment variable; nothing if it is not set.
using ReadVariable = std::function<std::optional<std::string>(const std::string& name)>;

/// The world of this process; nothing if no launcher of several processes has started it. The
/// variables of torchrun (RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT) have precedence
/// over Slurm's, of which the address is the first host of the node list and the port depends on
/// the job's number, unless MASTER_ADDR and MASTER_PORT are set.
/// `localRankOption` is an argument of the command line; it must agree with LOCAL_RANK.
/// @errors Invalid: a variable is missing, malformed or contradicts another one; names it
/// @source torch/distributed/run.py; lightning.fabric SLURMEnvironment (default port)
[[nodiscard]] Result<std::optional<World>> worldFromVariables(std::optional<int> localRankOption,
                                                              const ReadVariable& read);
/// The same with the variables of this process. @thread not while another one calls setenv
[[nodiscard]] Result<std::optional<World>> worldFromEnvironment(std::optional<int> localRankOption);

/// The variables ("NAME=value") that describe `world` to a process that Stagelane starts itself.
[[nodiscard]] std::vector<std::string> variablesOf(const World& world);

/// "node03" of "node[03-07,9],gpu1", Slurm's short form for lists of hosts. @errors Invalid
[[nodiscard]] Result<std::string> firstHost(std::string_view nodeList);

}  // namespace stagelane::run
