#include "engine/run/step/batch_statistics.h"

#include <ATen/ops/var_mean.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

namespace stagelane::run {
namespace {

/// At least float32: bfloat16 is too imprecise for sums.
at::Tensor wideEnough(const at::Tensor& input) {
  const bool half = input.scalar_type() == at::kBFloat16 || input.scalar_type() == at::kHalf;
  return half ? input.detach().to(at::kFloat) : input.detach();
}

/// buffer = (1 - momentum) · buffer + momentum · value
void blend(at::Tensor buffer, const at::Tensor& value, double momentum) {
  buffer.copy_(buffer.to(at::kDouble).mul(1.0 - momentum).add(value, momentum));
}

}  // namespace

void DeferredStatistics::see(std::size_t layer, const NormBuffers& buffers,
                             std::int64_t firstSample, const at::Tensor& input) {
  const c10::AutoGradMode noGrad(false);
  std::vector<std::int64_t> all{0};
  for (std::int64_t dimension = 2; dimension < input.dim(); ++dimension) all.push_back(dimension);
  const auto [variance, mean] = at::var_mean(wideEnough(input), all, /*correction=*/0);
  const auto count = static_cast<double>(input.numel() / input.size(1));
  Norm& norm = m_norms[layer];
  norm.buffers = buffers;
  norm.parts[firstSample].push_back(
      {mean.to(at::kDouble), variance.to(at::kDouble).mul(count), count});
}

void DeferredStatistics::endForward() {
  if (++m_ended < m_microBatches) return;
  const c10::AutoGradMode noGrad(false);
  for (const auto& named : m_norms) {
    const Norm& norm = named.second;
    const std::size_t uses = norm.parts.begin()->second.size();
    for (std::size_t use = 0; use < uses; ++use) update(norm, use);
  }
  m_norms.clear();
  m_ended = 0;
}

/// Merges in the order of the micro-batches, independent of the order of their forwards, so that
/// every schedule gives the same bits. @source Chan, Golub and LeVeque, "Updating formulae and a
/// pairwise algorithm for computing sample variances" (1979): no difference of large squares.
void DeferredStatistics::update(const Norm& norm, std::size_t use) {
  double count = 0.0;
  at::Tensor sum = at::zeros_like(norm.parts.begin()->second.at(use).mean);
  for (const auto& [firstSample, uses] : norm.parts) {
    count += uses.at(use).count;
    sum.add_(uses.at(use).mean, uses.at(use).count);
  }
  const at::Tensor mean = sum.div(count);
  at::Tensor squares = at::zeros_like(mean);
  for (const auto& [firstSample, uses] : norm.parts) {
    const Part& part = uses.at(use);
    const at::Tensor distance = part.mean.sub(mean);
    squares.add_(part.squares).add_(distance.mul(distance), part.count);
  }
  blend(norm.buffers.runningMean, mean, norm.buffers.momentum);
  blend(norm.buffers.runningVariance, squares.div(count - 1.0), norm.buffers.momentum);
  at::Tensor(norm.buffers.batchesTracked).add_(1);
}

}  // namespace stagelane::run
