#pragma once

/// The initialization of PyTorch's and torchvision's constructors as an ordered list of draws.
/// `engine/run` replays the list on a generator seeded as `torch.manual_seed(seed)` does. The order
/// is the constructor's, including re-initializations (torchvision's ResNet draws every convolution
/// twice).

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

/// The constructor's draws, in order; the last draw of a tensor wins. A tied tensor is also drawn
/// under its own name, as its constructor does before the tie; that draw advances the generator and
/// is discarded.
[[nodiscard]] std::vector<Draw> initialDraws(const Model& model);

}  // namespace stagelane::model
