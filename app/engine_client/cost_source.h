#pragma once

/// Where the costs of a prediction come from: a file that was named, what the workspace keeps of
/// this model, a calibration made on the spot, or nothing (estimates).

#include <filesystem>
#include <memory>
#include <string>

#include "app/engine_client/experiment_source.h"
#include "engine/base/result.h"
#include "engine/predict/cost_table.h"
#include "engine/workspace/calibration_store.h"

namespace stagelane::app {

/// Whether costs may be measured now where none are kept.
enum class Calibrate { Never, IfMissing, Always };

struct CostRequest {
  std::string file;  ///< `--costs`; "" for none
  Calibrate calibrate = Calibrate::Never;
  double seconds = 15.0;      ///< about how long measuring may take
  bool onlyOccurring = true;  ///< only the sizes of the variants
};

struct CostSource {
  std::shared_ptr<const predict::CostTable> table;  ///< null: estimates
  std::filesystem::path file;                       ///< of the table
  bool canceled = false;                            ///< a calibration was; there is no table then
};

/// @errors Invalid (a file that cannot be read); with Calibrate::Always also what a calibration
/// fails with, which is otherwise a warning
/// @thread the main one, with a QCoreApplication; blocks while it measures, with progress on
/// standard error; SIGINT and SIGTERM cancel
[[nodiscard]] Result<CostSource> costsFor(const LoadedExperiment& loaded,
                                          const CostRequest& request);

/// A file with the table for an engine: its own or, where that was deleted or never was, one that
/// is written into `folder`; "" for estimates.
/// @errors CannotWrite
[[nodiscard]] Result<std::filesystem::path> costsFile(const CostSource& costs,
                                                      const std::filesystem::path& folder);

/// Processor, cores and, where the experiment names a GPU, GPUs.
/// @thread any; blocks while the engine lists GPUs (about half a second)
[[nodiscard]] workspace::Machine machineFor(const plan::Experiment& experiment);

}  // namespace stagelane::app
