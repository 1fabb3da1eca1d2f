#pragma once

/// Whether a new experiment can be read, and beside which field of the form the reason belongs.

#include <QString>

#include "engine/plan/experiment.h"
#include "ui/session/document/new_experiment.h"

namespace stagelane::ui {

enum class NewField { Model, Input, BatchSize, Devices };

struct NewExperimentCheck {
  model::ModelPtr model;  ///< null where the definition makes none
  Json document;          ///< can be read when `problem` is empty
  QString summary;        ///< "18 blocks · 25.6 M parameters · 3 variants, …"
  QString problem;
  NewField field = NewField::Model;  ///< of the problem
};

/// Reads with estimates alone, so that a person may type meanwhile. `baseFolder` resolves the path
/// of a model file.
[[nodiscard]] NewExperimentCheck checkNew(const NewExperiment& experiment,
                                          const std::string& baseFolder);

/// The parameters of a model, tied ones once.
[[nodiscard]] std::int64_t parameterCount(const model::Model& model);

}  // namespace stagelane::ui
