#include "engine/run/step/batch_statistics.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "engine/run/step/tensors.h"

namespace stagelane::run {
namespace {

constexpr std::int64_t kChannels = 3;

NormBuffers buffers(at::ScalarType dtype = at::kDouble) {
  return {at::zeros({kChannels}, dtype), at::ones({kChannels}, dtype), at::zeros({}, at::kLong),
          0.1};
}

/// A batch of 8 with a mean far from 0, where differences of large squares would lose digits.
at::Tensor batch(at::ScalarType dtype = at::kDouble) {
  return at::randn({8, kChannels, 2, 5}, at::TensorOptions(at::kDouble)).add(1000.0).to(dtype);
}

/// Result of PyTorch's batch norm for the undivided batch.
NormBuffers undivided(const at::Tensor& whole) {
  NormBuffers own = buffers(whole.scalar_type());
  static_cast<void>(at::batch_norm(whole, {}, {}, own.runningMean, own.runningVariance,
                                   /*training=*/true, own.momentum, 1e-5, true));
  return own;
}

/// Passes the pieces of a batch in the given order.
void see(DeferredStatistics& statistics, const NormBuffers& own, const at::Tensor& whole,
         const std::vector<std::pair<std::int64_t, std::int64_t>>& pieces) {
  for (const auto& [first, size] : pieces) {
    statistics.see(0, own, first, whole.narrow(0, first, size));
    statistics.endForward();
  }
}

void expectNear(const at::Tensor& ours, const at::Tensor& theirs, double tolerance) {
  EXPECT_LE(((ours - theirs) / theirs).abs().max().item<double>(), tolerance);
}

TEST(DeferredStatistics, AreThoseOfTheUndividedBatchWithAnUnevenTail) {
  const at::Tensor whole = batch();
  const NormBuffers own = buffers();
  DeferredStatistics statistics(3);
  see(statistics, own, whole, {{0, 3}, {3, 3}, {6, 2}});
  const NormBuffers expected = undivided(whole);
  expectNear(own.runningMean, expected.runningMean, 1e-12);
  expectNear(own.runningVariance, expected.runningVariance, 1e-12);
  EXPECT_EQ(own.batchesTracked.item<std::int64_t>(), 1);
}

TEST(DeferredStatistics, ChangeNothingBeforeTheLastMicroBatch) {
  const NormBuffers own = buffers();
  DeferredStatistics statistics(2);
  see(statistics, own, batch(), {{0, 4}});
  EXPECT_TRUE(at::equal(own.runningMean, at::zeros({kChannels}, at::kDouble)));
  EXPECT_EQ(own.batchesTracked.item<std::int64_t>(), 0);
}

TEST(DeferredStatistics, HaveTheSameBitsInEveryOrderOfTheMicroBatches) {
  const at::Tensor whole = batch(at::kFloat);
  const NormBuffers forwards = buffers(at::kFloat);
  const NormBuffers backwards = buffers(at::kFloat);
  DeferredStatistics first(3);
  DeferredStatistics second(3);
  see(first, forwards, whole, {{0, 3}, {3, 3}, {6, 2}});
  see(second, backwards, whole, {{6, 2}, {3, 3}, {0, 3}});
  EXPECT_TRUE(at::equal(forwards.runningMean, backwards.runningMean));
  EXPECT_TRUE(at::equal(forwards.runningVariance, backwards.runningVariance));
}

TEST(DeferredStatistics, BeginAnewWithEveryBatch) {
  const at::Tensor one = batch();
  const at::Tensor two = batch();
  const NormBuffers own = buffers();
  DeferredStatistics statistics(2);
  see(statistics, own, one, {{0, 4}, {4, 4}});
  see(statistics, own, two, {{0, 4}, {4, 4}});
  NormBuffers expected = undivided(one);
  static_cast<void>(at::batch_norm(two, {}, {}, expected.runningMean, expected.runningVariance,
                                   true, 0.1, 1e-5, true));
  expectNear(own.runningMean, expected.runningMean, 1e-12);
  EXPECT_EQ(own.batchesTracked.item<std::int64_t>(), 2);
}

TEST(DeferredStatistics, UpdateOnceForEachUseOfABatchNorm) {
  const at::Tensor whole = batch();
  const NormBuffers own = buffers();
  DeferredStatistics statistics(2);
  for (const std::int64_t first : {0, 4}) {
    statistics.see(0, own, first, whole.narrow(0, first, 4));
    statistics.see(0, own, first, whole.narrow(0, first, 4));
    statistics.endForward();
  }
  EXPECT_EQ(own.batchesTracked.item<std::int64_t>(), 2);
}

TEST(DeferredStatistics, OfABatchNormInAModelLeaveItsOutputsAlone) {
  model::Model model;
  model.layers.push_back({"norm", model::BatchNorm2d{kChannels}});
  model::Block block;
  block.name = "norm";
  block.layers = {0};
  block.calls = {{model::CallKind::Layer, 0, {0}}};
  block.outputs = {1};
  model.blocks.push_back(block);
  const InitialValues values{{"norm.weight", at::ones({kChannels}, at::kDouble)},
                             {"norm.bias", at::zeros({kChannels}, at::kDouble)},
                             {"norm.running_mean", at::zeros({kChannels}, at::kDouble)},
                             {"norm.running_var", at::ones({kChannels}, at::kDouble)},
                             {"norm.num_batches_tracked", at::zeros({}, at::kLong)}};
  const auto tensors = [&] {
    return StageTensors(model, 0, 0, values, at::kCPU, plan::MemoryFormat::Contiguous);
  };
  const StageTensors deferred = tensors();
  const StageTensors running = tensors();
  const at::Tensor whole = batch();
  DeferredStatistics statistics(2);
  ForwardMode mode;
  mode.deferred = &statistics;
  for (const std::int64_t first : {0, 4}) {
    mode.firstSample = first;
    const at::Tensor piece = whole.narrow(0, first, 4);
    const at::Tensor output = runBlocks(model, 0, 0, deferred, {piece}, mode).at(0);
    EXPECT_TRUE(at::equal(output, runBlocks(model, 0, 0, running, {piece}).at(0)));
    mode.updateStatistics = false;  // as recompute does it again
    EXPECT_TRUE(at::equal(output, runBlocks(model, 0, 0, deferred, {piece}, mode).at(0)));
    mode.updateStatistics = true;
  }
  const std::vector<at::Tensor>& own = deferred.layer(0).tensors;
  expectNear(own[2], undivided(whole).runningMean, 1e-12);
  expectNear(own[3], undivided(whole).runningVariance, 1e-12);
  EXPECT_EQ(own[4].item<std::int64_t>(), 1);
  EXPECT_EQ(running.layer(0).tensors[4].item<std::int64_t>(), 2);
}

}  // namespace
}  // namespace stagelane::run
