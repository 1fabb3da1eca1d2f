#pragma once

/// Changes the model of the open experiment as one step, or says why that cannot be.

#include "ui/session/document/document.h"
#include "ui/session/document/new_experiment.h"

namespace stagelane::ui {

class Session;

/// Whether the input is as chosen, or the model's own where it takes no other.
enum class InputOf { Choice, Model };

/// Why a choice was not applied.
struct ModelRefusal {
  QString text;          ///< for a person; empty when it was applied
  bool ofInput = false;  ///< the model is one, but does not take the input
};

/// Placements that the model has no blocks for become `optimal`, which a hint says.
[[nodiscard]] ModelRefusal changeModel(Session& session, ModelChoice choice, InputOf input);

/// The open experiment's model; an empty definition where it says none.
[[nodiscard]] ModelChoice modelOf(const ExperimentDocument& document);

}  // namespace stagelane::ui
