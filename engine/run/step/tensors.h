#pragma once

/// Parameters and buffers of a range of blocks on one device, and the forward of those blocks with
/// `at::` operators. The executor and the reference of the gradient check share this code, and
/// nothing else.

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/model/model.h"
#include "engine/plan/experiment.h"
#include "engine/run/step/batch_statistics.h"

namespace stagelane::run {

/// Initial parameters and buffers of a whole model, by full name, on the host: drawn as
/// `torch.manual_seed(seed)` and torchvision's constructor do, in float32, then converted to
/// `dtype` (like `model.to(dtype)`); integer buffers stay int64.
using InitialValues = std::unordered_map<std::string, at::Tensor>;
[[nodiscard]] InitialValues drawInitialValues(const model::Model& model, std::uint64_t seed,
                                              at::ScalarType dtype);

/// The tensor in the device's memory and in the model's layout; the same tensor if it already is.
[[nodiscard]] at::Tensor placed(const at::Tensor& tensor, at::Device device,
                                plan::MemoryFormat format);

/// The tensors of one layer, in the order of `model::ownedTensors`.
struct LayerTensors {
  std::vector<at::Tensor> tensors;
};

/// Tensors of blocks [first, last]; parameters require grad. Tied parameters are one tensor within
/// a stage, under the name of their first owner in the model; each other stage that uses them has a
/// separate copy.
class StageTensors {
 public:
  StageTensors() = default;
  /// Copies the initial values to `device` (contiguous or channels_last).
  StageTensors(const model::Model& model, std::size_t firstBlock, std::size_t lastBlock,
               const InitialValues& values, at::Device device, plan::MemoryFormat format);
  /// Uses the tensors themselves, without a copy: what others do to their memory shows here.
  [[nodiscard]] static StageTensors over(const model::Model& model, std::size_t firstBlock,
                                         std::size_t lastBlock, const InitialValues& tensors);

  [[nodiscard]] const LayerTensors& layer(std::size_t layerIndex) const;
  /// Each parameter once, in registration order of its first use here, with its full name (the
  /// first owner's if it is tied).
  [[nodiscard]] const std::vector<std::pair<std::string, at::Tensor>>& parameters() const {
    return m_parameters;
  }
  [[nodiscard]] const std::vector<std::pair<std::string, at::Tensor>>& buffers() const {
    return m_buffers;
  }
  /// Restores the initial values in place and drops the gradients.
  void reset(const InitialValues& values);
  [[nodiscard]] std::int64_t bytes() const;

 private:
  using Copy = std::function<at::Tensor(const at::Tensor&)>;
  void addBlocks(const model::Model& model, std::size_t firstBlock, std::size_t lastBlock,
                 const InitialValues& values, const Copy& copy);
  void add(const model::Model& model, std::size_t layerIndex, const InitialValues& values,
           const Copy& copy);

  std::unordered_map<std::size_t, LayerTensors> m_layers;
  std::vector<std::pair<std::string, at::Tensor>> m_parameters, m_buffers;
};

/// Called after each block of a forward with the block's outputs.
using AfterBlock = std::function<void(std::size_t block, const std::vector<at::Tensor>& boundary)>;

/// Side effects of a forward, and its inputs besides data and parameters.
struct ForwardMode {
  /// Training behavior: batch norm uses the statistics of its input, and dropout is active. Off: as
  /// after PyTorch's `eval()`.
  bool training = true;
  /// Batch norm updates its running statistics (or records them in `deferred`). Off for a second
  /// forward (recompute), which must not update them again.
  bool updateStatistics = true;
  /// Dropout masks depend only on these three, the position of the layer in the model and the
  /// sample's index in the batch. A sample therefore has the same masks in every schedule, in every
  /// split of the batch, and in recomputation.
  std::uint64_t seed = 0;
  std::int64_t step = 0;         ///< batch within the repeat
  std::int64_t firstSample = 0;  ///< of the inputs, within the batch
  /// Those of the experiment: if they are not alike, the host draws the masks for all of them.
  /// Null: each device draws its own.
  const std::vector<plan::DeviceSpec>* devices = nullptr;
  /// Arithmetic of the operators. bf16 runs the forward under autocast.
  plan::Precision precision = plan::Precision::Fp32;
  /// Collects a stage's batch norm statistics for one update per batch; null: immediate updates.
  DeferredStatistics* deferred = nullptr;
  AfterBlock afterBlock;
};

/// The common mode of an experiment's forwards: training or not, seed, precision.
[[nodiscard]] ForwardMode forwardModeOf(const plan::Experiment& experiment);

/// Forward of blocks [first, last] on the tensors' device. `inputs` are the boundary tensors, which
/// are not modified. May throw c10::Error (callers catch).
/// @thread the calling thread's streams, grad mode and thread count
[[nodiscard]] std::vector<at::Tensor> runBlocks(const model::Model& model, std::size_t firstBlock,
                                                std::size_t lastBlock, const StageTensors& tensors,
                                                std::vector<at::Tensor> inputs,
                                                const ForwardMode& mode = {});

/// Checks that torch::nn would perform (batch norm over one value per channel is error 3).
[[nodiscard]] Status checkTrainable(const model::Model& model, const model::Shape& microBatchInput);

}  // namespace stagelane::run
