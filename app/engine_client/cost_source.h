#pragma once

/// The costs of a prediction: from a given file, the workspace, a new calibration, or none
/// (estimates).

#include <filesystem>
#include <memory>
#include <string>

#include "app/engine_client/engine_process.h"
#include "app/engine_client/experiment_source.h"
#include "engine/base/result.h"
#include "engine/predict/cost_table.h"
#include "engine/workspace/calibration_store.h"

namespace stagelane::app {

/// Whether to measure costs that the workspace does not have.
enum class Calibrate { Never, IfMissing, Always };

struct CostRequest {
  std::string file;  ///< `--costs`; "" for none
  Calibrate calibrate = Calibrate::Never;
  double seconds = 15.0;      ///< approximate time limit
  bool onlyOccurring = true;  ///< only the sizes of the variants
  int ranks = kRanksNeeded;   ///< processes that share the devices
};

struct CostSource {
  std::shared_ptr<const predict::CostTable> table;  ///< null for estimates
  std::filesystem::path file;                       ///< of the table
  bool canceled = false;  ///< the calibration was canceled; there is no table
};

/// @errors Invalid (a file that cannot be read); with Calibrate::Always also a calibration's error,
/// which is otherwise a warning
/// @thread main, with a QCoreApplication; blocks while measuring, with progress on standard error;
/// SIGINT, SIGTERM and SIGHUP cancel
[[nodiscard]] Result<CostSource> costsFor(const LoadedExperiment& loaded,
                                          const CostRequest& request);

/// The table's file for an engine: its own, or if that does not exist, one written to `folder`; ""
/// for estimates.
/// @errors CannotWrite
[[nodiscard]] Result<std::filesystem::path> costsFile(const CostSource& costs,
                                                      const std::filesystem::path& folder);

/// Processor, cores and, if the experiment uses a GPU, GPUs.
/// @thread any; blocks while the engine lists GPUs (about half a second)
[[nodiscard]] workspace::Machine machineFor(const plan::Experiment& experiment);

}  // namespace stagelane::app
