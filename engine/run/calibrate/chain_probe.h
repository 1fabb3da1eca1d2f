#pragma once

/// Trains the chain of a model, or a part of it, on one worker like a pipeline stage, and measures
/// each block: forwards by the clock between two blocks, backwards by the times at which gradients
/// arrive. Uses one autograd graph, so that the work equals that of a stage with several blocks.
/// Lives in its worker's thread.

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "engine/predict/cost_table.h"
#include "engine/run/calibrate/pass_times.h"
#include "engine/run/device/backend.h"
#include "engine/run/step/data.h"
#include "engine/run/step/optimizer.h"
#include "engine/run/step/tensors.h"

namespace stagelane::run {

/// Memory of one block at one size.
struct BlockBytes {
  Bytes saved = 0;      ///< kept from its forward to its backward
  Bytes temporary = 0;  ///< extra while it works
  Bytes output = 0;     ///< of its boundary
  predict::BlockMemory memory;
};

/// Thrown by the probe after a stop request.
struct ProbeStopped {};

class ChainProbe {
 public:
  /// Creates the chain's tensors. The references outlive it. May throw, as all of these.
  /// @thread the worker's, as all of these
  ChainProbe(const plan::Experiment& experiment, Backend& backend, const InitialValues& values,
             const Batch& batch, std::function<bool()> stopped);
  ~ChainProbe();
  ChainProbe(const ChainProbe&) = delete;
  ChainProbe& operator=(const ChainProbe&) = delete;

  struct Visit {
    std::vector<PassTimes> passes;
    std::vector<TimeNs> optimizer;  ///< by block
  };
  /// Runs two passes over micro-batches of this size, the second one's forward before the first
  /// one's backward, or one pass if a batch has only one micro-batch of that size. Then runs the
  /// optimizer.
  /// @pre `Halves`: the range does not begin with the first block, which has no input gradient
  [[nodiscard]] Visit visit(std::int64_t samples, BlockRange range, BackwardKind kind);
  /// Measures the memory of each block at that size in separate passes: the first of a step, a
  /// later one, and one with a split backward.
  [[nodiscard]] std::vector<BlockBytes> weigh(std::int64_t samples);
  /// Time of LOSS for this number of samples.
  [[nodiscard]] TimeNs lossOf(std::int64_t samples);

  [[nodiscard]] BlockRange whole() const { return {0, blocks() - 1}; }

 private:
  using Mark = std::shared_ptr<Marker>;
  struct Graph;
  struct Stamps;

  [[nodiscard]] std::vector<at::Tensor> inputsOf(std::int64_t samples, BlockRange range);
  [[nodiscard]] std::unique_ptr<Graph> forward(std::int64_t samples, BlockRange range);
  void watchBoundary(Graph& graph, std::size_t block, const std::vector<at::Tensor>& boundary);
  void weighBackward(Graph& graph, std::size_t block);
  void weighKept(Graph& graph) const;
  [[nodiscard]] std::unique_ptr<Graph> weighPass(std::int64_t samples, BlockRange range,
                                                 BackwardKind kind);
  void fillForward(const Graph& graph, std::vector<BlockBytes>& bytes) const;
  void fillBackward(const Graph& graph, std::vector<BlockBytes>& bytes) const;
  void fillHalves(const Graph& graph, std::vector<BlockBytes>& bytes) const;
  void backward(Graph& graph, BackwardKind kind);
  [[nodiscard]] PassTimes timesOf(const Graph& graph, BackwardKind kind) const;
  [[nodiscard]] std::vector<Mark> optimize();
  [[nodiscard]] at::Tensor outputFor(std::int64_t samples) const;
  [[nodiscard]] std::size_t blocks() const { return m_experiment.model->blocks.size(); }

  const plan::Experiment& m_experiment;
  Backend& m_backend;
  std::function<bool()> m_stopped;
  StageTensors m_tensors;
  std::vector<std::unique_ptr<Optimizer>> m_optimizers;  ///< by block
  at::Tensor m_input, m_target, m_output;
  /// By first block and samples: outputs of the previous block.
  std::map<std::pair<std::size_t, std::int64_t>, std::vector<at::Tensor>> m_boundaries;
  std::shared_ptr<Stamps> m_stamps;    ///< times of weight gradients; shared with hooks
  std::vector<Bytes> m_gradientBytes;  ///< by block: of its weights
  bool m_weighing = false;
};

}  // namespace stagelane::run
