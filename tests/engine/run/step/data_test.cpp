#include "engine/run/step/data.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace stagelane::run {
namespace {

plan::Experiment experiment(plan::Labels labels, std::int64_t classes = 10) {
  auto model = std::make_shared<model::Model>();
  model->classes = classes;
  plan::Experiment result;
  result.model = model;
  result.input = {3, 4, 5};
  result.data.labels = labels;
  result.data.batchSize = 6;
  result.data.batches = 3;
  result.data.seed = 41;
  return result;
}

at::Generator seeded(std::uint64_t seed) { return at::make_generator<at::CPUGeneratorImpl>(seed); }

TEST(SyntheticData, OneHotRowsHaveOneOneAtTheDrawnClass) {
  const auto what = experiment(plan::Labels::OneHot);
  SyntheticData data(what, at::kFloat);
  const Batch batch = data.next();
  EXPECT_EQ(batch.input.sizes(), (at::IntArrayRef{6, 3, 4, 5}));
  EXPECT_EQ(batch.target.sizes(), (at::IntArrayRef{6, 10}));
  EXPECT_EQ(batch.target.scalar_type(), at::kFloat);
  EXPECT_TRUE((batch.target.sum(1) == 1).all().item<bool>());
  EXPECT_EQ((batch.target == 1).sum().item<std::int64_t>(), 6);
  auto generator = seeded(42);
  const at::Tensor classes = at::empty({6}, at::kLong).random_(0, 10, generator);
  EXPECT_TRUE(at::equal(batch.target.argmax(1), classes));
}

plan::Experiment onTokens(plan::Labels labels) {
  auto model = std::make_shared<model::Model>();
  model->classes = 10;
  model->vocabulary = 7;
  plan::Experiment result = experiment(labels);
  result.model = model;
  result.input = result.outputRows = {5};
  return result;
}

TEST(SyntheticData, TokensAreDrawnFromTheVocabularyAndEveryPositionHasAClass) {
  const auto what = onTokens(plan::Labels::ClassIndex);
  SyntheticData data(what, at::kDouble);
  const Batch batch = data.next();
  auto generator = seeded(42);
  EXPECT_TRUE(at::equal(batch.target, at::empty({6, 5}, at::kLong).random_(0, 10, generator)));
  EXPECT_TRUE(at::equal(batch.input, at::empty({6, 5}, at::kLong).random_(0, 7, generator)));
}

TEST(SyntheticData, LabelsOfEveryPositionHaveTheOutputsShape) {
  const auto oneHot = onTokens(plan::Labels::OneHot);
  const at::Tensor target = SyntheticData(oneHot, at::kDouble).next().target;
  EXPECT_EQ(target.sizes(), (at::IntArrayRef{6, 5, 10}));
  EXPECT_TRUE((target.sum(-1) == 1).all().item<bool>());
  const auto normal = onTokens(plan::Labels::Normal);
  EXPECT_EQ(SyntheticData(normal, at::kDouble).next().target.sizes(), (at::IntArrayRef{6, 5, 10}));
}

TEST(ScaledLoss, OfPositionsIsTheMeanOverAllOfThem) {
  const at::Tensor output = at::randn({6, 5, 10}, at::kDouble);
  const at::Tensor classes = at::empty({6, 5}, at::kLong).random_(0, 10);
  const at::Tensor oneHot =
      at::zeros({6, 5, 10}, at::kDouble).scatter_(-1, classes.unsqueeze(-1), 1.0);
  const at::Tensor mean = at::cross_entropy_loss(output.flatten(0, 1), classes.flatten());
  for (const at::Tensor& target : {classes, oneHot}) {
    at::Tensor sum = at::zeros({}, at::kDouble);
    for (const auto& [begin, size] : {std::pair{0, 4}, std::pair{4, 2}}) {
      sum += scaledLoss(plan::LossKind::CrossEntropy, output.narrow(0, begin, size),
                        target.narrow(0, begin, size), 6);
    }
    EXPECT_LE((sum - mean).abs().item<double>(), 1e-14);
  }
}

TEST(SyntheticData, TheSeedPinsTheFirstClasses) {
  // torch.Generator().manual_seed(1): torch.empty(8, dtype=torch.int64).random_(0, 1000)
  auto what = experiment(plan::Labels::ClassIndex, 1000);
  what.data.seed = 0;
  what.data.batchSize = 8;
  const at::Tensor target = SyntheticData(what, at::kFloat).next().target;
  std::vector<std::int64_t> classes(target.const_data_ptr<std::int64_t>(),
                                    target.const_data_ptr<std::int64_t>() + 8);
  EXPECT_EQ(classes, (std::vector<std::int64_t>{845, 139, 124, 368, 263, 313, 491, 341}));
}

TEST(SyntheticData, InputsFollowTheClassesOnOneGenerator) {
  const auto what = experiment(plan::Labels::ClassIndex);
  SyntheticData data(what, at::kFloat);
  auto generator = seeded(42);
  static_cast<void>(at::empty({6}, at::kLong).random_(0, 10, generator));
  for (int i = 0; i < 3; ++i) {
    const at::Tensor expected = at::randn({6, 3, 4, 5}, generator, at::TensorOptions(at::kFloat));
    EXPECT_TRUE(at::equal(data.next().input, expected)) << "batch " << i;
  }
}

TEST(SyntheticData, ClassesStayTheSameWithinARepeatAndInputsDoNot) {
  const auto what = experiment(plan::Labels::ClassIndex);
  SyntheticData data(what, at::kFloat);
  const Batch first = data.next();
  const Batch second = data.next();
  EXPECT_TRUE(at::equal(first.target, second.target));
  EXPECT_FALSE(at::equal(first.input, second.input));
}

TEST(SyntheticData, EveryRepeatSeesTheSame) {
  for (const auto labels : {plan::Labels::OneHot, plan::Labels::ClassIndex, plan::Labels::Normal}) {
    const auto what = experiment(labels);
    SyntheticData data(what, at::kFloat);
    const Batch first = data.next();
    static_cast<void>(data.next());
    data.startRepeat();
    const Batch again = data.next();
    EXPECT_TRUE(at::equal(first.input, again.input));
    EXPECT_TRUE(at::equal(first.target, again.target));
  }
}

TEST(SyntheticData, NormalLabelsAreDrawnAfterTheInputs) {
  const auto what = experiment(plan::Labels::Normal);
  const Batch batch = SyntheticData(what, at::kFloat).next();
  auto generator = seeded(42);
  const at::TensorOptions options(at::kFloat);
  EXPECT_TRUE(at::equal(batch.input, at::randn({6, 3, 4, 5}, generator, options)));
  EXPECT_TRUE(at::equal(batch.target, at::randn({6, 10}, generator, options)));
}

TEST(SyntheticData, Float64IsTheSameDataWidened) {
  const auto what = experiment(plan::Labels::OneHot);
  const Batch narrow = SyntheticData(what, at::kFloat).next();
  const Batch wide = SyntheticData(what, at::kDouble).next();
  EXPECT_EQ(wide.input.scalar_type(), at::kDouble);
  EXPECT_TRUE(at::equal(wide.input, narrow.input.to(at::kDouble)));
  EXPECT_TRUE(at::equal(wide.target, narrow.target.to(at::kDouble)));
}

TEST(SyntheticData, OneClassAndOneSampleAreFine) {
  auto what = experiment(plan::Labels::OneHot, 1);
  what.data.batchSize = 1;
  const Batch batch = SyntheticData(what, at::kFloat).next();
  EXPECT_EQ(batch.target.item<float>(), 1.0F);
}

/// The sum of the losses of micro-batches of `split` samples.
double sumOfParts(plan::LossKind kind, const at::Tensor& output, const at::Tensor& target,
                  std::int64_t split) {
  double sum = 0;
  for (std::int64_t begin = 0; begin < output.size(0); begin += split) {
    const std::int64_t size = std::min(split, output.size(0) - begin);
    sum += scaledLoss(kind, output.narrow(0, begin, size), target.narrow(0, begin, size),
                      output.size(0))
               .item<double>();
  }
  return sum;
}

TEST(ScaledLoss, MicroBatchesSumToTheMeanAlsoWithAnUnevenTail) {
  auto generator = seeded(1);
  const at::TensorOptions options(at::kDouble);
  const at::Tensor output = at::randn({10, 4}, generator, options);
  const at::Tensor target = at::randn({10, 4}, generator, options);
  const double mean = at::mse_loss(output, target).item<double>();
  for (const std::int64_t split : {1, 3, 4, 5, 10}) {
    EXPECT_NEAR(sumOfParts(plan::LossKind::MeanSquaredError, output, target, split), mean, 1e-14);
  }
}

TEST(ScaledLoss, CrossEntropyTakesClassesAndOneHotRows) {
  auto generator = seeded(1);
  const at::Tensor output = at::randn({10, 4}, generator, at::TensorOptions(at::kDouble));
  const at::Tensor classes = at::empty({10}, at::kLong).random_(0, 4, generator);
  const at::Tensor oneHot = at::zeros({10, 4}, at::kDouble).scatter_(1, classes.unsqueeze(1), 1.0);
  const double mean = at::cross_entropy_loss(output, classes).item<double>();
  for (const std::int64_t split : {1, 3, 10}) {
    EXPECT_NEAR(sumOfParts(plan::LossKind::CrossEntropy, output, classes, split), mean, 1e-14);
    EXPECT_NEAR(sumOfParts(plan::LossKind::CrossEntropy, output, oneHot, split), mean, 1e-14);
  }
}

TEST(ScaledLoss, ItsGradientsOfMicroBatchesAreThoseOfTheWhole) {
  auto generator = seeded(1);
  const at::TensorOptions options(at::kDouble);
  const at::Tensor target = at::randn({5, 3}, generator, options);
  const at::Tensor whole = at::randn({5, 3}, generator, options).requires_grad_();
  at::mse_loss(whole, target).backward();
  const at::Tensor parts = whole.detach().clone().requires_grad_();
  for (const auto& [begin, size] : {std::pair{0, 2}, {2, 2}, {4, 1}}) {
    scaledLoss(plan::LossKind::MeanSquaredError, parts.narrow(0, begin, size),
               target.narrow(0, begin, size), 5)
        .backward();
  }
  EXPECT_LE((parts.grad() - whole.grad()).abs().max().item<double>(), 1e-16);
}

}  // namespace
}  // namespace stagelane::run
