#pragma once

/// Sweeps of the workspace: folders `sweeps/STAMP-SLUG` with the experiments of a sweep and a
/// `sweep.json` that lists their run folders and whether the sweep is to continue. Progress is
/// stored only in the events of the run folders, so a sweep can resume after a kill at any moment,
/// independent of the database.

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
[[nodiscard]] std::string word(SweepWish wish);

struct SweepTask {
  std::string label;
  std::string experiment;  ///< file in the sweep's folder
  std::string run;         ///< run folder; "" before it starts
  std::string problem;     ///< why it ended without completing
  int exitCode = 0;        ///< an ErrorCode, if there is a problem
};

struct Sweep {
  std::filesystem::path folder;
  std::string name;
  SweepWish wish = SweepWish::Go;
  std::vector<SweepTask> tasks;
};

/// From Canceled on, nothing more is measured.
enum class SweepState { Running, Paused, Interrupted, Canceled, Done, Failed };
enum class TaskState { Waiting, Running, Interrupted, Done, Failed };
struct TaskProgress {
  TaskState state = TaskState::Waiting;
  std::optional<record::RunResult> result;  ///< present once it has begun
};

/// Writes the experiments and the list. @errors CannotWrite
[[nodiscard]] Result<Sweep> createSweep(const std::filesystem::path& workspace,
                                        const std::string& name,
                                        const std::vector<plan::SweepJob>& jobs);
/// @errors Invalid (not a sweep folder)
[[nodiscard]] Result<Sweep> readSweep(const std::filesystem::path& folder);
/// Atomic, even if the program is killed. @errors CannotWrite
[[nodiscard]] Status writeSweep(const Sweep& sweep);
/// Newest first; unreadable ones are skipped.
[[nodiscard]] std::vector<Sweep> listSweeps(const std::filesystem::path& workspace);

[[nodiscard]] TaskProgress progressOf(const SweepTask& task);
/// The first task that is neither done nor failed; empty if the sweep is complete.
[[nodiscard]] std::optional<std::size_t> nextTask(const Sweep& sweep);
/// Failed: complete, and a task failed. Never Running, which only its runner knows.
[[nodiscard]] SweepState stateOf(const Sweep& sweep);
/// Assigns the task a run folder, and stores that on disk before anything is written there.
/// @errors CannotWrite
[[nodiscard]] Status reserveRun(const std::filesystem::path& workspace, Sweep& sweep,
                                std::size_t task);

}  // namespace stagelane::workspace
