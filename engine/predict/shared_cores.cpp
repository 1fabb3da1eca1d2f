#include "engine/predict/shared_cores.h"

#include <algorithm>
#include <cmath>

namespace stagelane::predict {
namespace {

/// Threads that compute at the same time, for each core; 1 if there are cores for all.
double threadsPerCore(const plan::Experiment& experiment, const plan::Variant& variant) {
  if (experiment.cores <= 0) return 1.0;
  const int threads = variant.threads > 0 ? variant.threads : experiment.threadsPerCpuWorker;
  const auto all = static_cast<double>(variant.hogwild.processes * threads);
  return std::max(1.0, all / static_cast<double>(experiment.cores));
}

void stretch(StageCost& cost, double factor) {
  for (TimeNs* time : {&cost.forward, &cost.backward, &cost.backwardInput, &cost.backwardWeight,
                       &cost.loss, &cost.optimizer, &cost.recompute}) {
    *time = std::llround(static_cast<double>(*time) * factor);
  }
}

}  // namespace

double contentionAt(const std::map<int, double>& contention, int busy) {
  const auto above = contention.lower_bound(busy);
  if (above == contention.end()) return std::prev(above)->second;
  if (above->first == busy) return above->second;
  const auto [lowCount, lowFactor] =
      above == contention.begin() ? std::pair<const int, double>{1, 1.0} : *std::prev(above);
  if (busy <= lowCount) return lowFactor;
  const double part = static_cast<double>(busy - lowCount) / (above->first - lowCount);
  return lowFactor + part * (above->second - lowFactor);
}

void shareCores(const plan::Experiment& experiment, const plan::Variant& variant,
                const WhatIf& whatIf, PlanCosts& plan) {
  if (!plan::strategyRow(variant.strategy).asynchronous) return;
  double factor = 1.0 + (threadsPerCore(experiment, variant) - 1.0) * whatIf.contention;
  if (!plan.contention.empty()) {
    const auto busy = static_cast<int>(variant.hogwild.processes);
    factor = std::max(factor, contentionAt(plan.contention, busy));
  }
  plan.contention.clear();
  plan.contends.clear();
  for (std::vector<StageCost>& stage : plan.stage) {
    for (StageCost& cost : stage) stretch(cost, factor);
  }
}

}  // namespace stagelane::predict
