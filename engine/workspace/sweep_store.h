#pragma once

/// Sweeps of the workspace: folders `sweeps/STAMP-SLUG` with the experiments of a sweep and a
/// `sweep.json` that says which run folder each has and whether the sweep is to go on. What is done
/// is nowhere written twice: it is what the events of the run folders say. So a kill at any moment
/// leaves a sweep that can go on, whatever the database has lost.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/sweep.h"
#include "engine/record/run_record.h"

namespace stagelane::workspace {

enum class SweepWish { Go, Paused, Canceled };

struct SweepTask {
  std::string label;
  std::string experiment;  ///< file in the sweep's folder
  std::string run;         ///< run folder; "" before its start
  std::string problem;     ///< why it ended for good without being done
  int exitCode = 0;        ///< of engine/base/result.h, with a problem
};

struct Sweep {
  std::filesystem::path folder;
  std::string name;
  SweepWish wish = SweepWish::Go;
  std::vector<SweepTask> tasks;
};

enum class TaskState { Waiting, Running, Interrupted, Done, Failed };
struct TaskProgress {
  TaskState state = TaskState::Waiting;
  std::optional<record::RunResult> result;  ///< once it has begun
};

/// Writes the experiments and the list. @errors CannotWrite
[[nodiscard]] Result<Sweep> createSweep(const std::filesystem::path& workspace,
                                        const std::string& name,
                                        const std::vector<plan::SweepJob>& jobs);
/// @errors Invalid (no sweep folder)
[[nodiscard]] Result<Sweep> readSweep(const std::filesystem::path& folder);
/// Old or new, whenever the program is killed. @errors CannotWrite
[[nodiscard]] Status writeSweep(const Sweep& sweep);
/// Newest first; what cannot be read is left out.
[[nodiscard]] std::vector<Sweep> listSweeps(const std::filesystem::path& workspace);

[[nodiscard]] TaskProgress progressOf(const SweepTask& task);
/// The first task that is neither done nor failed; nothing when the sweep is through.
[[nodiscard]] std::optional<std::size_t> nextTask(const Sweep& sweep);
/// Gives the task a run folder, and says so on the disk before anything is put there.
/// @errors CannotWrite
[[nodiscard]] Status reserveRun(const std::filesystem::path& workspace, Sweep& sweep,
                                std::size_t task);

}  // namespace stagelane::workspace
