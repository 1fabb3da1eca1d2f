#include "engine/run/rank_launch.h"

#include <c10/util/Logging.h>
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
#include "engine/run/ranks/rank_team.h"
#include "engine/run/ranks/world.h"

namespace stagelane::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExperimentKey = "experiment";
constexpr TimeNs kExperimentLimitNs = 60'000'000'000;

StopCheck stopped(const std::atomic<bool>& stop) {
  return [&stop] { return stop.load(); };
}

TeamOptions teamOptions(const std::atomic<bool>& stop, std::string devices) {
  TeamOptions options;
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
Status startFollowers(const World& world, const fs::path& logs, RankProcesses& processes) {
  std::error_code problem;
  fs::create_directories(logs, problem);
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  if (problem) return fail(ErrorCode::EngineFailure, "cannot find this program again");
  for (int rank = 1; rank < world.size; ++rank) {
    World other = world;
    other.rank = rank;
    other.localRank = rank;
    RankCommand command;
    command.rank = rank;
    command.arguments = {program.string(), "run"};
    command.variables = variablesOf(other);
    command.outputPath = "/dev/null";
    command.errorPath = (logs / ("rank" + std::to_string(rank) + ".log")).string();
    STAGELANE_CHECK(processes.start(command));
  }
  return {};
}

/// What a follower needs. Its plan is complete, so that nothing is searched for twice.
Json handedOut(const plan::Experiment& experiment, bool dealt, RankWork work) {
  return {{"version", version()},
          {"revision", gitRevision()},
          {"experiment", experiment.source},
          {"plan", plan::fixedPlan(experiment)},
          {"dealt", dealt},
          {"calibrates", work == RankWork::Calibration}};
}

struct Followed {
  plan::Experiment experiment;
  bool dealt = false;
  RankWork work = RankWork::Run;
};

/// Nothing from another version: the meeting of the ranks reports that.
Result<std::optional<Followed>> takenFrom(const std::string& text) {
  STAGELANE_TRY(document, parseJson(text, "experiment of rank 0"));
  if (textMember(*document, "version") != version() ||
      textMember(*document, "revision") != gitRevision()) {
    return std::nullopt;
  }
  STAGELANE_TRY(experiment, plan::readExperiment(document->at("experiment"), "", machineDevices()));
  STAGELANE_CHECK(plan::applyFixedPlan(document->at("plan"), "plan of rank 0", *experiment));
  const bool calibrates = document->value("calibrates", false);
  return Followed{std::move(*experiment), document->value("dealt", false),
                  calibrates ? RankWork::Calibration : RankWork::Run};
}

Result<int> follow(const World& world, const std::atomic<bool>& stop) {
  RankStoreOptions storeOptions;
  storeOptions.stopped = stopped(stop);
  STAGELANE_TRY(store, RankStore::open(world, storeOptions));
  STAGELANE_TRY(text, (*store)->get(kExperimentKey, kExperimentLimitNs, stopped(stop)));
  STAGELANE_TRY(followed, takenFrom(*text));
  std::string devices;
  if (*followed) {
    installAllocator((*followed)->experiment.allocator);
    devices = devicesOn((*followed)->experiment, world.rank, world.size, (*followed)->dealt);
  }
  STAGELANE_TRY(team, RankTeam::join(std::move(*store), teamOptions(stop, devices)));
  if (!*followed) return fail(ErrorCode::EngineFailure, "rank 0 has another version");
  auto outcome = followExperiment((*followed)->experiment, **team, (*followed)->dealt,
                                  (*followed)->work, stop);
  if (!outcome) {
    // The others must hear of it before this process ends.
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    (*team)->abandon();
    static_cast<void>(team->release());
    return tl::make_unexpected(outcome.error());
  }
  if (!(*team)->leave()) static_cast<void>(team->release());
  return *outcome == RunOutcome::Canceled ? kExitCanceled : 0;
}

/// c10d prints a stack trace whenever a connection ends.
void quietLibraries() {
  ::setenv("TORCH_CPP_LOG_LEVEL", "ERROR", /*overwrite=*/0);
  c10::initLogging();  // reads it again
}

}  // namespace

Result<RankPlace> RankPlace::find(const RankOptions& options) {
  STAGELANE_TRY(world, worldFromEnvironment(options.localRank));
  if (*world && options.ranks > 0 && options.ranks != (*world)->size) {
    return fail(ErrorCode::Usage,
                "--ranks " + std::to_string(options.ranks) + " contradicts the " +
                    std::to_string((*world)->size) + " processes of " + (*world)->launcher,
                "", "Leave it out");
  }
  RankPlace place;
  place.m_asked = options.ranks;
  if (*world) place.m_world = std::make_shared<const World>(std::move(**world));
  return place;
}

bool RankPlace::follows() const { return m_world && m_world->rank > 0; }

bool RankPlace::isDealt() const { return m_asked > 0 || (m_world && m_world->size > 1); }

int RankPlace::sizeFor(const plan::Experiment& experiment) const {
  if (m_world) return m_world->size;
  return m_asked > 0 ? m_asked : plan::ranksNeeded(experiment);
}

Status checkRanks(const RankPlace& place, const plan::Experiment& experiment) {
  const int size = place.sizeFor(experiment);
  const auto devices = static_cast<int>(experiment.devices.size());
  if (size > devices && size > plan::ranksNeeded(experiment)) {
    return fail(ErrorCode::Invalid,
                std::to_string(size) + " processes for " + std::to_string(devices) +
                    (devices == 1 ? " device" : " devices"),
                "/devices", "Start fewer processes, or list more devices");
  }
  for (const plan::Variant& variant : experiment.variants) {
    if (!variant.include) continue;
    STAGELANE_CHECK(plan::ranksOfRows(experiment, variant, size, place.isDealt()));
  }
  return {};
}

Result<std::shared_ptr<RankTeam>> leadRanks(const RankPlace& place,
                                            const plan::Experiment& experiment, RankWork work,
                                            const fs::path& logs, const std::atomic<bool>& stop) {
  World world;
  world.address = "127.0.0.1";
  world.launcher = "stagelane";
  world.size = place.sizeFor(experiment);
  if (place.world() != nullptr) world = *place.world();
  if (world.size == 1) return nullptr;
  quietLibraries();
  RankStoreOptions storeOptions;
  storeOptions.stopped = stopped(stop);
  STAGELANE_TRY(store, RankStore::open(world, storeOptions));
  const Json out = handedOut(experiment, place.isDealt(), work);
  STAGELANE_CHECK((*store)->set(kExperimentKey, out.dump()));
  std::unique_ptr<RankProcesses> processes;
  if (place.world() == nullptr) {
    processes = std::make_unique<RankProcesses>();
    STAGELANE_CHECK(startFollowers((*store)->world(), logs, *processes));
  }
  const std::string devices = devicesOn(experiment, 0, world.size, place.isDealt());
  STAGELANE_TRY(
      team, RankTeam::join(std::move(*store), teamOptions(stop, devices), std::move(processes)));
  return std::shared_ptr<RankTeam>(std::move(*team));
}

Json ranksTable(const RankTeam& team) { return team.table(); }

void endRanks(std::shared_ptr<RankTeam> team, bool failed) {
  if (!team) return;
  if (failed) team->abandon();
  const bool left = !failed && team->leave();
  if (!left) static_cast<void>(new std::shared_ptr<RankTeam>(std::move(team)));
}

int followRank(const RankPlace& place, const std::atomic<bool>& stop) {
  quietLibraries();
  // Standard output is for the events of rank 0.
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("rank", std::make_shared<spdlog::sinks::stderr_sink_mt>()));
  const Result<int> code = follow(*place.world(), stop);
  if (code) return *code;
  spdlog::error("rank {}: {}", place.world()->rank, visible(describe(code.error())));
  return static_cast<int>(code.error().code);
}

}  // namespace stagelane::run
