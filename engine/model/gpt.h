#pragma once

/// A GPT-2-style decoder (pre-norm blocks, learned positions) as data: an embedding block, the
/// transformer blocks, a head. tests/engine/run/gpt_module.py is the same as a PyTorch module.

#include <cstdint>

#include "engine/model/model.h"

namespace stagelane::model::detail {

/// Defaults: GPT-2 small, except for no dropout and an untied head.
struct GptSizes {
  std::int64_t layers = 12;  ///< transformer blocks
  std::int64_t heads = 12;
  std::int64_t width = 768;
  std::int64_t vocab = 50257;
  std::int64_t context = 1024;  ///< positions
  double dropout = 0.0;         ///< after the embedding and each half of a block; 0: no such layers
  bool tie = false;             ///< the head's weight is the token embedding's
};

/// Fills root, layers, blocks and ties. @pre `width` is a multiple of `heads`; `model` is empty
void buildGpt(Model& model, const GptSizes& sizes);

}  // namespace stagelane::model::detail
