#pragma once

/// Changes the model of the open experiment as one step, or returns why it cannot.

#include "ui/session/document/document.h"
#include "ui/session/document/new_experiment.h"

namespace stagelane::ui {

class Session;

/// Whether the input is as chosen, or the model's own if it takes no other.
enum class InputOf { Choice, Model };

/// Why a choice was not applied.
struct ModelRefusal {
  QString text;          ///< for the user; empty if applied
  bool ofInput = false;  ///< the model is valid but does not take the input
};

/// Placements with blocks that the model lacks become `optimal`, with a hint.
[[nodiscard]] ModelRefusal changeModel(Session& session, ModelChoice choice, InputOf input);

/// The open experiment's model; an empty definition if it has none.
[[nodiscard]] ModelChoice modelOf(const ExperimentDocument& document);

}  // namespace stagelane::ui
