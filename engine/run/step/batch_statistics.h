#pragma once

/// Running statistics as if the micro-batches of a batch were one (`batch_norm: deferred`): the
/// forwards of a batch leave their statistics here, and the last one updates the running mean and
/// variance once, with those of the whole batch. What a micro-batch is normalised with stays its
/// own. One object for each stage; not for two forwards at once.
/// @source torchgpipe, arXiv:2004.09910, section 3.2.4

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace stagelane::run {

/// The buffers of one batch norm, and how much of a new value they take.
struct NormBuffers {
  at::Tensor runningMean;
  at::Tensor runningVariance;
  at::Tensor batchesTracked;
  double momentum = 0.1;
};

class DeferredStatistics {
 public:
  explicit DeferredStatistics(int microBatches) : m_microBatches(microBatches) {}

  /// A batch norm sees `input` in the forward of the micro-batch that begins with `firstSample` of
  /// the batch. @shape input: [N, C, …]
  void see(std::size_t layer, const NormBuffers& buffers, std::int64_t firstSample,
           const at::Tensor& input);
  /// A forward has ended. The last of a batch updates the buffers and forgets the batch.
  void endForward();

 private:
  /// What one batch norm saw of one micro-batch, per channel, in float64.
  struct Part {
    at::Tensor mean;
    at::Tensor squares;  ///< sum of the squared distances from that mean
    double count = 0.0;  ///< values a channel
  };
  struct Norm {
    NormBuffers buffers;
    /// By the micro-batch's first sample: one for each use in the forward.
    std::map<std::int64_t, std::vector<Part>> parts;
  };

  static void update(const Norm& norm, std::size_t use);

  int m_microBatches;
  int m_ended = 0;
  std::map<std::size_t, Norm> m_norms;  ///< by layer
};

}  // namespace stagelane::run
