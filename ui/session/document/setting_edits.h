#pragma once

/// Edits of settings that all variants share, as pure functions: model, optimizer, loss. Dependent
/// members change together so that no edit leaves an unreadable document.

#include <QStringList>
#include <string>

#include "engine/base/json.h"
#include "ui/session/document/new_experiment.h"

namespace stagelane::ui {

struct ModelChange {
  Json document;
  /// Variants whose placement names blocks that the model lacks; they are `optimal` now.
  QStringList refitted;
};
/// `model` is what `choice` builds. An experiment name derived from the model's follows it.
[[nodiscard]] ModelChange withModel(Json document, const ModelChoice& choice,
                                    const model::Model& model);
/// "Model vgg16", with the placements that changed.
[[nodiscard]] QString stepName(const ModelChange& change, const model::Model& model);

/// `sgd`, `adam`, `adamw`; removes members that the kind does not have.
[[nodiscard]] Json withOptimizerKind(Json document, const std::string& kind);
/// Sets class labels for cross entropy, and labels of the output's shape for mse.
[[nodiscard]] Json withLoss(Json document, const std::string& loss);
[[nodiscard]] Json withLabels(Json document, const std::string& labels);
/// The faster precisions need float32 tensors.
[[nodiscard]] Json withDtype(Json document, const std::string& dtype);
[[nodiscard]] Json withPrecision(Json document, const std::string& precision);
/// The tutorial's timing has no warm-up.
/// The number of batches: as written, else as many as `samples` needs, else 1.
[[nodiscard]] Json batchesOf(const Json& document);
/// Replaces `samples`, which gives the number of batches too.
[[nodiscard]] Json withBatches(Json document, const Json& batches);
[[nodiscard]] Json withTiming(Json document, const std::string& timing);

}  // namespace stagelane::ui
