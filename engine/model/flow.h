#pragma once

/// A model's forward at one input size as a flow of values through storages: which values alias,
/// and which storages autograd saves. Shapes, saved bytes and temporary bytes are derived from it.

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/model/shapes.h"

namespace stagelane::model::detail {

struct FlowStorage {
  Bytes bytes = 0;
  std::optional<std::size_t> savedBy;  ///< first block whose backward needs it
};

struct FlowValue {
  Shape shape;
  Bytes bytes = 0;
  std::size_t storage = 0;
  bool requiresGrad = false;
  bool isTokens = false;  ///< int64
};

/// A call with its values, numbered over the whole chain.
struct FlowCall {
  std::size_t block = 0;
  std::size_t call = 0;
  std::vector<std::size_t> inputs;
  std::size_t output = 0;
  std::int64_t macs = 0;
  Bytes savedBytes = 0;  ///< storages that this call is the first to save
  Bytes parameterBytes = 0;
  bool handsGradientOn = false;  ///< its backward passes the output's gradient on without a copy
  Bytes backwardScratch = 0;     ///< alive with the gradients of output and input
};

struct FlowBlock {
  std::vector<std::size_t> inputs, outputs;  ///< values
  std::size_t firstCall = 0, endCall = 0;    ///< range in Flow::calls
  Bytes overwrittenInput = 0;                ///< input that a call of the block writes to
};

struct Flow {
  std::vector<FlowStorage> storages;
  std::vector<FlowValue> values;
  std::vector<FlowCall> calls;
  std::vector<FlowBlock> blocks;
};

/// @errors Invalid: an input does not fit a layer, an in-place layer overwrites what backward
/// needs, or the sizes overflow 64 bits
[[nodiscard]] Result<Flow> traceFlow(const Model& model, const Shape& input, DType dtype);

/// Largest additional memory of a block during forward or backward, beyond what is saved.
[[nodiscard]] Bytes temporaryBytes(const Flow& flow, const FlowBlock& block);

}  // namespace stagelane::model::detail
