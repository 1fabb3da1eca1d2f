#include "engine/workspace/sweep_store.h"

#include <algorithm>
#include <system_error>

#include "engine/base/files.h"
#include "engine/base/text_member.h"
#include "engine/workspace/workspace.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

constexpr int kSweepVersion = 1;

/// Lists of older versions store a problem without its kind.
int exitCodeAt(const Json& task) {
  if (textMember(task, "problem").empty()) return 0;
  const auto found = task.find("exit_code");
  return found != task.end() && found->is_number_integer()
             ? found->get<int>()
             : static_cast<int>(ErrorCode::EngineFailure);
}

fs::path listFile(const fs::path& folder) { return folder / "sweep.json"; }

Result<std::string> experimentName(const Sweep& sweep, std::size_t task) {
  STAGELANE_TRY(json, readJsonFile((sweep.folder / sweep.tasks[task].experiment).string()));
  return textMember(*json, "name");
}

}  // namespace

std::string word(SweepWish wish) {
  return wish == SweepWish::Go ? "go" : wish == SweepWish::Paused ? "paused" : "canceled";
}

namespace {

Status fillSweep(Sweep& sweep, const std::vector<plan::SweepJob>& jobs) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::string file = std::to_string(i + 1) + ".json";
    STAGELANE_CHECK(writeFileAtomically(
        sweep.folder / file,
        jobs[i].experiment.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
    sweep.tasks.push_back({jobs[i].label, file, "", "", 0});
  }
  return writeSweep(sweep);
}

}  // namespace

Result<Sweep> createSweep(const fs::path& workspace, const std::string& name,
                          const std::vector<plan::SweepJob>& jobs) {
  STAGELANE_TRY(folder, newFolder(workspace / "sweeps", name));
  Sweep sweep;
  sweep.folder = *folder;
  sweep.name = name;
  if (const Status filled = fillSweep(sweep, jobs); !filled) {
    std::error_code ignored;
    fs::remove_all(*folder, ignored);
    return tl::make_unexpected(filled.error());
  }
  return sweep;
}

Result<Sweep> readSweep(const fs::path& path) {
  std::error_code failed;
  const fs::path full = fs::absolute(path, failed).lexically_normal();
  const fs::path folder = full.has_filename() ? full : full.parent_path();
  const auto json = readJsonFile(listFile(folder).string());
  if (!json || !json->is_object() || !json->contains("tasks") || !json->at("tasks").is_array()) {
    return fail(ErrorCode::Invalid, "not a sweep folder: it has no readable sweep.json",
                folder.string(), "`stagelane sweep --list` lists the sweeps of the workspace");
  }
  Sweep sweep;
  sweep.folder = folder;
  sweep.name = textMember(*json, "name");
  const std::string wish = textMember(*json, "wish");
  sweep.wish = wish == "paused"     ? SweepWish::Paused
               : wish == "canceled" ? SweepWish::Canceled
                                    : SweepWish::Go;
  for (const Json& task : json->at("tasks")) {
    sweep.tasks.push_back({textMember(task, "label"), textMember(task, "experiment"),
                           textMember(task, "run"), textMember(task, "problem"), exitCodeAt(task)});
  }
  return sweep;
}

Status writeSweep(const Sweep& sweep) {
  Json tasks = Json::array();
  for (const SweepTask& task : sweep.tasks) {
    tasks.push_back({{"label", task.label},
                     {"experiment", task.experiment},
                     {"run", task.run},
                     {"problem", task.problem},
                     {"exit_code", task.exitCode}});
  }
  const Json json{{"stagelane_sweep", kSweepVersion},
                  {"name", sweep.name},
                  {"wish", word(sweep.wish)},
                  {"tasks", tasks}};
  return writeFileAtomically(listFile(sweep.folder),
                             json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n",
                             Links::Replace);
}

std::vector<Sweep> listSweeps(const fs::path& workspace) {
  std::vector<Sweep> sweeps;
  std::error_code failed;
  for (fs::directory_iterator it(workspace / "sweeps", failed), end; !failed && it != end;
       it.increment(failed)) {
    if (auto sweep = readSweep(it->path())) sweeps.push_back(std::move(*sweep));
  }
  std::sort(sweeps.begin(), sweeps.end(), [](const Sweep& left, const Sweep& right) {
    return left.folder.filename() > right.folder.filename();
  });
  return sweeps;
}

TaskProgress progressOf(const SweepTask& task) {
  TaskProgress progress;
  std::error_code failed;
  if (!task.run.empty() && fs::exists(record::RunFolder{task.run}.experiment(), failed)) {
    if (auto run = record::openRun(task.run)) {
      progress.state = run->status == record::RunStatus::Done      ? TaskState::Done
                       : run->status == record::RunStatus::Running ? TaskState::Running
                                                                   : TaskState::Interrupted;
      progress.result = std::move(*run);
    }
  }
  if (progress.state != TaskState::Done && !task.problem.empty()) {
    progress.state = TaskState::Failed;
  }
  return progress;
}

std::optional<std::size_t> nextTask(const Sweep& sweep) {
  for (std::size_t i = 0; i < sweep.tasks.size(); ++i) {
    const TaskState state = progressOf(sweep.tasks[i]).state;
    if (state != TaskState::Done && state != TaskState::Failed) return i;
  }
  return std::nullopt;
}

SweepState stateOf(const Sweep& sweep) {
  if (nextTask(sweep)) {
    return sweep.wish == SweepWish::Paused     ? SweepState::Paused
           : sweep.wish == SweepWish::Canceled ? SweepState::Canceled
                                               : SweepState::Interrupted;
  }
  for (const SweepTask& task : sweep.tasks) {
    if (progressOf(task).state == TaskState::Failed) return SweepState::Failed;
  }
  return SweepState::Done;
}

Status reserveRun(const fs::path& workspace, Sweep& sweep, std::size_t task) {
  STAGELANE_TRY(name, experimentName(sweep, task));
  STAGELANE_TRY(folder, newRunFolder(workspace, *name));
  sweep.tasks[task].run = folder->string();
  return writeSweep(sweep);
}

}  // namespace stagelane::workspace
