#include "engine/run/step/tensors.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros_like.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace stagelane::run {
namespace {

using ::testing::HasSubstr;

model::ModelPtr zoo(const std::string& name) {
  auto made = model::modelFromArgument(name);
  EXPECT_TRUE(made) << describe(made.error());
  return *made;
}

/// A chain with one block per layer.
model::Model chain(const std::vector<model::LayerSpec>& specs) {
  model::Model result;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string name = "l" + std::to_string(i);
    result.layers.push_back({name, specs[i]});
    model::ModuleNode leaf;
    leaf.name = leaf.path = name;
    leaf.className = model::className(specs[i]);
    leaf.layer = i;
    result.root.children.push_back(leaf);
    model::Block block;
    block.name = name;
    block.layers = {i};
    block.calls = {{model::CallKind::Layer, i, {0}}};
    block.outputs = {1};
    result.blocks.push_back(block);
  }
  return result;
}

/// The blocks [first, last] of a model with values drawn from seed 0.
StageTensors stage(const model::Model& model, std::size_t first, std::size_t last,
                   plan::MemoryFormat format = plan::MemoryFormat::Contiguous,
                   at::ScalarType dtype = at::kFloat) {
  return {model, first, last, drawInitialValues(model, 0, dtype), at::kCPU, format};
}

StageTensors whole(const model::Model& model) { return stage(model, 0, model.blocks.size() - 1); }

at::Tensor run(const model::Model& model, std::size_t first, std::size_t last,
               const StageTensors& tensors, const at::Tensor& input) {
  return runBlocks(model, first, last, tensors, {input}).at(0);
}

using Named = std::vector<std::pair<std::string, at::Tensor>>;

void expectSameGradients(const Named& ours, const Named& theirs, std::size_t offset) {
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ASSERT_EQ(ours[i].first, theirs.at(offset + i).first);
    EXPECT_TRUE(at::equal(ours[i].second.grad(), theirs[offset + i].second.grad()))
        << ours[i].first;
  }
}

void expectSameValues(const Named& ours, const Named& theirs, std::size_t offset) {
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_TRUE(at::equal(ours[i].second, theirs.at(offset + i).second)) << ours[i].first;
  }
}

TEST(InitialValues, AreThoseOfTheSeed) {
  const auto model = zoo("toy");
  const auto a = drawInitialValues(*model, 5, at::kFloat);
  const auto b = drawInitialValues(*model, 5, at::kFloat);
  const auto c = drawInitialValues(*model, 6, at::kFloat);
  EXPECT_EQ(a.size(), 4U);
  EXPECT_TRUE(at::equal(a.at("net1.weight"), b.at("net1.weight")));
  EXPECT_FALSE(at::equal(a.at("net1.weight"), c.at("net1.weight")));
}

TEST(InitialValues, InFloat64AreTheFloat32OnesWidened) {
  const auto model = zoo("resnet18");
  const auto narrow = drawInitialValues(*model, 0, at::kFloat);
  const auto wide = drawInitialValues(*model, 0, at::kDouble);
  EXPECT_TRUE(at::equal(wide.at("conv1.weight"), narrow.at("conv1.weight").to(at::kDouble)));
  EXPECT_EQ(wide.at("bn1.num_batches_tracked").scalar_type(), at::kLong);
}

TEST(InitialValues, OfBatchNormAreOnesAndZeros) {
  const auto values = drawInitialValues(*zoo("resnet18"), 0, at::kFloat);
  EXPECT_TRUE(at::equal(values.at("bn1.weight"), at::ones({64})));
  EXPECT_TRUE(at::equal(values.at("bn1.running_var"), at::ones({64})));
  EXPECT_EQ(values.at("bn1.running_mean").abs().sum().item<float>(), 0.0F);
  EXPECT_EQ(values.at("bn1.num_batches_tracked").item<std::int64_t>(), 0);
}

TEST(StageTensors, HoldsOnlyItsBlocksInRegistrationOrder) {
  const auto model = zoo("toy");
  const StageTensors last = stage(*model, 2, 2);
  ASSERT_EQ(last.parameters().size(), 2U);
  EXPECT_EQ(last.parameters()[0].first, "net2.weight");
  EXPECT_EQ(last.parameters()[1].first, "net2.bias");
  EXPECT_TRUE(last.parameters()[0].second.requires_grad());
  EXPECT_THROW(static_cast<void>(last.layer(0)), std::logic_error);
  EXPECT_EQ(last.bytes(), (10 * 5 + 5) * 4);
}

TEST(StageTensors, AStageWithoutParametersIsEmpty) {
  const auto model = zoo("toy");
  const StageTensors relu = stage(*model, 1, 1);
  EXPECT_TRUE(relu.parameters().empty());
  EXPECT_EQ(relu.bytes(), 0);
}

TEST(StageTensors, ResetWritesTheInitialValuesBackInPlaceAndDropsGradients) {
  const auto model = zoo("resnet18");
  const auto values = drawInitialValues(*model, 0, at::kFloat);
  StageTensors tensors(*model, 0, 1, values, at::kCPU, plan::MemoryFormat::Contiguous);
  const void* const place = tensors.parameters()[0].second.data_ptr();
  run(*model, 0, 1, tensors, at::randn({2, 3, 32, 32})).sum().backward();
  tensors.parameters()[0].second.detach().add_(1);
  tensors.reset(values);
  EXPECT_EQ(tensors.parameters()[0].second.data_ptr(), place);
  EXPECT_FALSE(tensors.parameters()[0].second.grad().defined());
  for (const auto* group : {&tensors.parameters(), &tensors.buffers()}) {
    for (const auto& [name, tensor] : *group) {
      EXPECT_TRUE(at::equal(tensor.detach(), values.at(name))) << name;
    }
  }
}

TEST(StageTensors, DoesNotShareTheInitialValuesStorage) {
  const auto model = zoo("toy");
  const auto values = drawInitialValues(*model, 0, at::kFloat);
  const at::Tensor before = values.at("net1.weight").clone();
  const StageTensors tensors(*model, 0, 2, values, at::kCPU, plan::MemoryFormat::Contiguous);
  tensors.parameters()[0].second.detach().add_(1);
  EXPECT_TRUE(at::equal(values.at("net1.weight"), before));
}

TEST(StageTensors, ChannelsLastChangesTheLayoutAndNotTheValues) {
  const auto model = zoo("resnet18");
  const StageTensors plain = stage(*model, 0, 1);
  const StageTensors last = stage(*model, 0, 1, plan::MemoryFormat::ChannelsLast);
  const at::Tensor weight = last.parameters()[0].second.detach();
  EXPECT_TRUE(weight.is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_TRUE(at::equal(weight, plain.parameters()[0].second.detach()));
}

TEST(RunBlocks, EveryCutOfResNet18IsBitEqualToNoCut) {
  const auto model = zoo("resnet18");
  const std::size_t count = model->blocks.size();
  const at::Tensor input = at::randn({2, 3, 64, 64});
  const at::Tensor target = at::randn({2, 1000});
  const StageTensors reference = whole(*model);
  const at::Tensor expected = run(*model, 0, count - 1, reference, input);
  at::mse_loss(expected, target).backward();

  for (std::size_t cut = 1; cut < count; ++cut) {
    SCOPED_TRACE("cut before " + model->blocks[cut].name);
    const StageTensors first = stage(*model, 0, cut - 1);
    const StageTensors second = stage(*model, cut, count - 1);
    const at::Tensor sent = run(*model, 0, cut - 1, first, input);
    const at::Tensor before = sent.detach().clone();
    const at::Tensor received = sent.detach().requires_grad_();
    const at::Tensor output = run(*model, cut, count - 1, second, received);
    EXPECT_TRUE(at::equal(output, expected));
    EXPECT_TRUE(at::equal(sent.detach(), before)) << "the boundary tensor was overwritten";
    at::mse_loss(output, target).backward();
    sent.backward(received.grad());
    expectSameGradients(first.parameters(), reference.parameters(), 0);
    expectSameGradients(second.parameters(), reference.parameters(), first.parameters().size());
    expectSameValues(first.buffers(), reference.buffers(), 0);
    expectSameValues(second.buffers(), reference.buffers(), first.buffers().size());
  }
}

TEST(RunBlocks, BatchNormTrainsItsRunningStatistics) {
  const model::Model model = chain({model::BatchNorm2d{2}});
  const StageTensors tensors = whole(model);
  const at::Tensor input = at::randn({4, 2, 3, 3});
  static_cast<void>(run(model, 0, 0, tensors, input));
  const LayerTensors& own = tensors.layer(0);
  const at::Tensor mean = input.mean(at::IntArrayRef{0, 2, 3});
  EXPECT_LE((own.tensors[2] - mean * 0.1).abs().max().item<float>(), 1e-6F);
  EXPECT_EQ(own.tensors[4].item<std::int64_t>(), 1);
  static_cast<void>(run(model, 0, 0, tensors, input));
  EXPECT_EQ(own.tensors[4].item<std::int64_t>(), 2);
}

TEST(RunBlocks, ASecondForwardGivesTheSameOutputAndLeavesTheRunningStatisticsAlone) {
  const model::Model model = chain({model::BatchNorm2d{2}});
  const StageTensors tensors = whole(model);
  const at::Tensor input = at::randn({4, 2, 3, 3});
  const at::Tensor output = run(model, 0, 0, tensors, input);
  const at::Tensor mean = tensors.layer(0).tensors[2].clone();
  ForwardMode again;
  again.updateStatistics = false;
  EXPECT_TRUE(at::equal(runBlocks(model, 0, 0, tensors, {input}, again).at(0), output));
  EXPECT_TRUE(at::equal(tensors.layer(0).tensors[2], mean));
  EXPECT_EQ(tensors.layer(0).tensors[4].item<std::int64_t>(), 1);
}

TEST(RunBlocks, OutOfTrainingBatchNormUsesItsRunningStatistics) {
  const model::Model model = chain({model::BatchNorm2d{2}});
  const StageTensors tensors = whole(model);
  const at::Tensor input =
      at::randn({1, 2, 1, 1});  // one value per channel: no statistics of its own
  ForwardMode finished;
  finished.training = false;
  const at::Tensor output = runBlocks(model, 0, 0, tensors, {input}, finished).at(0);
  // The initial statistics are mean 0 and variance 1.
  EXPECT_LE((output - input).abs().max().item<float>(), 1e-4F);
  EXPECT_EQ(tensors.layer(0).tensors[4].item<std::int64_t>(), 0);
}

TEST(RunBlocks, AnInPlaceReluWorksInPlaceInsideAStage) {
  const model::Model model = chain({model::Linear{3, 3}, model::ReLU{true}});
  const StageTensors tensors = whole(model);
  const at::Tensor leaf = at::randn({2, 3}).requires_grad_();
  const at::Tensor output = run(model, 0, 1, tensors, leaf);
  EXPECT_EQ(output._version(), 1) << "overwrote the Linear's output";
}

TEST(RunBlocks, NeverWritesToABoundaryTensorNotEvenThroughAView) {
  for (const auto& specs : std::vector<std::vector<model::LayerSpec>>{
           {model::ReLU{true}},
           {model::Flatten{}, model::ReLU{true}},
           {model::Flatten{}, model::Flatten{}, model::ReLU{true}}}) {
    const model::Model model = chain(specs);
    const at::Tensor leaf = at::randn({2, 3, 2}).requires_grad_();
    const at::Tensor before = leaf.detach().clone();
    const at::Tensor output = run(model, 0, specs.size() - 1, whole(model), leaf);
    EXPECT_TRUE(at::equal(leaf.detach(), before));
    output.sum().backward();
    EXPECT_TRUE(at::equal(leaf.grad(), (before > 0).to(at::kFloat)));
  }
}

TEST(RunBlocks, TwoInPlaceRelusInARowCanBeDifferentiated) {
  const model::Model model =
      chain({model::Linear{3, 3}, model::ReLU{false}, model::ReLU{true}, model::ReLU{true}});
  const StageTensors tensors = whole(model);
  run(model, 0, 3, tensors, at::randn({4, 3})).sum().backward();
  EXPECT_TRUE(tensors.parameters()[0].second.grad().defined());
}

TEST(RunBlocks, AResidualReadsWhatAnInPlaceOperatorLeftBehindWhereverTheCutIs) {
  // out = relu_(x); out += x: with x overwritten, out is 2 relu(x).
  model::Model model = chain({model::Linear{3, 3}, model::ReLU{true}});
  model.blocks[1].calls.push_back({model::CallKind::AddInPlace, 0, {1, 0}});
  model.blocks[1].outputs = {2};
  const at::Tensor input = at::randn({4, 3});
  const at::Tensor linear = run(model, 0, 0, stage(model, 0, 0), input).detach();
  const at::Tensor cut = run(model, 1, 1, stage(model, 1, 1), linear);
  EXPECT_TRUE(at::equal(cut, linear.relu() * 2));
}

TEST(RunBlocks, HandsOnSeveralBoundaryTensors) {
  model::Model model = chain({model::ReLU{false}});
  model.blocks[0].inputNames = {"x", "skip"};
  model.blocks[0].outputs = {2, 1};
  const at::Tensor x = at::randn({3});
  const at::Tensor skip = at::randn({3});
  const auto outputs = runBlocks(model, 0, 0, whole(model), {x, skip});
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_TRUE(at::equal(outputs[0], x.relu()));
  EXPECT_TRUE(at::equal(outputs[1], skip));
  EXPECT_THROW(static_cast<void>(runBlocks(model, 0, 0, whole(model), {x})), std::logic_error);
}

/// Three Linear layers of one weight and bias.
model::Model tiedChain() {
  model::Model model = chain({model::Linear{4, 4}, model::Linear{4, 4}, model::Linear{4, 4}});
  for (const char* layer : {"l1", "l2"}) {
    for (const char* tensor : {".weight", ".bias"}) {
      model.ties[std::string(layer) + tensor] = std::string("l0") + tensor;
    }
  }
  return model;
}

TEST(StageTensors, HoldATiedParameterOnceUnderItsOwnersName) {
  const model::Model model = tiedChain();
  EXPECT_EQ(drawInitialValues(model, 0, at::kFloat).size(), 2U);
  const StageTensors all = whole(model);
  ASSERT_EQ(all.parameters().size(), 2U);
  EXPECT_EQ(all.parameters()[0].first, "l0.weight");
  EXPECT_EQ(all.bytes(), 20 * 4);
  EXPECT_TRUE(all.layer(2).tensors[0].is_same(all.parameters()[0].second));

  const StageTensors last = stage(model, 2, 2);
  ASSERT_EQ(last.parameters().size(), 2U);
  EXPECT_EQ(last.parameters()[0].first, "l0.weight");
  EXPECT_TRUE(at::equal(last.parameters()[0].second, all.parameters()[0].second));
  EXPECT_FALSE(last.parameters()[0].second.is_alias_of(all.parameters()[0].second));
}

at::Tensor dropped(const model::Model& model, const at::Tensor& input, const ForwardMode& mode) {
  return runBlocks(model, 0, model.blocks.size() - 1, whole(model), {input}, mode).at(0);
}

TEST(Dropout, DropsItsShareAndScalesTheRest) {
  const model::Model model = chain({model::Dropout{0.25}});
  const at::Tensor output = dropped(model, at::ones({8, 1000}), {});
  const double kept = (output != 0).to(at::kDouble).mean().item<double>();
  EXPECT_NEAR(kept, 0.75, 0.02);
  EXPECT_EQ(output.max().item<float>(), 1.0F / 0.75F);
  EXPECT_FALSE(at::equal(output[0], output[1])) << "each sample has numbers of its own";
}

TEST(Dropout, DropsTheSameOfASampleHoweverTheBatchIsCut) {
  const model::Model model = chain({model::Dropout{0.5}, model::Dropout{0.5}});
  const at::Tensor input = at::randn({5, 64}).abs() + 1;
  ForwardMode mode;
  mode.seed = 7;
  const at::Tensor undivided = dropped(model, input, mode);
  EXPECT_TRUE(at::equal(dropped(model, input, mode), undivided)) << "a second forward";
  EXPECT_TRUE(at::equal(dropped(model, input.narrow(0, 0, 3), mode), undivided.narrow(0, 0, 3)));
  mode.firstSample = 3;
  EXPECT_TRUE(at::equal(dropped(model, input.narrow(0, 3, 2), mode), undivided.narrow(0, 3, 2)));
  // Two layers drop different values: a quarter is left.
  EXPECT_NEAR((undivided != 0).to(at::kDouble).mean().item<double>(), 0.25, 0.1);
}

TEST(Dropout, DropsOtherValuesInAnotherStepAndForAnotherSeedAndNoneInAnEvaluation) {
  const model::Model model = chain({model::Dropout{0.5}});
  const at::Tensor input = at::ones({2, 64});
  const at::Tensor first = dropped(model, input, {});
  ForwardMode step;
  step.step = 1;
  EXPECT_FALSE(at::equal(dropped(model, input, step), first));
  ForwardMode seed;
  seed.seed = 1;
  EXPECT_FALSE(at::equal(dropped(model, input, seed), first));
  ForwardMode evaluation;
  evaluation.training = false;
  EXPECT_TRUE(at::equal(dropped(model, input, evaluation), input));
  EXPECT_TRUE(at::equal(dropped(chain({model::Dropout{0.0}}), input, {}), input));
}

TEST(RunBlocks, AnInPlaceReluSparesWhatATanhOrAnAttentionNeedsForItsBackward) {
  const model::Model tanh = chain({model::Linear{6, 6}, model::Tanh{}, model::ReLU{true}});
  run(tanh, 0, 2, whole(tanh), at::randn({2, 6})).sum().backward();
  const model::Model attention =
      chain({model::Linear{6, 6}, model::CausalSelfAttention{2}, model::ReLU{true}});
  run(attention, 0, 2, whole(attention), at::randn({2, 3, 6})).sum().backward();
}

TEST(RunBlocks, EveryCutOfAGptIsBitEqualToNoCut) {
  const auto model = *model::buildModel(
      Json::parse(R"({"zoo": "gpt", "layers": 2, "heads": 2, "width": 8, "vocab": 11,
                      "context": 6, "dropout": 0.2})"),
      "", "");
  const at::Tensor tokens = at::ones({2, 6}, at::kLong);
  const StageTensors reference = whole(*model);
  const at::Tensor expected = run(*model, 0, 3, reference, tokens);
  expected.square().sum().backward();
  for (std::size_t cut = 1; cut < 4; ++cut) {
    const StageTensors first = stage(*model, 0, cut - 1);
    const StageTensors second = stage(*model, cut, 3);
    const at::Tensor sent = run(*model, 0, cut - 1, first, tokens);
    const at::Tensor received = sent.detach().requires_grad_();
    const at::Tensor output = run(*model, cut, 3, second, received);
    EXPECT_TRUE(at::equal(output, expected));
    output.square().sum().backward();
    sent.backward(received.grad());
    expectSameGradients(first.parameters(), reference.parameters(), 0);
    expectSameGradients(second.parameters(), reference.parameters(), first.parameters().size());
  }
}

TEST(CheckTrainable, AcceptsWhatCanBeTrained) {
  const Status status = checkTrainable(*zoo("resnet18"), {2, 3, 64, 64});
  EXPECT_TRUE(status) << describe(status.error());
}

TEST(CheckTrainable, RefusesBatchNormOverOneValuePerChannelAndNamesTheLayer) {
  const Status status = checkTrainable(*zoo("resnet18"), {1, 3, 32, 32});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::Invalid);
  EXPECT_THAT(status.error().message, HasSubstr("layer4.0.bn1"));
  EXPECT_THAT(status.error().message, HasSubstr("[1, 512, 1, 1]"));
  EXPECT_THAT(status.error().hint, HasSubstr("split_size"));
}

TEST(CheckTrainable, RefusesAnInputThatDoesNotFit) {
  const Status status = checkTrainable(*zoo("toy"), {4, 11});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::Invalid);
}

}  // namespace
}  // namespace stagelane::run
