#pragma once

/// A new experiment as a document: a model, what goes into it, and the three ways to train it that
/// are compared first. Pure functions; the dialog asks for the values.

#include <cstdint>
#include <string>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/model/model.h"
#include "engine/model/shapes.h"

namespace stagelane::ui {

/// A model and what goes into it, as an experiment says them.
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

/// With sizes that take a CPU worker seconds for a step, not minutes; of an unknown name and of a
/// file only the definition and the batch are known.
[[nodiscard]] NewExperiment beginningWith(const std::string& zooName);

/// What one sample of the model is, where it or its first layer says so; else empty. `wanted` is
/// taken as it is for images, whose height and width the layers leave open.
[[nodiscard]] model::Shape inputFor(const model::Model& model, const model::Shape& wanted);

/// "gpt, 2 devices": what the experiment is called when nobody gives it a name.
[[nodiscard]] std::string defaultName(const model::Model& model, int devices);

/// The document: variants single, model parallel and pipeline (1f1b, four micro-batches), placed by
/// `optimal`; single alone on one device. Labels and loss suit the model's output.
[[nodiscard]] Json newDocument(const NewExperiment& experiment, const model::Model& model);

}  // namespace stagelane::ui
