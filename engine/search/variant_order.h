#pragma once

/// Predictions of variants whose order may still be open: first searches for the order of an `auto`
/// variant with the plan's own costs and memory.

#include "engine/base/goes_on.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/prediction.h"
#include "engine/predict/what_if.h"

namespace stagelane::search {

/// The inputs of predictions. The table must outlive the call.
struct PredictionBasis {
  const predict::CostTable* costs = nullptr;  ///< null: estimates
  predict::WhatIf whatIf = {};                ///< never changes an order
  GoesOn goesOn = {};                         ///< if false, the best order so far is used
  bool orEstimated = false;                   ///< use estimates if the table is incomplete
  double effort = 1.0;                        ///< of the search for an order
};

/// The variant with its order, searched for if it is open.
/// @errors Invalid: no costs for the stages
[[nodiscard]] Result<plan::Variant> withOrder(const plan::Experiment& experiment,
                                              plan::Variant variant, const PredictionBasis& basis);

/// As `predict::predictPlan` and `predict::predictStep`, of `withOrder`. @thread any; pure
[[nodiscard]] Result<predict::Prediction> predictPlan(const plan::Experiment& experiment,
                                                      const plan::Variant& variant,
                                                      const PredictionBasis& basis = {});
[[nodiscard]] Result<predict::StepPrediction> predictStep(const plan::Experiment& experiment,
                                                          const plan::Variant& variant,
                                                          const PredictionBasis& basis = {});

}  // namespace stagelane::search
