#pragma once

/// Plain values that pages and the window exchange through the session.

#include <QString>
#include <memory>
#include <optional>

#include "engine/base/ids.h"
#include "engine/predict/cost_table.h"
#include "engine/record/run_record.h"

namespace stagelane::ui {

enum class RunPhase { Idle, Running, Canceling };

/// What is wanted of a run of the history.
enum class RunUse { Timeline, Charts, Report, Rerun, Resume, Duplicate };

/// Where the run in progress is.
struct RunProgress {
  QString variantId;
  int repeat = 0;
  int of = 0;
  double fraction = 0.0;  ///< of the whole run, 0 … 1
  std::optional<double> secondsLeft;
  bool checksGradients = false;  ///< after the repeats
};

/// Edits that a window which ended without saving has left behind.
struct UnsavedWork {
  QString name;  ///< of the experiment
  QString when;  ///< of the last edit, in words
};

/// A device that this machine has.
struct MachineDevice {
  DeviceId id;
  QString name;
  Bytes memory = 0;
};

/// Measured costs that predictions are made from; null: estimates.
using CostTablePtr = std::shared_ptr<const predict::CostTable>;
using RunResultPtr = std::shared_ptr<const record::RunResult>;

}  // namespace stagelane::ui
