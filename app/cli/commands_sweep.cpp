// sweep: measures all combinations of lists of values, one after another; resumable.

#include <unistd.h>

#include <QCoreApplication>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>

#include "app/cli/command_application.h"
#include "app/cli/commands.h"
#include "app/engine_client/cost_source.h"
#include "app/engine_client/experiment_source.h"
#include "app/engine_client/run_progress.h"
#include "app/engine_client/signal_watch.h"
#include "app/engine_client/sweep_runner.h"
#include "app/terminal/console.h"
#include "engine/base/text.h"
#include "engine/base/visible_text.h"
#include "engine/plan/imagined.h"
#include "engine/plan/sweep_points.h"
#include "engine/record/failure_json.h"
#include "engine/record/left_out.h"
#include "engine/workspace/workspace.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/schedule_choices.h"
#include "ui/session/run/sweep_text.h"

namespace stagelane::app {
namespace {

using workspace::TaskState;

/// The lists as typed.
struct TypedLists {
  std::vector<std::string> splits;
  std::vector<std::string> schedules;
  std::vector<std::string> placements;
  std::vector<std::string> recomputes;
  std::vector<std::string> batches;
};

struct SweepOptions {
  std::string experiment;
  plan::SweepSpec spec;
  TypedLists lists;
  std::vector<std::string> sets;
  std::string resume;
  bool list = false;
  bool dryRun = false;
  bool json = false;
};

/// An empty item is an error.
/// @throws CLI::ArgumentMismatch
std::vector<std::string> wordsOf(const char* option, const std::vector<std::string>& typed) {
  std::vector<std::string> words;
  for (const std::string& list : typed) {
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      const std::string word = CLI::detail::trim_copy(list.substr(begin, end - begin));
      if (word.empty()) {
        throw CLI::ArgumentMismatch(std::string(option) + ": a value is missing in the list '" +
                                    list + "'");
      }
      words.push_back(word);
      begin = end + 1;
    }
  }
  return words;
}

/// @throws CLI::ArgumentMismatch, CLI::ConversionError
std::vector<std::int64_t> numbersOf(const char* option, const std::vector<std::string>& typed) {
  std::vector<std::int64_t> numbers;
  for (const std::string& word : wordsOf(option, typed)) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) {
      throw CLI::ConversionError(std::string(option) + ": '" + word + "' is not a whole number");
    }
    numbers.push_back(number);
  }
  return numbers;
}

std::string stateWord(TaskState state) {
  switch (state) {
    case TaskState::Waiting: return "waiting";
    case TaskState::Running: return "running";
    case TaskState::Interrupted: return "interrupted";
    case TaskState::Done: return "done";
    case TaskState::Failed: return "failed";
  }
  return {};
}

std::int64_t batchOf(const workspace::Sweep& sweep, const workspace::SweepTask& task) {
  const auto json = readJsonFile((sweep.folder / task.experiment).string());
  return json ? json->value(Json::json_pointer("/data/batch_size"), std::int64_t{0}) : 0;
}

Json pointJson(const record::VariantResult& variant, std::int64_t batch) {
  Json point{{"variant", variant.id},
             {"schedule", variant.schedule},
             {"split_size", variant.splitSize},
             {"batch_size", batch},
             {"status", record::word(variant.status)},
             {"seconds", variant.seconds}};
  if (!variant.seconds.empty()) {
    point["mean_s"] = variant.meanS;
    point["std_s"] = variant.stdS;
  }
  if (variant.stepNs > 0) point["step_ns"] = variant.stepNs;
  if (variant.predicted) point["predicted_step_ns"] = variant.predicted->stepNs;
  if (!variant.reason.empty()) point["reason"] = variant.reason;
  if (variant.failure) point["failure"] = record::failureToJson(*variant.failure);
  return point;
}

Json toJson(const workspace::Sweep& sweep) {
  Json tasks = Json::array();
  for (const workspace::SweepTask& task : sweep.tasks) {
    const workspace::TaskProgress progress = workspace::progressOf(task);
    Json json{{"label", task.label},
              {"run", task.run},
              {"state", stateWord(progress.state)},
              {"points", Json::array()}};
    if (progress.state == TaskState::Failed) {
      json["problem"] = task.problem;
      json["exit_code"] = task.exitCode;
    }
    const std::int64_t batch = batchOf(sweep, task);
    for (const record::VariantResult& variant :
         progress.result ? progress.result->variants : std::vector<record::VariantResult>{}) {
      json["points"].push_back(pointJson(variant, batch));
    }
    tasks.push_back(std::move(json));
  }
  return {{"folder", sweep.folder.string()},
          {"name", sweep.name},
          {"wish", workspace::word(sweep.wish)},
          {"tasks", std::move(tasks)}};
}

std::string pointsTable(const workspace::Sweep& sweep) {
  std::vector<std::vector<std::string>> rows{
      {"point", "status", "predicted step", "step", "a sample", "repeats"}};
  for (const workspace::SweepTask& task : sweep.tasks) {
    const workspace::TaskProgress progress = workspace::progressOf(task);
    const auto batch = static_cast<double>(std::max<std::int64_t>(1, batchOf(sweep, task)));
    const std::string prefix = task.label.empty() ? "" : task.label + ": ";
    if (!progress.result) {
      rows.push_back({prefix + "-", stateWord(progress.state), "-", "-", "-", "0"});
      continue;
    }
    for (const record::VariantResult& variant : progress.result->variants) {
      if (record::isLeftOut(variant)) continue;
      const bool measured = variant.stepNs > 0;
      const auto stepNs = static_cast<double>(variant.stepNs);
      rows.push_back(
          {prefix + variant.id, std::string(record::word(variant.status)),
           variant.predicted ? humanTime(static_cast<double>(variant.predicted->stepNs)) : "-",
           measured ? humanTime(stepNs) : "-", measured ? humanTime(stepNs / batch) : "-",
           std::to_string(variant.seconds.size())});
    }
  }
  return formatTable(rows);
}

/// Prints the error of each failed task. @returns the exit code of the first, or 0
int tellFailures(const workspace::Sweep& sweep) {
  int code = 0;
  for (const workspace::SweepTask& task : sweep.tasks) {
    if (workspace::progressOf(task).state == TaskState::Failed) {
      const std::string which = task.label.empty() ? std::string() : task.label + ": ";
      printError({static_cast<ErrorCode>(task.exitCode), which + task.problem, task.run,
                  "measurements are kept; `stagelane sweep --list --json` lists them"});
      code = code == 0 ? task.exitCode : code;
    }
  }
  return code;
}

/// Prints the measurements and the outcome. JSON only for a sweep that succeeded or was paused.
int showEnd(const workspace::Sweep& sweep, bool json) {
  int written = json ? 0 : printText(pointsTable(sweep));
  const bool paused = sweep.wish != workspace::SweepWish::Go;
  const int failed = tellFailures(sweep);
  if (json && (paused || failed == 0)) written = printJson(toJson(sweep));
  if (paused) {
    printNote("stagelane: paused; resume with: stagelane sweep --resume " +
              visible(sweep.folder.string()) + "\n");
  }
  return written != 0 ? written : paused ? kExitCanceled : failed;
}

enum class Origin { New, Resumed };

/// Runs the sweep in an event loop. The first Ctrl-C pauses it. A new sweep that is refused, for
/// example because another run is in progress, leaves no folder.
Result<int> runSweep(workspace::Sweep sweep, CostSource costs, bool json, Origin origin) {
  SweepRunner runner;
  SignalWatch signals;
  RunProgress progress(::isatty(STDERR_FILENO) != 0 ? ProgressStyle::Terminal
                                                    : ProgressStyle::Lines);
  std::optional<Error> problem;
  QObject::connect(&runner, &SweepRunner::eventReceived, &runner,
                   [&](const Json& event) { printNote(progress.textFor(event)); });
  QObject::connect(&runner, &SweepRunner::finished, &runner,
                   [&](const std::optional<Error>& error) {
                     problem = error;
                     QCoreApplication::quit();
                   });
  QObject::connect(&signals, &SignalWatch::stopRequested, &runner, [&] {
    printNote(progress.end() + "pausing after the actions in progress\n");
    runner.pause();
  });
  const std::string folder = sweep.folder.string();
  if (const Status begun = runner.start(std::move(sweep), std::move(costs)); !begun) {
    std::error_code ignored;
    if (origin == Origin::New) std::filesystem::remove_all(folder, ignored);
    return tl::make_unexpected(begun.error());
  }
  printNote("stagelane: sweep in " + visible(folder) + "\n");
  QCoreApplication::exec();
  printNote(progress.end());
  if (problem) {
    printNote("stagelane: resume with: stagelane sweep --resume " + visible(folder) + "\n");
    return tl::make_unexpected(*problem);
  }
  return showEnd(runner.sweep(), json);
}

/// The model's costs in the workspace, without measuring missing ones.
CostSource keptCosts(const LoadedExperiment& loaded) {
  const auto costs = costsFor(loaded, {});
  return costs.value_or(CostSource{});
}

Result<int> resumeSweep(const SweepOptions& options) {
  STAGELANE_TRY(sweep, workspace::readSweep(options.resume));
  CostSource costs;
  if (!sweep->tasks.empty()) {
    const std::string first = (sweep->folder / sweep->tasks.front().experiment).string();
    if (const auto loaded = readExperimentArgument(first, {})) costs = keptCosts(*loaded);
  }
  return runSweep(std::move(*sweep), std::move(costs), options.json, Origin::Resumed);
}

struct SweepSize {
  std::size_t runs = 0;
  std::size_t points = 0;
  std::size_t others = 0;  ///< measured for comparison
};

/// The rule of the window's dialog.
Status checkPoint(const plan::Experiment& experiment, const plan::Variant& variant) {
  const QString breach = ui::unsuited(experiment, variant);
  if (breach.isEmpty()) return {};
  return fail(ErrorCode::Invalid,
              variant.schedule + ", split " + std::to_string(variant.splitSize) + ", batch " +
                  std::to_string(experiment.data.batchSize) + ": " + ui::utf8(breach),
              "", "Remove one of these values from the lists, or change the variant's plan");
}

/// Reads all experiments first, so that errors show before hours of measuring.
Result<SweepSize> sizeOf(const std::vector<plan::SweepJob>& jobs) {
  SweepSize size{jobs.size(), 0, 0};
  for (const plan::SweepJob& job : jobs) {
    STAGELANE_TRY(experiment,
                  plan::readExperiment(job.experiment, ".", machineFor(job.experiment)));
    for (const std::string& warning : experiment->warnings) printWarning(warning);
    STAGELANE_CHECK(plan::requireReal(*experiment));
    for (const plan::Variant& variant : experiment->variants) {
      const bool point = plan::isSweepPoint(variant);
      if (point) STAGELANE_CHECK(checkPoint(*experiment, variant));
      size.points += point ? 1 : 0;
      size.others += variant.include && !point ? 1 : 0;
    }
  }
  return size;
}

std::string toText(const SweepSize& size) {
  const std::string others = size.others == 0
                                 ? ""
                                 : ", and " + std::to_string(size.others) +
                                       (size.others == 1 ? " other variant" : " other variants") +
                                       " for comparison";
  return std::to_string(size.points) + (size.points == 1 ? " point in " : " points in ") +
         std::to_string(size.runs) + (size.runs == 1 ? " run" : " runs") + others;
}

Result<int> newSweep(const SweepOptions& options) {
  STAGELANE_TRY(loaded, readExperimentArgument(options.experiment, options.sets));
  const Json document = withAbsolutePaths(loaded->source.document, loaded->source.baseFolder);
  STAGELANE_TRY(jobs, plan::sweepJobs(document, options.spec));
  STAGELANE_TRY(size, sizeOf(*jobs));
  printNote("stagelane: " + toText(*size) + "\n");
  if (options.dryRun) {
    return options.json ? printJson(Json{{"points", size->points}, {"runs", size->runs}}) : 0;
  }
  STAGELANE_TRY(sweep,
                workspace::createSweep(workspace::workspaceRoot(), loaded->experiment.name, *jobs));
  return runSweep(std::move(*sweep), keptCosts(*loaded), options.json, Origin::New);
}

int listAll(bool json) {
  Json document{{"sweeps", Json::array()}};
  std::vector<std::vector<std::string>> rows{{"name", "state", "done", "folder"}};
  for (const workspace::Sweep& sweep : workspace::listSweeps(workspace::workspaceRoot())) {
    if (json) {
      document["sweeps"].push_back(toJson(sweep));
      continue;
    }
    std::map<TaskState, std::size_t> tasks;
    for (const workspace::SweepTask& task : sweep.tasks) ++tasks[workspace::progressOf(task).state];
    const auto state = tasks[TaskState::Running] > 0 ? ui::SweepState::Running : stateOf(sweep);
    rows.push_back(
        {sweep.name, ui::utf8(ui::sweepStateText(state)),
         std::to_string(tasks[TaskState::Done]) + " of " + std::to_string(sweep.tasks.size()),
         sweep.folder.string()});
  }
  return json ? printJson(document) : printText(formatTable(rows));
}

Result<int> sweepCommand(const SweepOptions& options) {
  const CommandApplication application;
  if (options.list) return listAll(options.json);
  if (!options.resume.empty()) return resumeSweep(options);
  return newSweep(options);
}

}  // namespace

void addSweepCommand(const CommandLine& line) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command = line.parser.add_subcommand(
      "sweep", "Measure all combinations of lists of values; resumable after interruptions");
  command->add_option("EXPERIMENT", options->experiment, "Experiment file, preset, or run folder");
  command->add_option("--variant", options->spec.variant, "Pipeline variant to vary");
  command->add_option("--split", options->lists.splits, "Split sizes: 4,8,16");
  command->add_option("--schedule", options->lists.schedules, "Schedules: gpipe,1f1b,zb-h1");
  command->add_option("--placement", options->lists.placements, "Placements: optimal,balanced");
  command->add_option("--recompute", options->lists.recomputes, "never,except_last,always");
  command->add_option("--batch", options->lists.batches, "Batch sizes; each one is a separate run");
  command->add_flag("--early-stop", options->spec.earlyStop,
                    "Stop measuring points that cannot become the fastest");
  addSetOption(*command, options->sets);
  addPathOption(*command, "--resume", options->resume, "Sweep folder to resume");
  command->add_flag("--list", options->list, "List the sweeps of the workspace");
  command->add_flag("--dry-run", options->dryRun, "Only print the number of points and runs");
  command->add_flag("--json", options->json, "Print one JSON document");
  command->footer(
      "Examples:\n"
      "  stagelane sweep toy --variant pipeline --split 2,5,10 --batch 20,40\n"
      "  stagelane sweep --resume ~/.local/share/stagelane/sweeps/20261121-101500-toy-model\n"
      "Ctrl-C pauses. Measurements are kept, also after a crash; --resume continues the sweep.\n"
      "If a run fails, the others are still measured. The exit code is that of the first failure.");
  command->callback([&action = line.action, options] {
    const bool fresh = options->resume.empty() && !options->list;
    if (fresh && (options->experiment.empty() || options->spec.variant.empty())) {
      throw CLI::RequiredError("EXPERIMENT with --variant, or --resume, or --list");
    }
    const TypedLists& lists = options->lists;
    options->spec.splits = numbersOf("--split", lists.splits);
    options->spec.schedules = wordsOf("--schedule", lists.schedules);
    options->spec.placements = wordsOf("--placement", lists.placements);
    options->spec.recomputes = wordsOf("--recompute", lists.recomputes);
    options->spec.batches = numbersOf("--batch", lists.batches);
    action = [options] { return sweepCommand(*options); };
  });
}

}  // namespace stagelane::app
