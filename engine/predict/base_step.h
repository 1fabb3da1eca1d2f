#pragma once

/// The predicted step that the speed-ups of an experiment are relative to. Pure.

#include <string>

#include "engine/base/ids.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/what_if.h"

namespace stagelane::predict {

struct BaseStep {
  TimeNs stepNs = 0;  ///< 0: no base
  std::string name;   ///< with its device where devices differ
};
/// By `plan::speedupBase` among the included variants. `table`: null for estimates
[[nodiscard]] BaseStep baseStepOf(const plan::Experiment& experiment, const CostTable* table,
                                  const WhatIf& whatIf = {});

}  // namespace stagelane::predict
