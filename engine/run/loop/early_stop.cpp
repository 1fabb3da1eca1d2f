#include "engine/run/loop/early_stop.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "engine/predict/prediction.h"
#include "engine/predict/simulator.h"

namespace stagelane::run {
namespace {

constexpr std::size_t kFewestRepeats = 3;
// Predictions from measured costs are within 5 % in the worst case
// (docs/development/prediction-accuracy.md); this margin is more than twice that for both
// predictions.
constexpr double kPredictionMargin = 1.25;

bool wanted(const plan::Experiment& experiment) {
  return experiment.source.value("early_stop", false);
}

/// The pipelines that still take turns; members of different sweeps are compared separately.
std::vector<VariantRun*> membersOf(std::vector<VariantRun>& runs) {
  std::vector<VariantRun*> members;
  for (VariantRun& run : runs) {
    if (run.active() && !run.variant->implicit &&
        plan::strategyRow(run.variant->strategy).pipelined) {
      members.push_back(&run);
    }
  }
  return members;
}

struct Repeats {
  double mean = 0.0, std = 0.0, least = 0.0, most = 0.0;
  std::size_t count = 0;
};

Repeats repeatsOf(const VariantRun& run) {
  record::VariantResult all;
  all.seconds = run.secondsBefore;
  for (const RepeatMeasurement& repeat : run.repeats) all.seconds.push_back(repeat.seconds);
  record::fillStatistics(all);
  if (all.seconds.empty()) return {};
  const auto [least, most] = std::minmax_element(all.seconds.begin(), all.seconds.end());
  return {all.meanS, all.stdS, *least, *most, all.seconds.size()};
}

std::string secondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g s", seconds);
  return text;
}

bool isWorse(const Repeats& one, const Repeats& best) {
  return one.least > best.most && one.mean - best.mean > one.std + best.std;
}

}  // namespace

void leaveOutHopeless(const plan::Experiment& experiment, const predict::CostTable* costs,
                      std::vector<VariantRun>& runs) {
  if (!wanted(experiment) || costs == nullptr) return;
  std::vector<std::pair<VariantRun*, double>> predicted;
  for (VariantRun* run : membersOf(runs)) {
    if (!run->secondsBefore.empty()) continue;
    const auto step = predict::predictStep(experiment, *run->variant, costs);
    // No fallback: the margin does not hold for estimates, which stand in for unmeasured threads.
    if (step && step->basis != predict::Basis::Estimate) {
      predicted.emplace_back(run, static_cast<double>(step->stepNs) * 1e-9);
    }
  }
  const auto best = std::min_element(
      predicted.begin(), predicted.end(),
      [](const auto& left, const auto& right) { return left.second < right.second; });
  for (const auto& [run, seconds] : predicted) {
    if (seconds > kPredictionMargin * best->second) {
      run->result.status = record::RunStatus::NotRun;
      run->result.reason = "early_stop: predicted " + secondsText(seconds) + " a step against " +
                           secondsText(best->second) + " of " + best->first->variant->id;
      run->result.earlyStop = record::EarlyStop{0, seconds, best->second, best->first->variant->id};
    }
  }
}

void stopHopeless(const plan::Experiment& experiment, std::vector<VariantRun>& runs) {
  if (!wanted(experiment)) return;
  std::vector<std::pair<VariantRun*, Repeats>> measured;
  for (VariantRun* run : membersOf(runs)) {
    if (const Repeats repeats = repeatsOf(*run); repeats.count >= kFewestRepeats) {
      measured.emplace_back(run, repeats);
    }
  }
  const auto best = std::min_element(
      measured.begin(), measured.end(),
      [](const auto& left, const auto& right) { return left.second.mean < right.second.mean; });
  for (const auto& [run, repeats] : measured) {
    if (isWorse(repeats, best->second)) {
      run->result.status = record::RunStatus::Canceled;
      run->result.reason = "early_stop after " + std::to_string(repeats.count) +
                           " repeats: " + secondsText(repeats.mean) + " against " +
                           secondsText(best->second.mean) + " of " + best->first->variant->id;
      run->result.earlyStop = record::EarlyStop{static_cast<int>(repeats.count), repeats.mean,
                                                best->second.mean, best->first->variant->id};
    }
  }
}

}  // namespace stagelane::run
