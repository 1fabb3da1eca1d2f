#pragma once

/// Whether a new experiment can be read, and which field of the form an error belongs to.

#include <QString>

#include "engine/plan/experiment.h"
#include "ui/session/document/new_experiment.h"

namespace stagelane::ui {

enum class NewField { Model, Input, BatchSize, Devices };

struct NewExperimentCheck {
  model::ModelPtr model;  ///< null if the definition is invalid
  Json document;          ///< readable if `problem` is empty
  QString summary;        ///< "18 blocks · 25.6 M parameters · 3 variants, …"
  QString problem;
  NewField field = NewField::Model;  ///< of the problem
};

/// Uses only estimates, so it is quick enough to run while typing. `baseFolder` resolves the path
/// of a model file.
[[nodiscard]] NewExperimentCheck checkNew(const NewExperiment& experiment,
                                          const std::string& baseFolder);

/// The number of a model's parameters; tied ones count once.
[[nodiscard]] std::int64_t parameterCount(const model::Model& model);

}  // namespace stagelane::ui
