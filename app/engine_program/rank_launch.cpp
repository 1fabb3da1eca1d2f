#include "app/engine_program/rank_launch.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "engine/base/text_member.h"
#include "engine/base/version.h"
#include "engine/base/visible_text.h"
#include "engine/plan/fixed_plan.h"
#include "engine/plan/rank_layout.h"
#include "engine/plan/rows.h"
#include "engine/run/engine.h"

namespace stagelane {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExperimentKey = "experiment";
constexpr TimeNs kExperimentLimitNs = 60'000'000'000;

run::StopCheck stopped(const std::atomic<bool>& stop) {
  return [&stop] { return stop.load(); };
}

run::TeamOptions teamOptions(const std::atomic<bool>& stop, std::string devices) {
  run::TeamOptions options;
  options.stopped = stopped(stop);
  options.devices = std::move(devices);
  return options;
}

/// Devices of the included variants on a rank, for the others.
std::string devicesOn(const plan::Experiment& experiment, int rank, int size, bool dealt) {
  std::vector<std::string> names;
  for (const plan::Variant& variant : experiment.variants) {
    const auto ranks = plan::ranksOfRows(experiment, variant, size, dealt);
    if (!variant.include || !ranks) continue;
    const std::vector<DeviceId> rows = plan::rowsOf(variant);
    for (std::size_t row = 0; row < rows.size() && row < ranks->size(); ++row) {
      const bool known = std::find(names.begin(), names.end(), rows[row].value) != names.end();
      if ((*ranks)[row] == rank && !known) names.push_back(rows[row].value);
    }
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Starts this program once more for each other rank.
Status startFollowers(const run::World& world, const fs::path& logs,
                      run::RankProcesses& processes) {
  std::error_code problem;
  fs::create_directories(logs, problem);
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  if (problem) return fail(ErrorCode::EngineFailure, "cannot find this program again");
  for (int rank = 1; rank < world.size; ++rank) {
    run::World other = world;
    other.rank = rank;
    other.localRank = rank;
    run::RankCommand command;
    command.rank = rank;
    command.arguments = {program.string(), "run"};
    command.variables = run::variablesOf(other);
    command.outputPath = "/dev/null";
    command.errorPath = (logs / ("rank" + std::to_string(rank) + ".log")).string();
    STAGELANE_CHECK(processes.start(command));
  }
  return {};
}

/// What a follower needs. Its plan is complete, so that nothing is searched for twice.
Json handedOut(const plan::Experiment& experiment, bool dealt) {
  return {{"version", version()},
          {"revision", gitRevision()},
          {"experiment", experiment.source},
          {"plan", plan::fixedPlan(experiment)},
          {"dealt", dealt}};
}

struct Followed {
  plan::Experiment experiment;
  bool dealt = false;
};

/// Nothing from another version: the meeting of the ranks reports that.
Result<std::optional<Followed>> takenFrom(const std::string& text) {
  STAGELANE_TRY(document, parseJson(text, "experiment of rank 0"));
  if (textMember(*document, "version") != version() ||
      textMember(*document, "revision") != gitRevision()) {
    return std::nullopt;
  }
  STAGELANE_TRY(experiment,
                plan::readExperiment(document->at("experiment"), "", run::machineDevices()));
  STAGELANE_CHECK(plan::applyFixedPlan(document->at("plan"), "plan of rank 0", *experiment));
  return Followed{std::move(*experiment), document->value("dealt", false)};
}

Result<int> follow(const run::World& world, const std::atomic<bool>& stop) {
  run::RankStoreOptions storeOptions;
  storeOptions.stopped = stopped(stop);
  STAGELANE_TRY(store, run::RankStore::open(world, storeOptions));
  STAGELANE_TRY(text, (*store)->get(kExperimentKey, kExperimentLimitNs, stopped(stop)));
  STAGELANE_TRY(followed, takenFrom(*text));
  std::string devices;
  if (*followed) {
    run::installAllocator((*followed)->experiment.allocator);
    devices = devicesOn((*followed)->experiment, world.rank, world.size, (*followed)->dealt);
  }
  STAGELANE_TRY(team, run::RankTeam::join(std::move(*store), teamOptions(stop, devices)));
  if (!*followed) return fail(ErrorCode::EngineFailure, "rank 0 has another version");
  auto outcome = run::followExperiment((*followed)->experiment, **team, (*followed)->dealt, stop);
  if (!outcome) {
    // The others must hear of it before this process ends.
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    (*team)->abandon();
    static_cast<void>(team->release());
    return tl::make_unexpected(outcome.error());
  }
  if (!(*team)->leave()) static_cast<void>(team->release());
  return *outcome == run::RunOutcome::Canceled ? kExitCanceled : 0;
}

int sizeOf(const RankPlace& place, const RankOptions& options, const plan::Experiment& experiment) {
  if (place.world) return place.world->size;
  return options.ranks > 0 ? options.ranks : plan::ranksNeeded(experiment);
}

/// c10d prints a stack trace whenever a connection ends.
void quietLibraries() { ::setenv("TORCH_CPP_LOG_LEVEL", "ERROR", /*overwrite=*/0); }

}  // namespace

Result<RankPlace> rankPlace(const RankOptions& options) {
  STAGELANE_TRY(world, run::worldFromEnvironment(options.localRank));
  if (*world && options.ranks > 0 && options.ranks != (*world)->size) {
    return fail(ErrorCode::Usage,
                "--ranks " + std::to_string(options.ranks) + " contradicts the " +
                    std::to_string((*world)->size) + " processes of " + (*world)->launcher,
                "", "Leave it out");
  }
  return RankPlace{std::move(*world)};
}

Status checkRanks(const RankPlace& place, const RankOptions& options,
                  const plan::Experiment& experiment) {
  const int size = sizeOf(place, options, experiment);
  const auto devices = static_cast<int>(experiment.devices.size());
  if (size > devices && size > plan::ranksNeeded(experiment)) {
    return fail(ErrorCode::Invalid,
                std::to_string(size) + " processes for " + std::to_string(devices) +
                    (devices == 1 ? " device" : " devices"),
                "/devices", "Start fewer processes, or list more devices");
  }
  for (const plan::Variant& variant : experiment.variants) {
    if (!variant.include) continue;
    STAGELANE_CHECK(plan::ranksOfRows(experiment, variant, size, place.isDealt(options)));
  }
  return {};
}

Result<std::unique_ptr<run::RankTeam>> leadRanks(const RankPlace& place, const RankOptions& options,
                                                 const plan::Experiment& experiment,
                                                 const fs::path& logs,
                                                 const std::atomic<bool>& stop) {
  run::World world;
  world.address = "127.0.0.1";
  world.launcher = "stagelane";
  world.size = sizeOf(place, options, experiment);
  if (place.world) world = *place.world;
  if (world.size == 1) return nullptr;
  quietLibraries();
  run::RankStoreOptions storeOptions;
  storeOptions.stopped = stopped(stop);
  STAGELANE_TRY(store, run::RankStore::open(world, storeOptions));
  const Json out = handedOut(experiment, place.isDealt(options));
  STAGELANE_CHECK((*store)->set(kExperimentKey, out.dump()));
  std::unique_ptr<run::RankProcesses> processes;
  if (!place.world) {
    processes = std::make_unique<run::RankProcesses>();
    STAGELANE_CHECK(startFollowers((*store)->world(), logs, *processes));
  }
  const std::string devices = devicesOn(experiment, 0, world.size, place.isDealt(options));
  return run::RankTeam::join(std::move(*store), teamOptions(stop, devices), std::move(processes));
}

int followRank(const RankPlace& place, const std::atomic<bool>& stop) {
  quietLibraries();
  // Standard output is for the events of rank 0.
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("rank", std::make_shared<spdlog::sinks::stderr_sink_mt>()));
  const Result<int> code = follow(*place.world, stop);
  if (code) return *code;
  spdlog::error("rank {}: {}", place.world->rank, visible(describe(code.error())));
  return static_cast<int>(code.error().code);
}

}  // namespace stagelane
