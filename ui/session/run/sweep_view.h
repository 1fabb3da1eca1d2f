#pragma once

/// A sweep as the window shows it: its points in order, what is predicted for each, what is
/// measured so far. Read from the sweep's folder and its run folders.

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
  QString reason;           ///< why it is not wholly measured, as files say it
  QString reasonWords;      ///< the same for people
  double predictedS = 0.0;  ///< a sample; 0 where nothing is predicted
  bool estimated = false;   ///< that is an estimate
  double meanS = 0.0;       ///< a sample, over the repeats; 0 before the first
  double stdS = 0.0;
  int repeats = 0;
  int repeatsAsked = 0;  ///< fewer where it ended early
  QString run;           ///< its run folder; empty before the run's start
  QString variantId;     ///< in that run
};

enum class SweepState { Running, Paused, Interrupted, Canceled, Done };

struct SweepView {
  QString folder;
  QString name;
  SweepState state = SweepState::Interrupted;
  std::vector<SweepPoint> points;
  int repeatsDone = 0;
  int repeatsAsked = 0;
  QString problem;  ///< why a task failed for good
};
using SweepViewPtr = std::shared_ptr<const SweepView>;

/// What points are predicted by until their run says what it was predicted to take.
struct SweepPredictions {
  struct Point {
    double seconds = 0.0;  ///< a sample
    bool estimated = false;
  };
  std::shared_ptr<const predict::CostTable> costs = nullptr;  ///< null: estimates
  std::string costsKey = {};  ///< workspace::calibrationKey of the experiments that they are of
  plan::MachineDevices machine = {};
  /// Filled once: reading and predicting take a while. By task and variant, and by task.
  std::map<std::string, Point> points = {};
  std::map<std::string, std::shared_ptr<const plan::Experiment>> experiments = {};
};

/// @thread any, blocks: reads files, and predicts what `predictions` lacks; where `goesOn` says no,
/// the points so far are the answer
[[nodiscard]] SweepView viewOfSweep(const workspace::Sweep& sweep, SweepPredictions& predictions,
                                    const GoesOn& goesOn = {});

/// The measured point with the shortest time a sample; null before the first.
[[nodiscard]] const SweepPoint* bestOf(const SweepView& view);
/// "3 of 12 points measured, 40 of 120 repeats".
[[nodiscard]] QString sweepProgressText(const SweepView& view);

}  // namespace stagelane::ui
