#pragma once

/// A sweep as the window shows it: its points in order, with predictions and measurements so far.
/// Read from the sweep's folder and its run folders.

#include <QString>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/workspace/sweep_store.h"

namespace stagelane::ui {

struct SweepPoint {
  QString label;  ///< "batch 40 · gpipe s5"
  QString status;
  QString reason;           ///< why it is not completely measured, as in files
  QString reasonWords;      ///< the same for display
  double predictedS = 0.0;  ///< per sample; 0 without a prediction
  bool estimated = false;   ///< the prediction is an estimate
  double meanS = 0.0;       ///< per sample, over the repeats; 0 before the first
  double stdS = 0.0;
  int repeats = 0;
  int repeatsAsked = 0;  ///< fewer if it ended early
  QString run;           ///< its run folder; empty before the run's start
  QString variantId;     ///< in that run
};

using workspace::SweepState;

struct SweepView {
  QString folder;
  QString name;
  SweepState state = SweepState::Interrupted;
  std::vector<SweepPoint> points;
  int repeatsDone = 0;
  int repeatsAsked = 0;
  int unknownRuns = 0;  ///< whose experiment cannot be read, so that their points are unknown
  QString problem;      ///< why a task failed permanently, and which
  [[nodiscard]] bool over() const { return state >= SweepState::Canceled; }
};
using SweepViewPtr = std::shared_ptr<const SweepView>;

/// Inputs of predictions for points whose run has not stored its own. Their plans are those that
/// run if the runner gets the same costs.
struct SweepPredictions {
  struct Point {
    double seconds = 0.0;  ///< per sample
    bool estimated = false;
  };
  std::shared_ptr<const predict::CostTable> costs = nullptr;  ///< null: estimates
  plan::MachineDevices machine = {};
  /// Caches, because reading and predicting take a while: by task and variant, and by task.
  std::map<std::string, Point> points = {};
  std::map<std::string, std::shared_ptr<const plan::Experiment>> experiments = {};
};

/// Reads files and predicts what `predictions` lacks; once `goesOn` returns false, returns the
/// points so far. @thread any, blocks
[[nodiscard]] SweepView viewOfSweep(const workspace::Sweep& sweep, SweepPredictions& predictions,
                                    const GoesOn& goesOn = {});

/// The measured point with the shortest time per sample; null before the first.
[[nodiscard]] const SweepPoint* bestOf(const SweepView& view);
/// "3 of 12 points measured, 40 of 120 repeats", and how many runs are unknown.
[[nodiscard]] QString sweepProgressText(const SweepView& view);

}  // namespace stagelane::ui
