#include "app/engine_client/cost_source.h"

#include <unistd.h>

#include <algorithm>

#include <QEventLoop>

#include "app/engine_client/calibration_process.h"
#include "app/engine_client/engine_input.h"
#include "app/engine_client/engine_process.h"
#include "app/engine_client/engine_query.h"
#include "app/engine_client/run_progress.h"
#include "app/engine_client/signal_watch.h"
#include "app/terminal/console.h"
#include "engine/base/files.h"
#include "engine/plan/hosts.h"
#include "engine/plan/imagined.h"
#include "engine/workspace/workspace.h"

namespace stagelane::app {
namespace {

bool usesGpus(const plan::Experiment& experiment) {
  return std::any_of(
      experiment.devices.begin(), experiment.devices.end(),
      [](const plan::DeviceSpec& device) { return plan::isGpu(plan::realDevice(device)); });
}

/// Only existing devices can be measured; an imagined one is measured by the device it is `like`.
bool measurable(const plan::Experiment& experiment, const workspace::Machine& machine) {
  const bool missing = usesGpus(experiment) && machine.gpus.empty();
  const auto host = plan::hostOf(experiment);
  return !missing && host && host->empty() && findEngine().has_value();
}

/// Runs the engine in an event loop.
CalibrationOutcome measure(const CalibrationRequest& request) {
  CalibrationProcess process;
  SignalWatch signals;
  RunProgress progress(::isatty(STDERR_FILENO) != 0 ? ProgressStyle::Terminal
                                                    : ProgressStyle::Lines);
  CalibrationOutcome outcome;
  QEventLoop loop;
  QObject::connect(&process, &CalibrationProcess::eventReceived, &process,
                   [&](const Json& event) { printNote(progress.textFor(event)); });
  QObject::connect(&process, &CalibrationProcess::finished, &process,
                   [&](const CalibrationOutcome& ended) {
                     outcome = ended;
                     loop.quit();
                   });
  QObject::connect(&signals, &SignalWatch::stopRequested, &process, [&] { process.cancel(); });
  if (const Status started = process.start(request); !started) {
    outcome.error = started.error();
    outcome.exitCode = static_cast<int>(started.error().code);
    return outcome;
  }
  if (process.isRunning()) loop.exec();
  printNote(progress.end());
  return outcome;
}

Result<CostSource> calibrateNow(const LoadedExperiment& loaded, const CostRequest& request) {
  STAGELANE_TRY(lock, workspace::RunLock::take(workspace::workspaceRoot(),
                                               "calibrating " + loaded.experiment.name));
  EngineInput file;
  const Json document = withAbsolutePaths(loaded.source.document, loaded.source.baseFolder);
  STAGELANE_CHECK(file.write(document));
  CalibrationOutcome outcome =
      measure({file.path(), file.folder() / "costs.json", request.seconds, request.onlyOccurring,
               request.ranks, (*lock)->descriptor()});
  if (outcome.error) return tl::make_unexpected(*outcome.error);
  CostSource source;
  if (!outcome.table) {
    source.canceled = true;
    return source;
  }
  STAGELANE_TRY(stored, workspace::storeCalibration(workspace::workspaceRoot(), loaded.experiment,
                                                    *outcome.table));
  STAGELANE_TRY(table, predict::readCostTable(stored->string()));
  table->basis = predict::Basis::Calibrated;
  source.table = std::make_shared<predict::CostTable>(std::move(*table));
  source.file = *stored;
  source.canceled = outcome.exitCode == kExitCanceled;
  return source;
}

/// The workspace's costs; warns about a damaged file and ignores it.
std::optional<workspace::StoredCalibration> storedFor(const plan::Experiment& experiment,
                                                      const workspace::Machine& machine) {
  auto stored = workspace::findCalibration(workspace::workspaceRoot(), experiment, machine);
  if (!stored) {
    printWarning(describe(stored.error()));
    return std::nullopt;
  }
  return std::move(*stored);
}

}  // namespace

Result<std::filesystem::path> costsFile(const CostSource& costs,
                                        const std::filesystem::path& folder) {
  if (std::error_code problem; !costs.table || std::filesystem::exists(costs.file, problem)) {
    return costs.table ? costs.file : std::filesystem::path();
  }
  const std::filesystem::path written = folder / "costs.json";
  const std::string text =
      predict::toJson(*costs.table).dump(1, ' ', false, Json::error_handler_t::replace);
  STAGELANE_CHECK(writeFileAtomically(written, text + "\n", Links::Replace));
  return written;
}

workspace::Machine machineFor(const plan::Experiment& experiment) {
  // Nothing is known here about another host.
  if (const auto host = plan::hostOf(experiment); !host || !host->empty()) return {};
  workspace::Machine machine = workspace::thisMachine();
  if (usesGpus(experiment)) {
    if (const auto devices = queryDevices()) {
      machine.gpus = workspace::machineOf({{"devices", *devices}}).gpus;
    }
  }
  return machine;
}

Result<CostSource> costsFor(const LoadedExperiment& loaded, const CostRequest& request) {
  CostSource source;
  if (!request.file.empty()) {
    STAGELANE_TRY(table, predict::readCostTable(request.file));
    source.table = std::make_shared<predict::CostTable>(std::move(*table));
    source.file = request.file;
    return source;
  }
  const workspace::Machine machine = machineFor(loaded.experiment);
  if (request.calibrate == Calibrate::Always) return calibrateNow(loaded, request);
  auto stored = storedFor(loaded.experiment, machine);
  const bool enough = stored && stored->table.basis == predict::Basis::Calibrated &&
                      workspace::covers(stored->table, loaded.experiment);
  if (!enough && request.calibrate == Calibrate::IfMissing &&
      measurable(loaded.experiment, machine)) {
    printNote("stagelane: measuring the costs of the model's blocks (skip with --no-calibrate)\n");
    auto measured = calibrateNow(loaded, request);
    if (measured) return measured;
    printWarning("costs not measured: " + describe(measured.error()));
  }
  if (stored && workspace::covers(stored->table, loaded.experiment)) {
    source.file = stored->file;
    source.table = std::make_shared<predict::CostTable>(std::move(stored->table));
  }
  return source;
}

}  // namespace stagelane::app
