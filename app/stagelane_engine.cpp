/// stagelane-engine: runs experiments on this machine's devices. Connects the engine with the run
/// folder and the profiler; everything else is in the libraries.

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <iostream>

#include "app/engine_program/calibrate_command.h"
#include "app/engine_program/capture_port.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/base/version.h"
#include "engine/base/visible_text.h"
#include "engine/plan/fixed_plan.h"
#include "engine/plan/hosts.h"
#include "engine/plan/imagined.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/variant_schedule.h"
#include "engine/record/device_times.h"
#include "engine/record/event_writer.h"
#include "engine/record/run_record.h"
#include "engine/run/engine.h"
#include "engine/run/rank_launch.h"
#include "engine/run/rank_reports.h"
#include "engine/search/resolve.h"
#include "engine/workspace/calibration_store.h"
#include "profiler/analysis/median_step.h"
#include "profiler/formats/perfetto.h"

namespace stagelane {
namespace {

namespace fs = std::filesystem;

/// Set by SIGTERM, SIGINT and SIGHUP. Global because signal handlers get no user data.
std::atomic<bool> stopRequested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "written by a signal handler");

void stopOnSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stopRequested.store(true); };
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  // Under nohup, a closed terminal is no reason to end.
  struct sigaction before {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
    sigaction(SIGHUP, &action, nullptr);
  }
}

std::string oneLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}
std::string indented(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int exitCode(const Error& error) { return static_cast<int>(error.code); }

/// Writes an error without a run folder to standard output, as a line of events.jsonl.
int failOutsideFolder(const Error& error) {
  Json line{{"event", "error"}, {"t_ns", 0}};
  line.update(record::errorMembers(error));
  std::cout << oneLine(line) << std::endl;
  std::cerr << visible(describe(error)) << std::endl;
  return exitCode(error);
}

/// Busy and idle per device of the trace's median step.
std::vector<record::DeviceResult> analyze(const trace::Trace& trace) {
  std::vector<record::DeviceResult> results;
  const analysis::StepBreakdown step = analysis::medianBreakdown(trace);
  for (const analysis::DeviceStep& device : step.devices) {
    results.push_back(record::deviceTimes(trace.devices(), static_cast<std::size_t>(device.device),
                                          step.wallNs(), device.causeNs, device.starvedBy));
  }
  return results;
}

/// The log of the run: standard error, and engine.log in the folder.
Status openLog(const record::RunFolder& folder) {
  try {
    auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(folder.log().string());
    auto screen = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    auto logger = std::make_shared<spdlog::logger>(
        "engine", spdlog::sinks_init_list{std::move(screen), std::move(file)});
    logger->flush_on(spdlog::level::info);
    spdlog::set_default_logger(std::move(logger));
    return {};
  } catch (const spdlog::spdlog_ex& error) {
    return fail(ErrorCode::CannotWrite, error.what(), folder.log().string());
  }
}

/// Copies the file of a `{"csv": PATH}` into the folder and replaces PATH with the copy's relative
/// path, so that the folder is self-contained.
Status takeAlong(const record::RunFolder& folder, Json& schedule) {
  if (!schedule.is_object() || !schedule.contains("csv")) return {};
  const fs::path original = schedule.at("csv").get<std::string>();
  STAGELANE_TRY(text, readFile(original));
  fs::path copy = fs::path("schedules") / original.filename();
  for (int number = 2; fs::exists(folder.root / copy); ++number) {
    copy.replace_filename(original.stem().string() + "-" + std::to_string(number) + ".csv");
  }
  std::error_code problem;
  fs::create_directories(folder.root / "schedules", problem);
  schedule["csv"] = copy.string();
  return writeFileAtomically(folder.root / copy, *text);
}

Status writeExperiment(const record::RunFolder& folder, Json document) {
  for (Json& variant : document.at("variants")) {
    if (!variant.contains("schedule")) continue;
    Json& schedule = variant.at("schedule");
    Status status = takeAlong(folder, schedule);
    for (std::size_t i = 0; status && schedule.is_array() && i < schedule.size(); ++i) {
      status = takeAlong(folder, schedule[i]);
    }
    STAGELANE_CHECK(status);
  }
  return writeFileAtomically(folder.experiment(), indented(document));
}

/// Writes what a run folder contains before the first event.
Status fillFolder(const record::RunFolder& folder, const plan::Experiment& experiment) {
  Status status = makeEmptyFolder(folder.root);
  if (status) status = openLog(folder);
  if (status) status = writeFileAtomically(folder.plan(), indented(plan::fixedPlan(experiment)));
  // A folder with an experiment can be resumed, so it has the plan already.
  if (status) status = writeExperiment(folder, experiment.source);
  if (status) status = writeFileAtomically(folder.environment(), indented(run::environmentJson()));
  STAGELANE_CHECK(status);
  std::error_code problem;
  fs::create_directory(folder.traces(), problem);
  return problem ? fail(ErrorCode::CannotWrite, "cannot create the folder: " + problem.message(),
                        folder.traces().string(), "choose another --out folder")
                 : Status{};
}

void log(const std::string& event, const Json& members) {
  if (event == "measurement") {
    spdlog::info("{} repeat {}: {:.4f} s", members.value("variant", ""), members.value("repeat", 0),
                 members.value("seconds", 0.0));
  } else if (event == "warning") {
    spdlog::warn("{}", visible(members.value("message", "")));
  } else if (event == "variant_done") {
    spdlog::info("{}: {}", members.value("variant", ""), members.value("status", ""));
  } else if (event != "progress") {
    spdlog::info("{}", event);
  }
}

/// Adds the error to the events; if that fails, writes it to standard error.
int failInside(record::EventWriter& events, const Error& error) {
  const Status written = events.write("error", record::errorMembers(error));
  spdlog::error("{}", visible(describe(error)));
  if (!written && error.code != ErrorCode::CannotWrite) {
    spdlog::error("{}", visible(describe(written.error())));
  }
  return exitCode(error);
}

/// Adds a repeat to a variant's trace. Restarts a trace that has grown too large.
Status addToTrace(const trace::Trace& trace, const fs::path& path) {
  constexpr std::uintmax_t kLarge = std::uintmax_t{64} << 20U;
  std::error_code absent;
  const std::uintmax_t size = fs::file_size(path, absent);
  return !absent && size >= kLarge ? formats::writePerfetto(trace, path)
                                   : formats::appendPerfetto(trace, path);
}

/// Canceled while the ranks started.
int canceledBefore(record::EventWriter& events) {
  static_cast<void>(events.write("canceled", Json::object()));
  return kExitCanceled;
}

using Costs = std::shared_ptr<const predict::CostTable>;

enum class Begin { New, Resumed };

Result<int> runIn(const record::RunFolder& folder, const plan::Experiment& experiment, Costs costs,
                  Begin begin, const run::RankPlace& place) {
  STAGELANE_TRY(events, begin == Begin::New ? record::EventWriter::open(folder, /*echo=*/true)
                                            : record::EventWriter::resume(folder, /*echo=*/true));
  const record::RunResult before = (*events)->soFar();
  run::RunPorts ports;
  ports.before = begin == Begin::Resumed ? &before : nullptr;
  run::RankReports reports;
  ports.event = [&](const std::string& event, Json members) {
    // The last event is the last line.
    if (event == "finished" || event == "canceled") reports.stop();
    log(event, members);
    return (*events)->write(event, std::move(members));
  };
  ports.appendTrace = [&](const std::string& variant, const trace::Trace& trace) {
    return addToTrace(trace, folder.trace(variant));
  };
  ports.storeTrace = [&](const std::string& variant, const trace::Trace& trace) {
    return formats::writePerfetto(trace, folder.trace(variant));
  };
  ports.analyze = analyze;
  ports.stop = &stopRequested;
  ports.costs = std::move(costs);
  ports.capture = captureFor(experiment.trace);
  auto team =
      run::leadRanks(place, experiment, run::RankWork::Run, folder.root / "ranks", stopRequested);
  if (!team && stopRequested) return canceledBefore(**events);
  if (!team) return failInside(**events, team.error());
  ports.team = team->get();
  ports.dealt = place.isDealt();
  reports.start(team->get(), [&](Json members) {
    // A failure to write is noticed by the run's own thread.
    static_cast<void>((*events)->write("ranks", std::move(members)));
  });
  const auto outcome = run::runExperiment(experiment, ports);
  reports.stop();
  // Known at once, although the end of the other processes can take seconds.
  const int failed = outcome ? 0 : failInside(**events, outcome.error());
  run::endRanks(std::move(*team), !outcome);
  if (!outcome) return failed;
  return *outcome == run::RunOutcome::Canceled ? kExitCanceled : 0;
}

/// The table of `--costs`; nothing without the option.
Result<Costs> readCosts(const std::string& path) {
  if (path.empty()) return nullptr;
  STAGELANE_TRY(table, predict::readCostTable(path));
  table->basis = workspace::basisOf(*table, workspace::machineOf(run::environmentJson()));
  return std::make_shared<const predict::CostTable>(std::move(*table));
}

/// Copies the cost table to the folder, so that the folder is self-contained.
Status copyCosts(const record::RunFolder& folder, const std::string& path) {
  if (path.empty()) return {};
  STAGELANE_TRY(document, readJsonFile(path));
  return writeFileAtomically(folder.costs(), indented(*document));
}

/// The experiment with the stages and orders of the plan file, if any; the rest is searched for.
Result<plan::Experiment> readResolved(const fs::path& file, const fs::path& planFile,
                                      const predict::CostTable* costs) {
  STAGELANE_TRY(document, readJsonFile(file.string()));
  STAGELANE_TRY(experiment, plan::readExperiment(*document, file.parent_path().string(),
                                                 run::machineDevices()));
  if (!planFile.empty()) STAGELANE_CHECK(predict::applyPlanFile(planFile.string(), *experiment));
  return search::resolve(std::move(*experiment), costs);
}

struct RunOptions {
  std::string experiment;
  std::string out;
  std::string costs;
  std::string plan;
  std::string host;  ///< this machine's name in device names; "" for names without a host
  run::RankOptions ranks;
};

Result<int> runCommand(const RunOptions& options, const run::RankPlace& place) {
  STAGELANE_TRY(costs, readCosts(options.costs));
  STAGELANE_TRY(experiment,
                readResolved(fs::absolute(options.experiment), options.plan, costs->get()));
  STAGELANE_CHECK(plan::requireIncluded(*experiment));
  STAGELANE_CHECK(plan::requireReal(*experiment));
  STAGELANE_CHECK(plan::requireHost(*experiment, options.host));
  STAGELANE_CHECK(run::checkRanks(place, *experiment));
  if (place.isDealt()) experiment->dealtRanks = place.sizeFor(*experiment);
  run::installAllocator(experiment->allocator);
  const record::RunFolder folder{options.out};
  STAGELANE_CHECK(fillFolder(folder, *experiment));
  STAGELANE_CHECK(copyCosts(folder, options.costs));
  return runIn(folder, *experiment, std::move(*costs), Begin::New, place);
}

/// Rejects another build or machine, because its repeats are not comparable.
Status checkSameMachine(const record::RunFolder& folder) {
  const Json now = run::environmentJson();
  if (!fs::exists(folder.environment())) {
    return writeFileAtomically(folder.environment(), indented(now), Links::Replace);
  }
  STAGELANE_TRY(before, readJsonFile(folder.environment().string()));
  for (const char* key : {"stagelane", "git_revision", "torch", "cpu", "cores_allowed"}) {
    const Json then = before->is_object() && before->contains(key) ? before->at(key) : Json();
    if (then != now.at(key)) {
      return fail(ErrorCode::Invalid,
                  std::string("the run started with a different ") + key + ": " + then.dump() +
                      ", now " + now.at(key).dump(),
                  folder.environment().string(), "Run its experiment again instead");
    }
  }
  return {};
}

/// Continues the run in the folder. Repeats that its events contain are not measured again.
Result<int> resumeCommand(const std::string& path, const std::string& host,
                          const run::RankPlace& place) {
  const record::RunFolder folder{fs::absolute(path)};
  STAGELANE_CHECK(readJsonFile(folder.experiment().string()));
  STAGELANE_CHECK(record::requireNoLinks(folder));
  STAGELANE_CHECK(checkSameMachine(folder));
  STAGELANE_TRY(costs, readCosts(fs::exists(folder.costs()) ? folder.costs().string() : ""));
  // Runs of earlier versions have no plan file.
  const fs::path plan = fs::exists(folder.plan()) ? folder.plan() : fs::path();
  STAGELANE_TRY(experiment, readResolved(folder.experiment(), plan, costs->get()));
  STAGELANE_CHECK(plan::requireHost(*experiment, host));
  if (place.isDealt()) experiment->dealtRanks = place.sizeFor(*experiment);
  run::installAllocator(experiment->allocator);
  STAGELANE_CHECK(openLog(folder));
  std::error_code problem;
  fs::create_directory(folder.traces(), problem);
  // A run that ended before its first event starts like a new one.
  const bool began = fs::exists(folder.events(), problem);
  return runIn(folder, *experiment, std::move(*costs), began ? Begin::Resumed : Begin::New, place);
}

Json toJson(const run::DeviceInfo& device) {
  return {{"id", device.id},          {"kind", device.kind},
          {"name", device.name},      {"memory_bytes", device.memory},
          {"usable", device.usable},  {"reason", device.reason},
          {"details", device.details}};
}

int devicesCommand(bool asJson) {
  const auto devices = run::listDevices();
  if (!devices) {
    std::cerr << visible(describe(devices.error())) << std::endl;
    return exitCode(devices.error());
  }
  if (asJson) {
    Json list = Json::array();
    for (const run::DeviceInfo& device : *devices) list.push_back(toJson(device));
    std::cout << indented({{"devices", list}});
    return 0;
  }
  for (const run::DeviceInfo& device : *devices) {
    std::cout << device.id << "  " << device.name << ", " << humanBytes(device.memory);
    if (!device.usable) std::cout << " (not usable: " << device.reason << ")";
    std::cout << "\n";
  }
  return 0;
}

std::string versionText() {
  return "stagelane-engine " + std::string(version()) + " (" + std::string(gitRevision()) + ")";
}

int versionCommand() {
  std::cout << versionText() << "\n";
  return 0;
}

/// How many processes there are, and which one this is.
void addRanks(CLI::App& command, run::RankOptions& options) {
  command
      .add_option("--ranks", options.ranks,
                  "Processes on this host, to which the devices are dealt (default: as many as the "
                  "experiment needs)")
      ->check(CLI::Range(1, 256));
  command.add_option("--local-rank,--local_rank", options.localRank,
                     "As torch.distributed.launch passes it");
}

CLI::App* addCalibrate(CLI::App& app, CalibrateOptions& options) {
  CLI::App* calibrate = app.add_subcommand(
      "calibrate", "Measure the costs of an experiment's blocks; writes events to standard output");
  calibrate->add_option("experiment", options.experiment, "Experiment file (JSON)")->required();
  calibrate->add_option("--out", options.out, "File for the cost table")->required();
  calibrate
      ->add_option("--seconds", options.seconds, "Approximate time limit in seconds (default 60)")
      ->check(CLI::PositiveNumber);
  calibrate->add_flag("--only-occurring", options.onlyOccurring,
                      "Measure only the micro-batch sizes of the variants");
  addRanks(*calibrate, options.ranks);
  return calibrate;
}

/// How the engine starts the processes of a Hogwild variant; not a command for people.
CLI::App* addHogwildWorker(CLI::App& app, run::HogwildWorkerArguments& arguments) {
  CLI::App* worker = app.add_subcommand("hogwild-worker", "A process of a Hogwild variant");
  worker->group("");
  worker->add_option("memory", arguments.memory)->required();
  worker->add_option("process", arguments.process)->required();
  worker->add_option("parent", arguments.parent)->required();
  return worker;
}

/// `run`: in the part that this process has among those of a launcher, if there is one.
int runParsed(const RunOptions& options, const std::string& resumed) {
  const Result<run::RankPlace> place = run::RankPlace::find(options.ranks);
  if (!place) return failOutsideFolder(place.error());
  // Rank 0 hands out the experiment.
  if (place->follows()) return run::followRank(*place, stopRequested);
  if (resumed.empty() && (options.experiment.empty() || options.out.empty())) {
    std::cerr << "stagelane-engine run: expected an experiment and --out, or --resume" << std::endl;
    return static_cast<int>(ErrorCode::Usage);
  }
  const Result<int> code =
      resumed.empty() ? runCommand(options, *place) : resumeCommand(resumed, options.host, *place);
  return code ? *code : failOutsideFolder(code.error());
}

int mainCommand(int argc, char** argv) {
  CLI::App app{"Stagelane's engine: trains an experiment on this machine's devices",
               "stagelane-engine"};
  app.require_subcommand(1);
  app.set_version_flag("--version", versionText());
  RunOptions options;
  CLI::App* run = app.add_subcommand("run", "Run an experiment; writes events to standard output");
  CLI::Option* experimentOption =
      run->add_option("experiment", options.experiment, "Experiment file (JSON)");
  CLI::Option* outOption =
      run->add_option("--out", options.out, "Run folder; must be new or empty");
  std::string resumed;
  run->add_option("--resume", resumed, "Run folder to resume; keeps its measurements")
      ->excludes(experimentOption)
      ->excludes(outOption);
  run->add_option("--costs", options.costs,
                  "Cost file for predictions and `auto`; copied to the run folder");
  run->add_option("--plan", options.plan,
                  "Stages and orders to run (plan.json of a run folder); searches for the rest");
  run->add_option("--host", options.host,
                  "Name of this machine in device names: with `--host box`, box/cuda:0 is cuda:0");
  addRanks(*run, options.ranks);
  bool asJson = false;
  CLI::App* devices = app.add_subcommand("devices", "List the devices of this machine");
  devices->add_flag("--json", asJson, "Print JSON");
  app.add_subcommand("version", "Print the version");
  CalibrateOptions calibration;
  CLI::App* calibrate = addCalibrate(app, calibration);
  run::HogwildWorkerArguments hogwild;
  const CLI::App* worker = addHogwildWorker(app, hogwild);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ErrorCode::Usage);
  }
  if (run->parsed()) return runParsed(options, resumed);

  if (devices->parsed()) return devicesCommand(asJson);
  if (worker->parsed()) return run::hogwildWorker(hogwild);
  return calibrate->parsed() ? calibrateCommand(calibration, stopRequested) : versionCommand();
}

}  // namespace
}  // namespace stagelane

int main(int argc, char** argv) {
  stagelane::openStandardStreams();
  stagelane::ignoreWriteSignals();
  stagelane::stopOnSignals();
  try {
    const int code = stagelane::mainCommand(argc, argv);
    if (code != 0) {
      // A worker may still be running an operator that never returns; destroy nothing it uses.
      std::cout.flush();
      spdlog::shutdown();
      std::_Exit(code);
    }
    return code;
  } catch (const std::exception& error) {
    std::cerr << "stagelane-engine: " << stagelane::visible(error.what()) << std::endl;
    return static_cast<int>(stagelane::ErrorCode::EngineFailure);
  }
}
