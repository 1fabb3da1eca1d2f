#pragma once

/// A sweep as the window shows it: its points in order, what is predicted for each, what is
/// measured so far. Read from the sweep's folder and its run folders.

#include <QString>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/workspace/sweep_store.h"

namespace stagelane::ui {

struct SweepPoint {
  QString label;  ///< "batch 40 · gpipe s5"
  QString status;
  QString reason;
  double predictedS = 0.0;  ///< a sample; 0 where nothing is predicted
  double meanS = 0.0;       ///< a sample, over the repeats; 0 before the first
  double stdS = 0.0;
  int repeats = 0;
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

/// Predicted seconds a sample by task and variant; filled once, since predicting takes a while.
using SweepPredictions = std::map<std::string, double>;

/// @thread any, blocks: reads files, and predicts what `predictions` lacks
[[nodiscard]] SweepView viewOfSweep(const workspace::Sweep& sweep, SweepPredictions& predictions);

/// The measured point with the shortest time a sample; null before the first.
[[nodiscard]] const SweepPoint* bestOf(const SweepView& view);
/// "3 of 12 points measured, 40 of 120 repeats".
[[nodiscard]] QString sweepProgressText(const SweepView& view);

}  // namespace stagelane::ui
