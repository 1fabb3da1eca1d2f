#include "ui/session/document/new_experiment.h"

#include <variant>

#include "ui/session/document/split_sizes.h"
#include "ui/session/document/variant_json.h"

namespace stagelane::ui {
namespace {

constexpr std::int64_t kImageSize = 128;
constexpr std::int64_t kTokens = 64;

bool isImage(const model::Shape& shape) { return shape.size() == 3; }

Json pipelineOf(std::int64_t batchSize) {
  const plan::StrategyRow& strategy = plan::pipelineStrategy();
  return {{"name", strategy.title},
          {"strategy", strategy.name},
          {"schedule", strategy.schedule},
          {"split_size", firstSplitSize(batchSize)},
          {"placement", "optimal"}};
}

Json variantsFor(const NewExperiment& experiment) {
  Json variants = onlySingle();
  variants[0]["device"] = "#0";
  if (experiment.devices > 1) {
    const plan::StrategyRow& whole = plan::wholeBatchStrategy();
    variants.push_back({{"name", whole.title}, {"strategy", whole.name}, {"placement", "optimal"}});
    variants.push_back(pipelineOf(experiment.batchSize));
  }
  return variants;
}

Json optimizerFor(const model::Model& model) {
  // Transformers hardly learn with plain SGD.
  return model.vocabulary > 0 ? Json{{"kind", "adamw"}, {"lr", 0.0003}}
                              : Json{{"kind", "sgd"}, {"lr", 0.001}};
}

}  // namespace

NewExperiment beginningWith(const std::string& zooName) {
  NewExperiment beginning;
  beginning.model.definition = {{"zoo", zooName}};
  beginning.batchSize = 32;
  if (zooName == "gpt") {
    beginning.model.definition.update(
        Json{{"layers", 6}, {"heads", 8}, {"width", 256}, {"vocab", 4096}, {"context", 128}});
    beginning.batchSize = 16;
  } else if (zooName == "vgg16") {
    beginning.batchSize = 8;
  } else if (zooName == "mlp") {
    beginning.batchSize = 256;
  }
  for (const model::ZooEntry& entry : model::zoo()) {
    if (entry.name == zooName && isImage(entry.defaultInput)) {
      beginning.model.input = {entry.defaultInput.front(), kImageSize, kImageSize};
    }
  }
  return beginning;
}

model::Shape inputFor(const model::Model& model, const model::Shape& wanted) {
  if (!model.defaultInput.empty() && !isImage(model.defaultInput)) return model.defaultInput;
  if (isImage(model.defaultInput) && isImage(wanted)) return wanted;
  if (model.layers.empty()) return {};
  const model::LayerSpec& first = model.layers.front().spec;
  if (const auto* linear = std::get_if<model::Linear>(&first)) return {linear->inFeatures};
  if (const auto* convolution = std::get_if<model::Conv2d>(&first)) {
    return {convolution->inChannels, kImageSize, kImageSize};
  }
  return model.vocabulary > 0 ? model::Shape{kTokens} : model::Shape{};
}

std::string defaultName(const model::Model& model, int devices) {
  return model.name + (devices == 1 ? ", 1 device" : ", " + std::to_string(devices) + " devices");
}

Json newDocument(const NewExperiment& experiment, const model::Model& model) {
  // A single output is a regression, several are classes.
  const bool classes = model.classes > 1;
  Json document;
  document["stagelane"] = 1;
  document["name"] =
      experiment.name.empty() ? defaultName(model, experiment.devices) : experiment.name;
  document["model"] = experiment.model.definition;
  document["input"] = {{"shape", experiment.model.input}};
  document["data"] = {{"kind", "synthetic"},
                      {"labels", classes ? "class" : "normal"},
                      {"batch_size", experiment.batchSize},
                      {"batches", 1},
                      {"seed", 0}};
  document["loss"] = classes ? "cross_entropy" : "mse";
  document["optimizer"] = optimizerFor(model);
  document["devices"] = {{"auto", experiment.devices}};
  document["threads_per_cpu_worker"] = 1;
  document["repeat"] = 5;
  document["warmup"] = 1;
  document["timing"] = "steady";
  document["verify_gradients"] = true;
  document["trace"] = "actions";
  document["variants"] = variantsFor(experiment);
  return document;
}

}  // namespace stagelane::ui
