#pragma once

/// Which variants of a sweep's experiments are its points; the others are run beside them, to
/// compare with.

#include "engine/plan/experiment.h"

namespace stagelane::plan {

/// A pipeline that is run and was not added by the program itself.
[[nodiscard]] inline bool isSweepPoint(const Variant& variant) {
  return variant.include && !variant.implicit && strategyRow(variant.strategy).pipelined;
}

}  // namespace stagelane::plan
