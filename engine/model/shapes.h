#pragma once

/// Shape inference and static costs of a model, without torch: output shapes, multiply-accumulates,
/// parameter, activation and saved bytes, per call and per block. All sums are int64 (a resnet152
/// at 224² exceeds 2³²). Byte counts depend on the given dtype.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/model/model.h"

namespace stagelane::model {

enum class DType { Float32, Float64, BFloat16 };
[[nodiscard]] std::int64_t bytesPerElement(DType dtype);

/// One call of a block with its shapes. @shape batch first
struct CallShape {
  std::size_t block = 0;
  std::size_t call = 0;  ///< index into Block::calls
  std::vector<Shape> inputs;
  Shape output;
  std::int64_t macs = 0;  ///< conv: out elements × inC/groups × kh × kw; linear: out elements × in
  Bytes outputBytes = 0;  ///< of the output, even if it shares storage with an input
  Bytes savedBytes = 0;   ///< storages that this call is the first to save for backward
};

/// A parameter that a block uses but that is counted in another block (Model::ties).
struct BorrowedParameter {
  std::string owner;  ///< full name of the owning tensor
  std::size_t ownerBlock = 0;
  Bytes bytes = 0;
};

/// Static figures of a block at the given batch size.
struct BlockCost {
  std::vector<Shape> outputShapes;  ///< boundary tensors, batch first
  std::int64_t parameters = 0;      ///< elements; a tied tensor counts in its owner's block only
  std::int64_t bufferElements = 0;
  std::int64_t macs = 0;  ///< forward
  Bytes parameterBytes = 0;
  Bytes bufferBytes = 0;
  Bytes outputBytes = 0;      ///< what crosses a stage boundary after this block
  Bytes activationBytes = 0;  ///< sum of all call outputs
  Bytes inputBytes = 0;       ///< boundary inputs
  /// Saved by autograd from forward to backward. Each storage counts once over the chain, in the
  /// first block that saves it.
  Bytes savedBytes = 0;
  /// Additional bytes of a stage beginning with this block: its input outside savedBytes.
  Bytes stageInputBytes = 0;
  Bytes temporaryBytes = 0;  ///< largest extra in forward or backward (docs/reference/models.md)
  std::vector<BorrowedParameter> borrowed;
};

struct ModelShapes {
  Shape input;                    ///< with the batch
  std::vector<CallShape> calls;   ///< execution order over all blocks
  std::vector<BlockCost> blocks;  ///< one per block
};

/// Does not check training rules beyond shapes (batch norm over one value per channel).
/// @shape `input` has the batch first. @errors Invalid, naming the layer whose input does not fit
[[nodiscard]] Result<ModelShapes> inferShapes(const Model& model, const Shape& input, DType dtype);

/// Bytes that a device needs in one training step for a set of blocks.
struct MemoryNeed {
  Bytes parameters = 0;
  Bytes gradients = 0;
  Bytes optimizer = 0;  ///< state tensors per parameter × parameter bytes
  Bytes buffers = 0;
  Bytes activations = 0;  ///< (saved bytes + input of each stage) × live micro-batches
  Bytes temporary = 0;
  [[nodiscard]] Bytes total() const {
    return parameters + gradients + optimizer + buffers + activations + temporary;
  }
};
/// `perMicroBatch` is inferShapes at the micro-batch's size. `blocks` are ascending indices into
/// it; each run of consecutive ones is a stage. A stage has its own copy of a tied parameter whose
/// owner is in another stage. `optimizerStates`: 0 for plain SGD, 1 with momentum, 2 for Adam.
[[nodiscard]] MemoryNeed memoryNeed(const ModelShapes& perMicroBatch,
                                    const std::vector<std::size_t>& blocks,
                                    std::int64_t liveMicroBatches, int optimizerStates);

}  // namespace stagelane::model
