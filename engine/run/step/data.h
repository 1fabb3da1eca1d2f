#pragma once

/// Synthetic data (docs/reference/experiment.md, "Synthetic data"): a generator seeded with seed +
/// 1; per batch `randn` inputs (tokens: `random_(0, vocabulary)`); one-hot or class indices by
/// `random_(0, classes)` once per repeat; `normal` labels by `randn` after the batch's inputs.
/// Numbers are drawn in float32 and converted, so that the data is the same in every dtype.

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include "engine/plan/experiment.h"

namespace stagelane::run {

/// The tensor type of the experiment.
[[nodiscard]] at::ScalarType scalarType(const plan::Experiment& experiment);

struct Batch {
  at::Tensor input;   ///< @shape [batch, …], host; int64 for a model that takes tokens
  at::Tensor target;  ///< one_hot and normal: [batch, (rows,) classes] float; class: [batch,
                      ///< (rows)] int64; host
};

/// Generates the batches of a repeat in sequence on the host.
class SyntheticData {
 public:
  SyntheticData(const plan::Experiment& experiment, at::ScalarType dtype);
  /// Starts a repeat; every repeat and variant gets the same data.
  void startRepeat();
  /// The last batch of a repeat may be smaller (`samples`).
  [[nodiscard]] Batch next();

 private:
  const plan::Experiment& m_experiment;
  at::ScalarType m_dtype;
  at::Generator m_generator;
  at::Tensor m_classes;     ///< drawn once per repeat
  std::int64_t m_left = 0;  ///< samples of the repeat
};

/// Loss of one micro-batch, scaled so that the losses of a batch sum to the mean over the whole
/// batch, even with an uneven tail. `target` and `output` have the same first dimension.
[[nodiscard]] at::Tensor scaledLoss(plan::LossKind kind, const at::Tensor& output,
                                    const at::Tensor& target, std::int64_t batchSize);

}  // namespace stagelane::run
