#pragma once

/// The workers of a Hogwild variant, as processes or as threads. They are started once and serve
/// all repeats of the variant, because a process takes a second to load LibTorch; between repeats
/// they sleep.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/run/hogwild/shared_state.h"

namespace stagelane::run {

/// A worker that ended although nobody told it to.
struct LostWorker {
  int process = 0;
  std::string how;  ///< "was ended by signal 9 (Killed)"
};

class Crew {
 public:
  virtual ~Crew() = default;
  /// A worker that has ended, if any. Never blocks. @thread the one that made the crew
  [[nodiscard]] virtual std::optional<LostWorker> lost() = 0;
  /// Tells all workers to quit and waits for them; ends those that do not quit in time.
  /// @thread the one that made the crew; blocks for a second at most
  virtual void end() = 0;
  /// A thread that cannot be ended was left behind: it still uses everything that the crew has.
  [[nodiscard]] virtual bool threadsLeft() const { return false; }
  /// "process 2 (pid 4711)".
  [[nodiscard]] virtual std::string nameOf(int process) const = 0;
};

/// Starts the engine's program once for each process, with the command `hogwild-worker`. The
/// processes end with the calling thread, whatever ends it, so it has to live as long as the crew.
/// @errors EngineFailure: no process can be made
[[nodiscard]] Result<std::unique_ptr<Crew>> startProcesses(
    const std::string& program, const std::shared_ptr<SharedState>& shared);

/// Threads of this process, with their own copies of experiment and variant.
[[nodiscard]] Result<std::unique_ptr<Crew>> startThreads(
    const plan::Experiment& experiment, const plan::Variant& variant,
    const std::shared_ptr<SharedState>& shared);

/// Sets `quit` and wakes all workers.
void tellToQuit(SharedHeader& header);

}  // namespace stagelane::run
