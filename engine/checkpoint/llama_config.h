#pragma once

/// The sizes and settings of a LLaMA, as config.json of a Hugging Face folder states them, in the
/// keys of transformers 4 and 5. What changes results and is not available is an error, never
/// ignored.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/checkpoint/element_type.h"
#include "engine/checkpoint/rotary.h"

namespace stagelane::checkpoint {

/// Defaults are those of transformers for an absent key.
struct LlamaConfig {
  std::int64_t vocabulary = 32000;
  std::int64_t hidden = 4096;         ///< size of the residual stream
  std::int64_t intermediate = 11008;  ///< size within the MLP
  std::int64_t layers = 32;
  std::int64_t heads = 32;
  std::int64_t keyValueHeads = 32;  ///< divides `heads`
  std::int64_t headSize = 128;      ///< even; need not be hidden / heads
  std::int64_t positions = 2048;    ///< longest context
  double epsilon = 1e-6;            ///< of the RMS norms
  RotaryConfig rotary;
  bool tiedHead = false;  ///< the output head is the embedding
  bool attentionBias = false;
  bool mlpBias = false;
  double attentionDropout = 0.0;    ///< in training only
  double initializerRange = 0.02;   ///< standard deviation of new weights
  std::optional<ElementType> type;  ///< that the model computes in; empty: not stated

  friend bool operator==(const LlamaConfig&, const LlamaConfig&) = default;
};

/// @errors Invalid with `source` and the byte or key
[[nodiscard]] Result<LlamaConfig> parseLlamaConfig(std::string_view text, std::string_view source);

/// A parameter of the model.
struct LlamaTensor {
  std::string name;  ///< `model.layers.0.self_attn.q_proj.weight`
  std::vector<std::int64_t> shape;
};
/// All parameters in PyTorch's registration order. A tied output head is not among them.
[[nodiscard]] std::vector<LlamaTensor> llamaTensors(const LlamaConfig& config);

}  // namespace stagelane::checkpoint
