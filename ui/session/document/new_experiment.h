#pragma once

/// A new experiment as a document: a model, its input, and three ways to train it as a first
/// comparison. Pure functions; the dialog asks for the values.

#include <cstdint>
#include <string>

#include "engine/base/json.h"
#include "engine/model/model.h"
#include "engine/model/shapes.h"

namespace stagelane::ui {

/// A model and its input as in an experiment file.
struct ModelChoice {
  Json definition;     ///< {"zoo": "gpt", "layers": 6} or {"file": PATH}
  model::Shape input;  ///< of one sample
};

struct NewExperiment {
  std::string name;  ///< empty: `defaultName`
  ModelChoice model;
  std::int64_t batchSize = 1;
  int devices = 2;
};

/// Defaults with sizes for which a CPU worker needs seconds per step, not minutes; for an unknown
/// name or a file, only the definition and the batch are set.
[[nodiscard]] NewExperiment beginningWith(const std::string& zooName);

/// The shape of one sample if the model or its first layer determines it, else empty. For images,
/// whose height and width the layers leave open, it is `wanted`.
[[nodiscard]] model::Shape inputFor(const model::Model& model, const model::Shape& wanted);

/// "gpt, 2 devices": the default name of the experiment.
[[nodiscard]] std::string defaultName(const model::Model& model, int devices);

/// The document: variants single, model parallel and pipeline (1f1b, four micro-batches), placed by
/// `optimal`; only single for one device. Labels and loss match the model's output.
[[nodiscard]] Json newDocument(const NewExperiment& experiment, const model::Model& model);

}  // namespace stagelane::ui
