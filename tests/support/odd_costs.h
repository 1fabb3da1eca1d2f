#pragma once

/// Costs of the toy model with which `auto` finds another order than with estimates.

#include "engine/predict/cost_table.h"

namespace stagelane::test {

/// For micro-batches of two samples. The last block takes long, most of it in the half of its
/// backward that no other device waits for.
inline predict::CostTable oddCosts() {
  predict::CostTable table;
  table.basis = predict::Basis::Calibrated;
  for (const char* name : {"net1", "relu", "net2"}) {
    predict::BlockCosts block;
    block.name = name;
    const bool last = block.name == "net2";
    predict::CostPoint point;
    point.samples = 2;
    point.forward = last ? 2'000'000 : 1'000'000;
    point.backwardInput = last ? 1'000'000 : 3'000'000;
    point.backwardWeight = last ? 9'000'000 : 1'000'000;
    point.backward = point.backwardInput + point.backwardWeight;
    block.points = {point};
    table.blocks.push_back(std::move(block));
  }
  return table;
}

}  // namespace stagelane::test
