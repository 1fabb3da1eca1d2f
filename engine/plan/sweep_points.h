#pragma once

/// Which variants of a sweep's experiments are points of the sweep; the others run for comparison.

#include "engine/plan/experiment.h"

namespace stagelane::plan {

/// A pipeline that runs and is not an implicit variant.
[[nodiscard]] inline bool isSweepPoint(const Variant& variant) {
  return variant.include && !variant.implicit && strategyRow(variant.strategy).pipelined;
}

}  // namespace stagelane::plan
