#pragma once

/// Running statistics over the whole batch (`batch_norm: deferred`): the forwards of a batch record
/// their statistics here, and the last one updates the running mean and variance once. Each
/// micro-batch is still normalized with its own statistics. One object per stage; not for
/// concurrent forwards.
/// @source torchgpipe, arXiv:2004.09910, section 3.2.4

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace stagelane::run {

/// The buffers of one batch norm, and its momentum.
struct NormBuffers {
  at::Tensor runningMean;
  at::Tensor runningVariance;
  at::Tensor batchesTracked;
  double momentum = 0.1;
};

class DeferredStatistics {
 public:
  explicit DeferredStatistics(int microBatches) : m_microBatches(microBatches) {}

  /// Records the `input` of a batch norm in the forward of the micro-batch that starts at
  /// `firstSample` of the batch. @shape input: [N, C, …]
  void see(std::size_t layer, const NormBuffers& buffers, std::int64_t firstSample,
           const at::Tensor& input);
  /// Ends a forward. The last one of a batch updates the buffers and resets the object.
  void endForward();

 private:
  /// Statistics of one batch norm input, per channel, in float64.
  struct Part {
    at::Tensor mean;
    at::Tensor squares;  ///< sum of the squared distances from that mean
    double count = 0.0;  ///< values per channel
  };
  struct Norm {
    NormBuffers buffers;
    /// By the micro-batch's first sample: one part for each use in the forward.
    std::map<std::int64_t, std::vector<Part>> parts;
  };

  static void update(const Norm& norm, std::size_t use);

  int m_microBatches;
  int m_ended = 0;
  std::map<std::size_t, Norm> m_norms;  ///< by layer
};

}  // namespace stagelane::run
