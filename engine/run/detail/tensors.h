#pragma once

/// Parameters and buffers of a range of blocks on one device, and the forward of those blocks with
/// `at::` operators: the execution half of "a model is data". Shared by the executor and by the
/// reference of the gradient check, and the only thing they share.

#include <ATen/core/Tensor.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/model/model.h"
#include "engine/plan/experiment.h"

namespace stagelane::run {

/// Initial parameters and buffers of a whole model, by full name, on the host: what
/// `torch.manual_seed(seed)` and torchvision's constructor draw, in float32 and then converted to
/// `dtype` (as `model.to(dtype)` does); integer buffers stay int64.
using InitialValues = std::unordered_map<std::string, at::Tensor>;
[[nodiscard]] InitialValues drawInitialValues(const model::Model& model, std::uint64_t seed,
                                              at::ScalarType dtype);

/// The tensors of one layer, in the order of `model::ownedTensors`.
struct LayerTensors {
  std::vector<at::Tensor> tensors;
};

/// Tensors of blocks [first, last]; parameters require grad.
class StageTensors {
 public:
  StageTensors() = default;
  /// Copies the initial values to `device` (contiguous or channels_last).
  StageTensors(const model::Model& model, std::size_t firstBlock, std::size_t lastBlock,
               const InitialValues& values, at::Device device, plan::MemoryFormat format);

  [[nodiscard]] const LayerTensors& layer(std::size_t layerIndex) const;
  /// Parameters in registration order with their full names.
  [[nodiscard]] const std::vector<std::pair<std::string, at::Tensor>>& parameters() const {
    return m_parameters;
  }
  [[nodiscard]] const std::vector<std::pair<std::string, at::Tensor>>& buffers() const {
    return m_buffers;
  }
  /// Writes the initial values back in place and drops the gradients.
  void reset(const InitialValues& values);
  [[nodiscard]] std::int64_t bytes() const;

 private:
  std::unordered_map<std::size_t, LayerTensors> m_layers;
  std::vector<std::pair<std::string, at::Tensor>> m_parameters, m_buffers;
};

/// What a forward does beside computing its outputs.
struct ForwardMode {
  /// Layers behave as while training: batch norm normalises with the statistics of what it sees.
  /// Off: as after PyTorch's `eval()`, with the running statistics.
  bool training = true;
  /// Batch norm updates its running statistics. Off where a forward is done a second time
  /// (recompute), which computes the same outputs and must leave no second trace.
  bool updateStatistics = true;
};

/// Forward of blocks [first, last] on the tensors' device. `inputs` are the boundary tensors; none
/// of them is written to. May throw c10::Error (callers catch).
/// @thread the calling thread's streams, grad mode and thread count
[[nodiscard]] std::vector<at::Tensor> runBlocks(const model::Model& model, std::size_t firstBlock,
                                                std::size_t lastBlock, const StageTensors& tensors,
                                                std::vector<at::Tensor> inputs,
                                                const ForwardMode& mode = {});

/// Checks that torch::nn would have done (batch norm over one value per channel is error 3).
[[nodiscard]] Status checkTrainable(const model::Model& model, const model::Shape& microBatchInput);

}  // namespace stagelane::run
