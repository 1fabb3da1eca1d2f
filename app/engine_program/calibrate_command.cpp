#include "app/engine_program/calibrate_command.h"

#include <unistd.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/base/visible_text.h"
#include "engine/plan/hosts.h"
#include "engine/predict/cost_table.h"
#include "engine/record/run_record.h"
#include "engine/run/engine.h"

namespace stagelane {
namespace {

namespace fs = std::filesystem;

/// Event lines on standard output, with the time since the calibration started.
class Lines {
 public:
  /// @errors CannotWrite: standard output is closed
  [[nodiscard]] Status say(const std::string& event, Json members) const {
    const auto since = std::chrono::steady_clock::now() - m_start;
    Json line{{"event", event},
              {"t_ns", std::chrono::duration_cast<std::chrono::nanoseconds>(since).count()}};
    line.update(members);
    std::cout << line.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    return std::cout ? Status{} : fail(ErrorCode::CannotWrite, "standard output was closed");
  }
  [[nodiscard]] int failed(const Error& error) const {
    static_cast<void>(say("error", record::errorMembers(error)));
    std::cerr << visible(describe(error)) << std::endl;
    return static_cast<int>(error.code);
  }

 private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

std::string utcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

Result<plan::Experiment> readFrom(const std::string& path) {
  STAGELANE_TRY(document, readJsonFile(path));
  const auto folder = std::filesystem::absolute(path).parent_path().string();
  STAGELANE_TRY(experiment, plan::readExperiment(*document, folder, run::machineDevices()));
  STAGELANE_CHECK(plan::requireHost(*experiment, ""));
  return experiment;
}

Json devicesOf(const plan::Experiment& experiment) {
  Json devices = Json::array();
  for (const plan::DeviceSpec& device : experiment.devices) devices.push_back(device.id.value);
  return devices;
}

/// Processes that are started only to sum gradients are not needed: on one host, this process can
/// measure that alone.
plan::Experiment withoutSums(plan::Experiment experiment) {
  for (plan::Variant& variant : experiment.variants) {
    if (plan::strategyRow(variant.strategy).ownProcesses) variant.include = false;
  }
  return experiment;
}

/// Logs of the processes that this one starts, removed with it. Of a failure, they are shown.
class RankLogs {
 public:
  RankLogs() {
    const std::string name = "stagelane-calibration-" + std::to_string(::getpid());
    m_folder = fs::temp_directory_path() / name;
  }
  ~RankLogs() {
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
  }
  RankLogs(const RankLogs&) = delete;
  RankLogs& operator=(const RankLogs&) = delete;

  [[nodiscard]] const fs::path& folder() const { return m_folder; }
  void show() const {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(m_folder, ignored)) {
      if (const auto text = readFile(entry.path()); text && !text->empty()) {
        std::cerr << entry.path().filename().string() << ": " << visible(*text) << std::endl;
      }
    }
  }

 private:
  fs::path m_folder;
};

using Between = std::optional<run::BetweenRanks>;

/// Before everything else, because the other processes end then. Empty if it was stopped.
Result<Between> measureBetween(const run::RankPlace& place, const plan::Experiment& experiment,
                               const Lines& lines, const std::atomic<bool>& stop) {
  const bool alone = place.world() == nullptr && !place.isDealt();
  const plan::Experiment measured = alone ? withoutSums(experiment) : experiment;
  const RankLogs logs;
  auto team = run::leadRanks(place, measured, run::RankWork::Calibration, logs.folder(), stop);
  if (!team && stop) return std::nullopt;
  if (!team) logs.show();
  STAGELANE_CHECK(team);
  if (*team == nullptr) return run::BetweenRanks{};
  const Status said = lines.say("ranks", {{"ranks", run::ranksTable(**team)}});
  Result<Between> between =
      said ? run::calibrateBetweenRanks(measured, {team->get(), place.isDealt(), &stop})
           : Result<Between>(tl::make_unexpected(said.error()));
  if (!between) logs.show();
  run::endRanks(std::move(*team), !between);
  return between;
}

void add(const run::BetweenRanks& between, predict::CostTable& table) {
  table.processLinks.insert(table.processLinks.end(), between.links.begin(), between.links.end());
  if (between.sums.empty()) return;
  if (!table.processSums) table.processSums.emplace();
  table.processSums->processes = between.summing;
  table.processSums->points = between.sums;
}

int canceled(const Lines& lines) {
  static_cast<void>(lines.say("canceled", Json::object()));
  return kExitCanceled;
}

int calibrate(const CalibrateOptions& options, const run::RankPlace& place,
              const std::atomic<bool>& stop) {
  const Lines lines;
  const auto experiment = readFrom(options.experiment);
  if (!experiment) return lines.failed(experiment.error());
  if (const Status suits = run::checkRanks(place, *experiment); !suits) {
    return lines.failed(suits.error());
  }
  run::installAllocator(experiment->allocator);
  Status said = lines.say("started", {{"calibration", {{"name", experiment->name}}},
                                      {"devices", devicesOf(*experiment)}});
  if (!said) return lines.failed(said.error());
  const auto between = measureBetween(place, *experiment, lines, stop);
  if (!between) return lines.failed(between.error());
  if (!*between) return canceled(lines);
  run::CalibrationPorts ports;
  ports.progress = [&](std::int64_t done, std::int64_t of) {
    return lines.say("calibrating", {{"done", done}, {"of", of}});
  };
  ports.stop = &stop;
  ports.budgetSeconds = options.seconds;
  ports.neighbors = !options.onlyOccurring;
  auto table = run::calibrate(*experiment, ports);
  if (!table) return lines.failed(table.error());
  if (!*table) return canceled(lines);
  add(**between, **table);
  Json document = predict::toJson(**table);
  document["origin"]["environment"] = run::environmentJson();
  document["origin"]["measured_at"] = utcNow();
  const std::string text = document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (const Status written = writeFileAtomically(options.out, text); !written) {
    return lines.failed(written.error());
  }
  said = lines.say("finished", {{"file", options.out}});
  return said ? 0 : lines.failed(said.error());
}

}  // namespace

int calibrateCommand(const CalibrateOptions& options, const std::atomic<bool>& stop) {
  const Result<run::RankPlace> place = run::RankPlace::find(options.ranks);
  if (!place) return Lines().failed(place.error());
  // Rank 0 hands out the experiment.
  if (place->follows()) return run::followRank(*place, stop);
  return calibrate(options, *place, stop);
}

}  // namespace stagelane
