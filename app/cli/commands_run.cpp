// run: an experiment on this machine's devices, in the engine process.

#include <unistd.h>

#include <QCoreApplication>
#include <algorithm>
#include <functional>
#include <memory>

#include "app/cli/command_application.h"
#include "app/cli/commands.h"
#include "app/cli/result_table.h"
#include "app/cli/size_lines.h"
#include "app/engine_client/cost_source.h"
#include "app/engine_client/engine_input.h"
#include "app/engine_client/engine_process.h"
#include "app/engine_client/event_members.h"
#include "app/engine_client/experiment_source.h"
#include "app/engine_client/run_progress.h"
#include "app/engine_client/signal_watch.h"
#include "app/terminal/console.h"
#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/base/visible_text.h"
#include "engine/plan/fixed_plan.h"
#include "engine/plan/hosts.h"
#include "engine/plan/imagined.h"
#include "engine/predict/simulator.h"
#include "engine/predict/variant_schedule.h"
#include "engine/search/resolve.h"
#include "engine/workspace/run_index.h"
#include "engine/workspace/workspace.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string experiment;
  std::string out;
  std::string resume;
  std::vector<std::string> sets;
  int ranks = kRanksNeeded;
  bool json = false;
};

Result<fs::path> prepareFolder(const RunOptions& options, const std::string& name) {
  if (options.out.empty()) return workspace::newRunFolder(workspace::workspaceRoot(), name);
  const fs::path folder = options.out;
  STAGELANE_CHECK(makeEmptyFolder(folder));
  std::error_code failed;
  const fs::path full = fs::absolute(folder, failed);
  return failed ? folder : full.lexically_normal();
}

/// Standard output: the sizes of the batches during the run, then the table; with `json`
/// only the result.
class RunOutput {
 public:
  explicit RunOutput(bool json) : m_json(json) {}

  [[nodiscard]] bool json() const { return m_json; }
  /// Whether the event has lines for standard output.
  [[nodiscard]] bool shows(const Json& event) const {
    return !m_json && m_failed == 0 && textAt(event, "event") == "sizes";
  }
  void show(const Json& event) { m_failed = printText(sizeLines(event)); }
  /// The exit code after a failed write, else 0.
  [[nodiscard]] int failed() const { return m_failed; }

 private:
  bool m_json;
  int m_failed = 0;
};

// Runs the engine, started by `start`, with an event loop around it.
EngineOutcome runEngine(const std::function<Status(EngineProcess&)>& start, RunOutput& output,
                        const record::RunResult* before = nullptr) {
  EngineProcess engine;
  SignalWatch signals;
  RunProgress progress(::isatty(STDERR_FILENO) != 0 ? ProgressStyle::Terminal
                                                    : ProgressStyle::Lines);
  if (before != nullptr) {
    // A resumed run does not repeat the event with its variants' names.
    Json started = record::startedMembers(*before);
    started["event"] = "started";
    printNote(progress.textFor(started));
  }
  EngineOutcome outcome;
  QObject::connect(&engine, &EngineProcess::eventReceived, &engine, [&](const Json& event) {
    if (output.shows(event)) {
      printNote(progress.end());  // both may go to one terminal
      output.show(event);
    }
    printNote(progress.textFor(event));
  });
  QObject::connect(&engine, &EngineProcess::finished, &engine, [&](const EngineOutcome& ended) {
    outcome = ended;
    QCoreApplication::quit();
  });
  QObject::connect(&engine, &EngineProcess::connectionChanged, &engine,
                   [&](const Connection& connection) {
                     printNote(progress.end() + progress.textFor(connection));
                   });
  QObject::connect(&signals, &SignalWatch::stopRequested, &engine, [&] {
    printNote(progress.end() +
              "canceling after the actions in progress (press Ctrl-C again to stop now)\n");
    engine.cancel();
  });
  if (const Status started = start(engine); !started) {
    outcome.error = started.error();
    outcome.exitCode = static_cast<int>(started.error().code);
    return outcome;
  }
  // An engine that cannot start has already finished.
  if (engine.isRunning()) QCoreApplication::exec();
  printNote(progress.end());
  return outcome;
}

void indexRun(const fs::path& folder) {
  auto index = workspace::RunIndex::open(workspace::workspaceRoot());
  const Status put = index ? (*index)->put(folder) : Status(tl::make_unexpected(index.error()));
  if (!put) {
    // The run is complete in its folder, where `stagelane runs` finds it.
    printWarning(put.error().message);
  }
}

/// False if the run failed before its first variant, for example on a missing device.
bool reachedAVariant(const EngineOutcome& outcome) {
  return outcome.result && (!outcome.result->variants.empty() || !outcome.error);
}

Result<int> report(const EngineOutcome& outcome, const RunOutput& output, const fs::path& folder) {
  if (output.failed() != 0) return output.failed();
  const bool json = output.json();
  if (!json && reachedAVariant(outcome)) {
    if (const int written = printText(resultTable(*outcome.result)); written != 0) return written;
  }
  if (outcome.error) return tl::make_unexpected(*outcome.error);
  if (outcome.isLeft) {
    printNote(
        "stagelane: the host is not reached, so the run continues there; it is canceled as soon as "
        "the host is reached. Take it up with `stagelane run --resume " +
        visible(folder.string()) + "`\n");
    return outcome.exitCode;
  }
  if (outcome.exitCode == kExitCanceled) printNote("stagelane: canceled\n");
  if (json && outcome.result) {
    if (const int written = printJson(record::toJson(*outcome.result)); written != 0) {
      return written;
    }
  }
  return outcome.exitCode;
}

/// Writes the engine's input: the experiment, if changed, and its stages and orders.
/// @returns the experiment's file
Result<fs::path> writeForEngine(const LoadedExperiment& loaded, const predict::CostTable* costs,
                                EngineInput& files) {
  STAGELANE_TRY(found, search::resolve(loaded.experiment, costs).map(plan::fixedPlan));
  STAGELANE_CHECK(files.writePlan(*found));
  if (!loaded.source.changed) return loaded.source.file;
  const Json document = withAbsolutePaths(loaded.source.document, loaded.source.baseFolder);
  STAGELANE_CHECK(files.write(document));
  return files.path();
}

Result<int> run(const RunOptions& options) {
  const CommandApplication application;

  STAGELANE_TRY(loaded, readExperimentArgument(options.experiment, options.sets));
  STAGELANE_CHECK(plan::requireIncluded(loaded->experiment));
  STAGELANE_CHECK(plan::requireReal(loaded->experiment));
  STAGELANE_CHECK(predict::checkSchedules(loaded->experiment));
  STAGELANE_TRY(host, plan::hostOf(loaded->experiment));
  if (host->empty()) STAGELANE_CHECK(findEngine());
  // Only a search for an order needs measured times.
  const auto& variants = loaded->experiment.variants;
  const bool searches = std::any_of(variants.begin(), variants.end(), [](const auto& variant) {
    return variant.include && plan::hasOpenOrder(variant);
  });
  const Calibrate calibrate = searches ? Calibrate::IfMissing : Calibrate::Never;
  STAGELANE_TRY(costs, costsFor(*loaded, {"", calibrate}));
  if (costs->canceled) {
    printNote("stagelane: canceled\n");
    return kExitCanceled;
  }
  EngineInput files;
  STAGELANE_TRY(file, writeForEngine(*loaded, costs->table.get(), files));
  const std::string where = options.out.empty() ? loaded->experiment.name : options.out;
  STAGELANE_TRY(lock, workspace::RunLock::take(workspace::workspaceRoot(), "running " + where));
  STAGELANE_TRY(folder, prepareFolder(options, loaded->experiment.name));
  const std::shared_ptr<const workspace::RunLock> held = std::move(*lock);
  RunOutput output(options.json);
  const EngineOutcome outcome = runEngine(
      [&](EngineProcess& engine) {
        return engine.start(*file, *folder, held, {costs->file, files.plan()}, options.ranks);
      },
      output);
  if (reachedAVariant(outcome)) {
    indexRun(*folder);
  } else if (outcome.isLeft) {
    // Its measurements are yet to come.
  } else if (std::error_code ignored; options.out.empty()) {
    fs::remove_all(*folder, ignored);  // created above and still without measurements
  }
  return report(outcome, output, *folder);
}

/// Resumes a run that was canceled, failed, or was killed, and takes up one on another host.
Result<int> resumeRun(const RunOptions& options) {
  const CommandApplication application;
  STAGELANE_TRY(before, record::openRun(options.resume));
  RunOutput output(options.json);
  const fs::path folder = before->folder;
  if (before->status == record::RunStatus::Done) {
    EngineOutcome nothing;
    nothing.result = *before;
    printNote("stagelane: the run in " + visible(folder.string()) + " is already complete\n");
    return report(nothing, output, folder);
  }
  STAGELANE_CHECK(record::requireNoLinks(record::RunFolder{folder}));
  STAGELANE_TRY(lock,
                workspace::RunLock::take(workspace::workspaceRoot(), "running " + folder.string()));
  const std::shared_ptr<const workspace::RunLock> held = std::move(*lock);
  // Pipelines keep their devices on the same ranks.
  const int ranks = options.ranks == kRanksNeeded ? before->ranks : options.ranks;
  const EngineOutcome outcome = runEngine(
      [&](EngineProcess& engine) { return engine.resume(folder, held, ranks); }, output, &*before);
  indexRun(folder);
  return report(outcome, output, folder);
}

}  // namespace

void addRunCommand(const CommandLine& line) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      line.parser.add_subcommand("run", "Train all variants of an experiment and compare them");
  CLI::Option* experiment = command->add_option("EXPERIMENT", options->experiment,
                                                "Experiment file, preset, or run folder to repeat");
  CLI::Option* out =
      addOutOption(*command, "--out", options->out,
                   "Run folder; must be new or empty (default: a new one in the workspace)");
  addSetOption(*command, options->sets);
  addPathOption(
      *command, "--resume", options->resume,
      "Folder of a canceled, failed or killed run to resume, or of a run that continues on "
      "another host; keeps its measurements")
      ->excludes(experiment)
      ->excludes(out)
      ->excludes("--set");
  addRanksOption(*command, options->ranks);
  command->add_flag("--json", options->json, "Print result.json instead of the table");
  command->footer(
      "Examples:\n"
      "  stagelane run toy\n"
      "  stagelane run tutorial-resnet50-quick --set /repeat=5 --out /tmp/quick\n"
      "  stagelane run my.json --json | jq '.variants[] | {id, mean_s, speedup}'\n"
      "  stagelane run toy --ranks 2\n"
      "  stagelane run --resume /tmp/quick\n"
      "Writes progress to standard error. Ctrl-C cancels after the actions in progress and keeps\n"
      "the measurements; a second Ctrl-C stops immediately. A canceled run has the exit code 130;\n"
      "its table or result.json is printed with what was measured.");
  command->callback([&action = line.action, options] {
    if (options->experiment.empty() && options->resume.empty()) {
      throw CLI::RequiredError("EXPERIMENT");
    }
    action = [options] { return options->resume.empty() ? run(*options) : resumeRun(*options); };
  });
}

}  // namespace stagelane::app
