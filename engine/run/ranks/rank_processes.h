#pragma once

/// Follower processes that Stagelane starts on its own host, one for each other rank. None of them
/// outlives this process, however it ends.

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/run/device/backend.h"

namespace stagelane::run {

struct RankCommand {
  int rank = 0;
  std::vector<std::string> arguments;  ///< the program's path first
  std::vector<std::string> variables;  ///< "NAME=value", replace those of this process
  std::string outputPath;              ///< standard output; empty: this process's
  std::string errorPath;               ///< standard error; empty: this process's
};

/// How a process ended.
struct RankEnd {
  int rank = 0;
  int exitCode = 0;  ///< if signal is 0
  int signal = 0;
};

class RankProcesses {
 public:
  RankProcesses();
  /// Kills what still runs.
  ~RankProcesses();
  RankProcesses(const RankProcesses&) = delete;
  RankProcesses& operator=(const RankProcesses&) = delete;

  /// Starts a process in a process group of its own. @errors EngineFailure (cannot be started),
  /// CannotWrite (output file) @thread one at a time, as all below; returns when the program runs
  [[nodiscard]] Status start(const RankCommand& command);
  /// The processes that have ended so far, in the order in which that was noticed.
  [[nodiscard]] std::vector<RankEnd> ended();
  /// Waits until all have ended. @returns whether they have, within `limitNs`
  [[nodiscard]] bool wait(TimeNs limitNs, const StopCheck& stopped = {});
  /// SIGTERM to all; SIGKILL to those that run after `graceNs`. Returns when all have ended.
  void terminate(TimeNs graceNs);
  /// Process ids of those that run.
  [[nodiscard]] std::vector<pid_t> running() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::run
