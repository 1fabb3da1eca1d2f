#include "app/engine_program/calibrate_command.h"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <iostream>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/base/visible_text.h"
#include "engine/plan/hosts.h"
#include "engine/predict/cost_table.h"
#include "engine/record/run_record.h"
#include "engine/run/engine.h"

namespace stagelane {
namespace {

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

}  // namespace

int calibrateCommand(const CalibrateOptions& options, const std::atomic<bool>& stop) {
  const Lines lines;
  const auto experiment = readFrom(options.experiment);
  if (!experiment) return lines.failed(experiment.error());
  run::installAllocator(experiment->allocator);
  Status said = lines.say("started", {{"calibration", {{"name", experiment->name}}},
                                      {"devices", devicesOf(*experiment)}});
  if (!said) return lines.failed(said.error());
  run::CalibrationPorts ports;
  ports.progress = [&](std::int64_t done, std::int64_t of) {
    return lines.say("calibrating", {{"done", done}, {"of", of}});
  };
  ports.stop = &stop;
  ports.budgetSeconds = options.seconds;
  ports.neighbors = !options.onlyOccurring;
  const auto table = run::calibrate(*experiment, ports);
  if (!table) return lines.failed(table.error());
  if (!*table) {
    static_cast<void>(lines.say("canceled", Json::object()));
    return kExitCanceled;
  }
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

}  // namespace stagelane
