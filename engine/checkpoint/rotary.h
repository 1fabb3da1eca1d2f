#pragma once

/// Rotary position embeddings of a LLaMA: which kind, its numbers, and the frequencies that follow.

#include <string_view>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::checkpoint {

enum class RotaryKind {
  Default,
  Linear,  ///< all frequencies divided by `factor`
  Llama3,  ///< low frequencies divided by `factor`, high ones not, a ramp between them
};

struct RotaryConfig {
  RotaryKind kind = RotaryKind::Default;
  double theta = 10000.0;
  double factor = 1.0;
  double lowFrequencyFactor = 1.0;
  double highFrequencyFactor = 4.0;
  double originalPositions = 0.0;  ///< for Llama3: the context length of the first training

  friend bool operator==(const RotaryConfig&, const RotaryConfig&) = default;
};

/// Reads `rope_parameters` (transformers 5) or `rope_theta` and `rope_scaling` (4) of config.json.
/// Keys of both generations may be there if they agree. `positions` is the default of
/// `original_max_position_embeddings`.
/// @errors Invalid with the JSON pointer
[[nodiscard]] Result<RotaryConfig> readRotary(const Json& config, double positions);

/// `inv_freq`: the angle per position of each pair, `headSize / 2` numbers. In float32, in the
/// order of operations of transformers.
/// @source transformers 5.23, `modeling_rope_utils`: behavior, not text
[[nodiscard]] std::vector<float> rotaryFrequencies(const RotaryConfig& config,
                                                   std::int64_t headSize);

}  // namespace stagelane::checkpoint
