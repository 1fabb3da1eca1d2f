#pragma once

/// Trains the chain of a model, or a part of it, on one worker as a pipeline's stage would, and
/// says what each block of it took: forwards between two blocks by the clock, backwards by the
/// moments at which gradients are there. One autograd graph, so that nothing is measured that a
/// stage of several blocks would not do. Lives in its worker's thread.

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

/// What the probe throws when it was asked to stop.
struct ProbeStopped {};

class ChainProbe {
 public:
  /// Makes the chain's tensors. The references outlive it. May throw, as all of these.
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
  /// Passes over micro-batches of so many samples, the second one's forward before the first one's
  /// backward; one pass alone where a batch has no two of that size. Then the optimizer's update.
  /// @pre `Halves`: the range does not begin with the first block, which has no input gradient
  [[nodiscard]] Visit visit(std::int64_t samples, BlockRange range, BackwardKind kind);
  /// The memory of each block at that size, of passes by themselves: the first one of a step, a
  /// later one, and one whose backward comes in halves.
  [[nodiscard]] std::vector<BlockBytes> weigh(std::int64_t samples);
  /// What LOSS takes for so many samples.
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
  /// By first block and samples: what the block before puts out.
  std::map<std::pair<std::size_t, std::int64_t>, std::vector<at::Tensor>> m_boundaries;
  std::shared_ptr<Stamps> m_stamps;    ///< when weights' gradients were there; shared with hooks
  std::vector<Bytes> m_gradientBytes;  ///< by block: of its weights
  bool m_weighing = false;
};

}  // namespace stagelane::run
