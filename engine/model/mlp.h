#pragma once

/// The sizes of the zoo's mlp: linear layers with a ReLU between consecutive ones.

#include <cstdint>

namespace stagelane::model::detail {

struct MlpSizes {
  std::int64_t depth = 4;
  std::int64_t width = 1024;
  std::int64_t in = 1024;
  std::int64_t out = 10;
};

}  // namespace stagelane::model::detail
