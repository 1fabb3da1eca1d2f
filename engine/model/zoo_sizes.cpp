#include "engine/model/zoo_sizes.h"

#include "engine/model/gpt.h"
#include "engine/model/layer.h"
#include "engine/model/mlp.h"

namespace stagelane::model {

std::vector<ZooSize> zooSizes(const std::string& name) {
  const ZooSize classes{"num_classes", "Classes", std::int64_t{1000}};
  if (name == "mlp") {
    const detail::MlpSizes sizes;
    return {{"depth", "Layers", sizes.depth},
            {"width", "Width", sizes.width},
            {"in", "Inputs", sizes.in},
            {"out", "Outputs", sizes.out}};
  }
  if (name == "gpt") {
    const detail::GptSizes sizes;
    return {{"layers", "Layers", sizes.layers},
            {"heads", "Heads", sizes.heads},
            {"width", "Width", sizes.width},
            {"vocab", "Vocabulary", sizes.vocab},
            {"context", "Positions", sizes.context},
            {"dropout", "Dropout", sizes.dropout},
            {"tie", "Tie head to embedding", sizes.tie}};
  }
  if (name == "vgg16") return {classes, {"dropout", "Dropout", Dropout{}.p}};
  return name.rfind("resnet", 0) == 0 ? std::vector<ZooSize>{classes} : std::vector<ZooSize>{};
}

}  // namespace stagelane::model
