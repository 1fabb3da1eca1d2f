#pragma once

/// Random costs of plans, the same on every machine.

#include <algorithm>

#include "engine/predict/plan_costs.h"
#include "engine/search/random.h"

namespace stagelane::search::testing {

/// Stages of different speed, I and W of about F's cost, a split that costs up to 5 % more than B,
/// and links that cost up to a fifth of a forward. `deviceOfStage` numbers rows by first use.
inline predict::PlanCosts randomCosts(const std::vector<int>& deviceOfStage, int microBatches,
                                      std::uint64_t seed) {
  Random random(seed);
  predict::PlanCosts plan;
  const auto share = [&](TimeNs of, double least, double most) {
    return static_cast<TimeNs>(static_cast<double>(of) * (least + (most - least) * random.unit()));
  };
  for (std::size_t stage = 0; stage < deviceOfStage.size(); ++stage) {
    predict::StageCost cost;
    cost.forward = 1000 + static_cast<TimeNs>(random.below(2000));
    cost.backwardInput = share(cost.forward, 0.7, 1.3);
    cost.backwardWeight = share(cost.forward, 0.7, 1.3);
    cost.backward = share(cost.backwardInput + cost.backwardWeight, 0.95, 1.0);
    if (stage == 0) {
      cost.backwardInput = 0;
      cost.backwardWeight = cost.backward;
    }
    if (stage + 1 == deviceOfStage.size()) cost.loss = 50;
    cost.sendForward = share(cost.forward, 0.0, 0.2);
    cost.sendBackward = share(cost.forward, 0.0, 0.2);
    cost.optimizer = share(cost.forward, 0.0, 0.3);
    cost.savedBytes = 100 + static_cast<Bytes>(random.below(200));
    plan.stage.emplace_back(static_cast<std::size_t>(microBatches), cost);
  }
  const int rows = 1 + *std::max_element(deviceOfStage.begin(), deviceOfStage.end());
  plan.residentBytes.assign(static_cast<std::size_t>(rows), 1000);
  return plan;
}

}  // namespace stagelane::search::testing
