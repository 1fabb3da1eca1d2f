#pragma once

/// Predictions of variants whose order may still be open: that of an `auto` variant is searched
/// for first, with the plan's own costs and memory.

#include "engine/base/goes_on.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/prediction.h"
#include "engine/predict/what_if.h"
#include "engine/schedule/lowering.h"

namespace stagelane::search {

/// Whether the variant is `auto`, and its order not found yet.
[[nodiscard]] bool hasOpenOrder(const plan::Variant& variant);

/// What predictions are made from. The table must outlive the call.
struct PredictionBasis {
  const predict::CostTable* costs = nullptr;  ///< null: estimates
  predict::WhatIf whatIf = {};                ///< never changes an order
  GoesOn goesOn = {};        ///< where it says no, an order is the best found so far
  bool orEstimated = false;  ///< estimates where the table lacks something
  double effort = 1.0;       ///< of the search for an order
};

/// The variant with its order, which is searched for where it is open.
/// @errors Invalid: no costs for the stages
[[nodiscard]] Result<plan::Variant> withOrder(const plan::Experiment& experiment,
                                              plan::Variant variant, const PredictionBasis& basis);

/// As `predict::lowerVariant`, of `withOrder`.
[[nodiscard]] Result<schedule::LoweredSchedule> lowerVariant(const plan::Experiment& experiment,
                                                             const plan::Variant& variant,
                                                             const predict::CostTable* table,
                                                             const GoesOn& goesOn = {});

/// As `predict::predictPlan` and `predict::predictStep`, of `withOrder`. @thread any; pure
[[nodiscard]] Result<predict::Prediction> predictPlan(const plan::Experiment& experiment,
                                                      const plan::Variant& variant,
                                                      const PredictionBasis& basis = {});
[[nodiscard]] Result<predict::StepPrediction> predictStep(const plan::Experiment& experiment,
                                                          const plan::Variant& variant,
                                                          const PredictionBasis& basis = {});

}  // namespace stagelane::search
