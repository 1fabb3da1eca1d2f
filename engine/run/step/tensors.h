#pragma once

/// Parameters and buffers of a range of blocks on one device, and the forward of those blocks with
/// `at::` operators: the execution half of "a model is data". Shared by the executor and by the
/// reference of the gradient check, and the only thing they share.

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/model/model.h"
#include "engine/plan/experiment.h"
#include "engine/run/step/batch_statistics.h"

namespace stagelane::run {

/// Initial parameters and buffers of a whole model, by full name, on the host: what
/// `torch.manual_seed(seed)` and torchvision's constructor draw, in float32 and then converted to
/// `dtype` (as `model.to(dtype)` does); integer buffers stay int64.
using InitialValues = std::unordered_map<std::string, at::Tensor>;
[[nodiscard]] InitialValues drawInitialValues(const model::Model& model, std::uint64_t seed,
                                              at::ScalarType dtype);

/// In the device's memory and in the layout that the model runs in; the tensor itself where it is
/// so already.
[[nodiscard]] at::Tensor placed(const at::Tensor& tensor, at::Device device,
                                plan::MemoryFormat format);

/// The tensors of one layer, in the order of `model::ownedTensors`.
struct LayerTensors {
  std::vector<at::Tensor> tensors;
};

/// Tensors of blocks [first, last]; parameters require grad. Tied parameters are one tensor here,
/// under the name of their first owner in the model, wherever in the stage they are used; another
/// stage that uses them has a copy of its own.
class StageTensors {
 public:
  StageTensors() = default;
  /// Copies the initial values to `device` (contiguous or channels_last).
  StageTensors(const model::Model& model, std::size_t firstBlock, std::size_t lastBlock,
               const InitialValues& values, at::Device device, plan::MemoryFormat format);

  [[nodiscard]] const LayerTensors& layer(std::size_t layerIndex) const;
  /// Each parameter once, in registration order of its first use here, with its full name (the
  /// first owner's, where it is tied).
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
  void add(const model::Model& model, std::size_t layerIndex, const InitialValues& values,
           const std::function<at::Tensor(const at::Tensor&)>& copy);

  std::unordered_map<std::size_t, LayerTensors> m_layers;
  std::vector<std::pair<std::string, at::Tensor>> m_parameters, m_buffers;
};

/// Called after each block of a forward with what the block puts out.
using AfterBlock = std::function<void(std::size_t block, const std::vector<at::Tensor>& boundary)>;

/// What a forward does beside computing its outputs, and what it depends on beside its inputs and
/// parameters.
struct ForwardMode {
  /// Layers behave as while training: batch norm normalises with the statistics of what it sees,
  /// and dropout drops. Off: as after PyTorch's `eval()`.
  bool training = true;
  /// Batch norm updates its running statistics (or leaves its own in `deferred`). Off where a
  /// forward is done a second time (recompute), which computes the same outputs and must leave no
  /// second trace.
  bool updateStatistics = true;
  /// What dropout drops follows from these three, the place of the layer in the model and the
  /// number of the sample in the batch, and from nothing else: a sample loses the same values in
  /// every schedule, in every split of the batch, and when its forward is done again.
  std::uint64_t seed = 0;
  std::int64_t step = 0;         ///< batch within the repeat
  std::int64_t firstSample = 0;  ///< of the inputs, within the batch
  /// What the operators compute in. bf16 runs the forward under autocast.
  plan::Precision precision = plan::Precision::Fp32;
  /// Where batch norm leaves its statistics, so that the running ones are updated once a batch;
  /// null: at once. Of one stage.
  DeferredStatistics* deferred = nullptr;
  AfterBlock afterBlock;
};

/// What the forwards of an experiment have in common: training or not, seed, precision.
[[nodiscard]] ForwardMode forwardModeOf(const plan::Experiment& experiment);

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
