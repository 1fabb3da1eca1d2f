#include "engine/run/ranks/world.h"

#include <charconv>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace stagelane::run {
namespace {

constexpr int kMaxPort = 65535;
constexpr const char* kLauncherVariable = "STAGELANE_LAUNCHER";

Error invalid(const std::string& name, std::string what, std::string hint) {
  return {ErrorCode::Invalid, name + ": " + std::move(what), name, std::move(hint)};
}

std::optional<std::string> readSet(const ReadVariable& read, const std::string& name) {
  std::optional<std::string> text = read(name);
  if (text && text->empty()) text.reset();
  return text;
}

/// The number in a variable; nothing if it is not set.
Result<std::optional<int>> readNumber(const ReadVariable& read, const std::string& name, int least,
                                      int most) {
  const std::optional<std::string> text = readSet(read, name);
  if (!text) return std::nullopt;
  int value = 0;
  const char* const end = text->data() + text->size();
  const auto [stop, failed] = std::from_chars(text->data(), end, value);
  if (failed == std::errc() && stop == end && value >= least && value <= most) return value;
  return tl::make_unexpected(
      invalid(name,
              "'" + *text + "' is not a whole number from " + std::to_string(least) + " to " +
                  std::to_string(most),
              "unset the variable, or start the processes with torchrun or srun"));
}

Result<int> requireNumber(const ReadVariable& read, const std::string& name, int least, int most,
                          const std::string& beside) {
  STAGELANE_TRY(number, readNumber(read, name, least, most));
  if (*number) return **number;
  return tl::make_unexpected(
      invalid(name, "not set, although " + beside + " is", "set both, or neither"));
}

constexpr int kMaxRanks = 1 << 20;

/// Checks what the parts of a world say about each other.
Status checkRanks(const World& world, const std::string& rankName, const std::string& sizeName) {
  if (world.rank < world.size) return {};
  return tl::make_unexpected(invalid(rankName,
                                     std::to_string(world.rank) + " is not less than " + sizeName +
                                         " (" + std::to_string(world.size) + ")",
                                     "ranks are counted from 0"));
}

/// Reads the local rank, which may also be an argument.
Result<int> localRankOf(const ReadVariable& read, const std::string& name, const World& world,
                        const std::string& rankName, std::optional<int> option) {
  STAGELANE_TRY(number, readNumber(read, name, 0, kMaxRanks));
  if (*number && option && **number != *option) {
    return tl::make_unexpected(
        invalid(name, std::to_string(**number) + ", but --local-rank is " + std::to_string(*option),
                "leave out --local-rank"));
  }
  if (!*number && !option) {
    return tl::make_unexpected(
        invalid(name, "not set, although " + rankName + " is", "set it, or pass --local-rank"));
  }
  const int local = *number ? **number : *option;
  if (local < 0 || local > world.rank) {
    return tl::make_unexpected(invalid(name,
                                       std::to_string(local) + " is not from 0 to " + rankName +
                                           " (" + std::to_string(world.rank) + ")",
                                       "a process's rank on its host is at most its rank"));
  }
  return local;
}

Result<std::string> requireText(const ReadVariable& read, const std::string& name,
                                const std::string& beside) {
  std::optional<std::string> text = readSet(read, name);
  if (text) return std::move(*text);
  return tl::make_unexpected(
      invalid(name, "not set, although " + beside + " is", "set both, or neither"));
}

Result<std::optional<World>> torchrunWorld(std::optional<int> localRankOption,
                                           const ReadVariable& read) {
  World world;
  world.launcher = readSet(read, kLauncherVariable) == "stagelane" ? "stagelane" : "torchrun";
  STAGELANE_TRY(rank, requireNumber(read, "RANK", 0, kMaxRanks, "WORLD_SIZE"));
  STAGELANE_TRY(size, requireNumber(read, "WORLD_SIZE", 1, kMaxRanks, "RANK"));
  world.rank = *rank;
  world.size = *size;
  STAGELANE_CHECK(checkRanks(world, "RANK", "WORLD_SIZE"));
  STAGELANE_TRY(local, localRankOf(read, "LOCAL_RANK", world, "RANK", localRankOption));
  world.localRank = *local;
  STAGELANE_TRY(address, requireText(read, "MASTER_ADDR", "RANK"));
  world.address = std::move(*address);
  STAGELANE_TRY(port, requireNumber(read, "MASTER_PORT", 1, kMaxPort, "RANK"));
  world.port = *port;
  STAGELANE_TRY(restart, readNumber(read, "TORCHELASTIC_RESTART_COUNT", 0, kMaxRanks));
  world.restart = restart->value_or(0);
  const std::string agent = readSet(read, "TORCHELASTIC_USE_AGENT_STORE").value_or("False");
  if (agent != "True" && agent != "False") {
    return tl::make_unexpected(invalid("TORCHELASTIC_USE_AGENT_STORE",
                                       "'" + agent + "' is neither True nor False",
                                       "unset the variable"));
  }
  world.agentStore = agent == "True";
  return world;
}

/// Jobs of one host have different ports; the same rule as Lightning's.
Result<int> slurmPort(const ReadVariable& read) {
  STAGELANE_TRY(given, readNumber(read, "MASTER_PORT", 1, kMaxPort));
  if (*given) return **given;
  constexpr int kFirstPort = 15000;
  constexpr int kPorts = 10000;
  STAGELANE_TRY(job, requireText(read, "SLURM_JOB_ID", "SLURM_PROCID"));
  int port = 0;
  for (const char digit : *job) {
    if (digit < '0' || digit > '9') {
      return tl::make_unexpected(
          invalid("SLURM_JOB_ID", "'" + *job + "' is not a number", "set MASTER_PORT"));
    }
    port = (port * 10 + (digit - '0')) % kPorts;
  }
  return kFirstPort + port;
}

Result<std::string> slurmAddress(const ReadVariable& read) {
  if (std::optional<std::string> given = readSet(read, "MASTER_ADDR")) return std::move(*given);
  // A step may use only some hosts of its job.
  const std::string name =
      readSet(read, "SLURM_STEP_NODELIST") ? "SLURM_STEP_NODELIST" : "SLURM_NODELIST";
  STAGELANE_TRY(nodes, requireText(read, name, "SLURM_PROCID"));
  Result<std::string> host = firstHost(*nodes);
  if (!host) return tl::make_unexpected(invalid(name, host.error().message, "set MASTER_ADDR"));
  return host;
}

Result<std::optional<World>> slurmWorld(std::optional<int> localRankOption,
                                        const ReadVariable& read) {
  if (!readSet(read, "SLURM_PROCID")) return std::nullopt;
  STAGELANE_TRY(size, readNumber(read, "SLURM_NTASKS", 1, kMaxRanks));
  if (size->value_or(1) == 1) return std::nullopt;  // a process that Slurm has started alone
  World world;
  world.launcher = "slurm";
  world.size = **size;
  STAGELANE_TRY(rank, requireNumber(read, "SLURM_PROCID", 0, kMaxRanks, "SLURM_NTASKS"));
  world.rank = *rank;
  STAGELANE_CHECK(checkRanks(world, "SLURM_PROCID", "SLURM_NTASKS"));
  STAGELANE_TRY(torchSize, readNumber(read, "WORLD_SIZE", 1, kMaxRanks));
  if (torchSize->value_or(world.size) != world.size) {
    return tl::make_unexpected(
        invalid("WORLD_SIZE",
                std::to_string(**torchSize) + ", but SLURM_NTASKS is " + std::to_string(world.size),
                "unset WORLD_SIZE"));
  }
  STAGELANE_TRY(local, localRankOf(read, "SLURM_LOCALID", world, "SLURM_PROCID", localRankOption));
  world.localRank = *local;
  STAGELANE_TRY(address, slurmAddress(read));
  world.address = std::move(*address);
  STAGELANE_TRY(port, slurmPort(read));
  world.port = *port;
  return world;
}

}  // namespace

Result<std::string> firstHost(std::string_view nodeList) {
  const auto malformed = [nodeList] {
    return fail(ErrorCode::Invalid, "'" + std::string(nodeList) + "' is not a list of hosts");
  };
  std::string host;
  while (!nodeList.empty() && nodeList.front() != ',') {
    const std::size_t plain = nodeList.find_first_of("[],");
    host += nodeList.substr(0, plain);
    nodeList = plain == std::string_view::npos ? "" : nodeList.substr(plain);
    if (nodeList.empty() || nodeList.front() == ',') break;
    const std::size_t close = nodeList.find(']');
    if (nodeList.front() != '[' || close == std::string_view::npos) return malformed();
    const std::string_view numbers = nodeList.substr(1, close - 1);
    const std::string_view first = numbers.substr(0, numbers.find_first_of("-,"));
    if (first.empty() || first.find_first_not_of("0123456789") != std::string_view::npos) {
      return malformed();
    }
    host += first;
    nodeList = nodeList.substr(close + 1);
  }
  if (host.empty() || host.find_first_of(" \t\n/") != std::string::npos) return malformed();
  return host;
}

Result<std::optional<World>> worldFromVariables(std::optional<int> localRankOption,
                                                const ReadVariable& read) {
  const bool hasRank = readSet(read, "RANK").has_value();
  const bool hasSize = readSet(read, "WORLD_SIZE").has_value();
  if (hasRank) return torchrunWorld(localRankOption, read);
  STAGELANE_TRY(world, slurmWorld(localRankOption, read));
  // Scripts for Slurm often set WORLD_SIZE for their programs.
  if (*world || !hasSize) return world;
  return torchrunWorld(localRankOption, read);
}

Result<std::optional<World>> worldFromEnvironment(std::optional<int> localRankOption) {
  return worldFromVariables(localRankOption,
                            [](const std::string& name) -> std::optional<std::string> {
                              const char* const value = std::getenv(name.c_str());
                              if (value == nullptr) return std::nullopt;
                              return value;
                            });
}

std::vector<std::string> variablesOf(const World& world) {
  return {"RANK=" + std::to_string(world.rank),
          "WORLD_SIZE=" + std::to_string(world.size),
          "LOCAL_RANK=" + std::to_string(world.localRank),
          "MASTER_ADDR=" + world.address,
          "MASTER_PORT=" + std::to_string(world.port),
          std::string("TORCHELASTIC_USE_AGENT_STORE=") + (world.agentStore ? "True" : "False"),
          "TORCHELASTIC_RESTART_COUNT=" + std::to_string(world.restart),
          std::string(kLauncherVariable) + "=stagelane"};
}

}  // namespace stagelane::run
