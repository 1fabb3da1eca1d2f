#include <algorithm>

#include "engine/plan/experiment_keys.h"
#include "engine/plan/reading.h"

namespace stagelane::plan::detail {
namespace {

constexpr std::int64_t kLargestDimension = 10'000'000;
constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

Status readInput(Experiment& experiment) {
  if (!experiment.source.contains("input")) {
    return fail(ErrorCode::Invalid, "\"input\" is missing", "/input",
                "Use \"input\": {\"shape\": [3, 128, 128]} with the sizes of one sample");
  }
  const Json& source = experiment.source["input"];
  STAGELANE_CHECK(checkKeys(source, KeysOf::Input, "/input"));
  ObjectReader reader(source, "/input");
  experiment.input = reader.integers("shape");
  const std::string dtype =
      reader.oneOf("dtype", {"float32", "float64", "bfloat16", "int64"}, "float32");
  experiment.dtype = dtype == "float64" ? model::DType::Float64 : model::DType::Float32;
  STAGELANE_CHECK(reader.finish());
  if (dtype == "bfloat16") {
    return notAvailable("dtype \"bfloat16\"", "/input/dtype", "Use \"float32\" or \"float64\"");
  }
  if (experiment.input.empty() || experiment.input.size() > 4) {
    return fail(ErrorCode::Invalid, "the shape of one sample must have 1 to 4 sizes",
                "/input/shape", "Use [3, 128, 128] for images, without the batch");
  }
  std::int64_t elements = experiment.data.batchSize;
  for (std::size_t i = 0; i < experiment.input.size(); ++i) {
    const std::int64_t size = experiment.input[i];
    if (size < 1 || size > kLargestDimension) {
      return fail(ErrorCode::Invalid, "a size must be from 1 to 10000000",
                  childPointer("/input/shape", i));
    }
    elements *= size;
    if (elements > kMostElements) {
      return fail(ErrorCode::Invalid, "a batch of this shape has more than 2^40 elements",
                  "/input/shape", "Reduce the shape or the batch size");
    }
  }
  return {};
}

/// Only tokens are int64. A model on tokens may state the type of its parameters instead.
Status checkDtype(const Experiment& experiment) {
  const Json& source = experiment.source["input"];
  const bool wantsTokens = source.contains("dtype") && source["dtype"] == "int64";
  if (!wantsTokens || experiment.model->vocabulary > 0) return {};
  return fail(ErrorCode::Invalid, "the model does not take tokens, so its input cannot be int64",
              "/input/dtype", "Use \"float32\" or \"float64\"");
}

Status checkOutput(Experiment& experiment, const model::ModelShapes& shapes) {
  const model::Shape& output = shapes.blocks.back().outputShapes.front();
  if (output.size() < 2 || output.back() != experiment.model->classes ||
      (output.size() > 2 && experiment.model->vocabulary == 0)) {
    return fail(ErrorCode::Invalid,
                "labels need a model that outputs one row of classes per sample from a final "
                "Linear layer",
                "/input/shape",
                "Change the input's shape, or end the model with Flatten and Linear");
  }
  experiment.outputRows.assign(output.begin() + 1, output.end() - 1);
  const bool trainable = std::any_of(shapes.blocks.begin(), shapes.blocks.end(),
                                     [](const auto& block) { return block.parameters > 0; });
  if (!trainable) {
    return fail(ErrorCode::Invalid, "the model has no parameters to train", "/model",
                "Add a layer with weights, such as Linear");
  }
  return {};
}

}  // namespace

Status checkBatchNorm(const Experiment& experiment, std::int64_t samples,
                      const std::string& pointer) {
  if (experiment.task == Task::Infer) return {};
  STAGELANE_TRY(shapes, experiment.shapesAt(samples));
  for (const model::CallShape& call : (*shapes)->calls) {
    const model::Call& definition = experiment.model->blocks[call.block].calls[call.call];
    if (definition.kind != model::CallKind::Layer) continue;
    const model::Layer& layer = experiment.model->layers[definition.layer];
    if (!std::holds_alternative<model::BatchNorm2d>(layer.spec)) continue;
    std::int64_t valuesPerChannel = 1;
    for (std::size_t i = 0; i < call.inputs.front().size(); ++i) {
      if (i != 1) valuesPerChannel *= call.inputs.front()[i];
    }
    if (valuesPerChannel > 1) continue;
    return fail(ErrorCode::Invalid,
                "a micro-batch of " + std::to_string(samples) + " gives the batch norm \"" +
                    layer.name + "\" one value per channel, but training needs more",
                pointer, "Increase the micro-batch or the input size");
  }
  return {};
}

Status readModel(Experiment& experiment, const std::string& baseFolder,
                 const model::ShapeMemoPtr& known) {
  if (!experiment.source.contains("model")) {
    return fail(ErrorCode::Invalid, "\"model\" is missing", "/model",
                "Use \"model\": {\"zoo\": \"resnet50\"}");
  }
  STAGELANE_CHECK(readInput(experiment));
  const Json& definition = experiment.source["model"];
  if (definition.is_object() && definition.contains("weights")) {
    return notAvailable("weights", "/model/weights", "Remove the key");
  }
  if (known && known->model()->definition == definition) {
    experiment.shapes = known;
  } else {
    STAGELANE_TRY(built, model::buildModel(definition, "/model", baseFolder));
    experiment.shapes = std::make_shared<const model::ShapeMemo>(std::move(*built));
  }
  experiment.model = experiment.shapes->model();
  // The copy of the experiment in a run folder holds the layers, so that the folder is
  // self-contained.
  if (!experiment.model->definition.contains("file")) {
    experiment.source["model"] = experiment.model->definition;
  }
  STAGELANE_CHECK(checkDtype(experiment));
  const auto shapes = experiment.shapesAt(experiment.data.batchSize);
  if (!shapes) {
    Error error = shapes.error();
    if (error.context.empty()) error.context = "/input/shape";
    return tl::make_unexpected(std::move(error));
  }
  return checkOutput(experiment, **shapes);
}

}  // namespace stagelane::plan::detail
