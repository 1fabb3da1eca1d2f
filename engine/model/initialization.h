#pragma once

/// How PyTorch's and torchvision's constructors initialise a model, as an ordered list of draws.
/// `engine/run` plays the list on a generator seeded as `torch.manual_seed(seed)`; the order is the
/// constructor's, re-initialisations included (torchvision's ResNet draws every convolution twice).

#include <string>
#include <vector>

#include "engine/model/model.h"

namespace stagelane::model {

enum class DrawKind {
  Zeros,
  Ones,
  Uniform,  ///< uniform_(a, b)
  Normal,   ///< normal_(a = mean, b = std)
};

struct Draw {
  std::string tensor;  ///< full name: `layer1.0.conv1.weight`
  Shape shape;
  DrawKind kind = DrawKind::Zeros;
  double a = 0.0;
  double b = 0.0;
};

/// The constructor's draws, in order; a tensor may be drawn several times, the last one stays. A
/// tied tensor is drawn under its own name too, as its layer's constructor does before the tie:
/// that draw moves the generator on and is dropped.
[[nodiscard]] std::vector<Draw> initialDraws(const Model& model);

}  // namespace stagelane::model
