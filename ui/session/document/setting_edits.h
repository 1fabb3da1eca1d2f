#pragma once

/// Edits of what holds for all variants, as pure functions: a model, an optimizer, a loss. Members
/// that belong together change together, so that one step of a person never leaves a document that
/// cannot be read.

#include <QStringList>
#include <string>

#include "engine/base/json.h"
#include "ui/session/document/new_experiment.h"

namespace stagelane::ui {

struct ModelChange {
  Json document;
  /// Variants whose placement names blocks that the model does not have; they are `optimal` now.
  QStringList refitted;
};
/// `model` is what `choice` builds. A name that was made from the model's follows it.
[[nodiscard]] ModelChange withModel(Json document, const ModelChoice& choice,
                                    const model::Model& model);
/// "Model vgg16", with what became of placements.
[[nodiscard]] QString stepName(const ModelChange& change, const model::Model& model);

/// `sgd`, `adam`, `adamw`; what the kind does not have goes.
[[nodiscard]] Json withOptimizerKind(Json document, const std::string& kind);
/// Cross entropy wants labels that say a class, mse labels of the output's shape.
[[nodiscard]] Json withLoss(Json document, const std::string& loss);
[[nodiscard]] Json withLabels(Json document, const std::string& labels);
/// The faster precisions compute with float32 tensors.
[[nodiscard]] Json withDtype(Json document, const std::string& dtype);
[[nodiscard]] Json withPrecision(Json document, const std::string& precision);
/// The tutorial's timing has no warm-up.
[[nodiscard]] Json withTiming(Json document, const std::string& timing);

}  // namespace stagelane::ui
