#include "engine/run/ranks/gradient_reducer.h"

#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "tests/engine/run/ranks/rank_threads.h"

namespace stagelane::run {
namespace {

constexpr int kRanks = 3;

struct Replica {
  std::vector<at::Tensor> parameters;
  std::unique_ptr<GradientReducer> reducer;

  explicit Replica(const std::shared_ptr<RankGroup>& group,
                   const GradientReducerOptions& options = {}) {
    // Each rank begins with other values.
    parameters = {at::full({100, 10}, 0.5 + group->rank()).requires_grad_(true),
                  at::full({10}, 1.0 + group->rank()).requires_grad_(true)};
    auto made = GradientReducer::create(group, parameters, {}, options);
    EXPECT_TRUE(made) << describe(made.error());
    if (made) reducer = std::move(*made);
  }
  at::Tensor forward(double factor) const {
    return (at::matmul(parameters[0], parameters[1]).mul(factor)).sum();
  }
  void clear() const {
    for (const at::Tensor& parameter : parameters) parameter.mutable_grad().reset();
  }
  [[nodiscard]] float gradient() const { return parameters[0].grad()[0][0].item<float>(); }
};

void withReplicas(const GradientReducerOptions& options,
                  const std::function<void(int rank, Replica& replica)>& body) {
  asRanks(kRanks, [&](RankStore& store) {
    const auto group = groupOfAll(store);
    ASSERT_NE(group, nullptr);
    Replica replica(group, options);
    ASSERT_NE(replica.reducer, nullptr);
    body(store.rank(), replica);
    EXPECT_TRUE(group->barrier());
  });
}

TEST(GradientReducer, AllReplicasBeginWithTheValuesOfRankZero) {
  withReplicas({}, [](int, Replica& replica) {
    EXPECT_EQ(replica.parameters[0][3][4].item<double>(), 0.5);
    EXPECT_EQ(replica.parameters[1][2].item<double>(), 1.0);
  });
}

TEST(GradientReducer, GradientsAreTheMeanOverTheGroup) {
  for (const bool asView : {false, true}) {
    GradientReducerOptions options;
    options.gradientAsBucketView = asView;
    options.firstBucketBytes = 16;  // a bucket for each parameter
    options.bucketBytes = 16;
    withReplicas(options, [](int rank, Replica& replica) {
      for (int step = 0; step < 3; ++step) {
        replica.clear();
        ASSERT_TRUE(replica.reducer->prepareForward());
        const at::Tensor output = replica.forward(rank + 1);
        ASSERT_TRUE(replica.reducer->prepareLastBackward({output}));
        torch::autograd::backward({output}, {});
        const auto spans = replica.reducer->finish();
        ASSERT_TRUE(spans) << describe(spans.error());
        EXPECT_FLOAT_EQ(replica.gradient(), 2.0F);  // (1 + 2 + 3) / 3
        ASSERT_EQ(spans->size(), 2U);
        EXPECT_EQ((*spans)[0].bytes + (*spans)[1].bytes, 4040);
        for (const BucketSpan& span : *spans) EXPECT_GE(span.endNs, span.startNs);
      }
    });
  }
}

TEST(GradientReducer, EarlierBackwardsOfAStepOnlyAccumulate) {
  withReplicas({}, [](int rank, Replica& replica) {
    ASSERT_TRUE(replica.reducer->prepareForward());
    const at::Tensor first = replica.forward(rank + 1);
    const at::Tensor last = replica.forward(10);
    torch::autograd::backward({first}, {});
    EXPECT_FLOAT_EQ(replica.gradient(), static_cast<float>(rank + 1));
    ASSERT_TRUE(replica.reducer->prepareLastBackward({last}));
    torch::autograd::backward({last}, {});
    ASSERT_TRUE(replica.reducer->finish());
    EXPECT_FLOAT_EQ(replica.gradient(), 12.0F);
  });
}

TEST(GradientReducer, AParameterWithoutGradientIsAnErrorUnlessItMayBeUnused) {
  for (const bool mayBeUnused : {false, true}) {
    GradientReducerOptions options;
    options.findUnused = mayBeUnused;
    withReplicas(options, [&](int rank, Replica& replica) {
      ASSERT_TRUE(replica.reducer->prepareForward());
      const at::Tensor output = replica.parameters[0].sum().mul(rank + 1);
      ASSERT_TRUE(replica.reducer->prepareLastBackward({output}));
      torch::autograd::backward({output}, {});
      EXPECT_EQ(replica.reducer->finish().has_value(), mayBeUnused);
      if (mayBeUnused) {
        EXPECT_FLOAT_EQ(replica.gradient(), 2.0F);
      }
    });
  }
}

TEST(GradientReducer, TakesGradientsThatWereMadeElsewhere) {
  withReplicas({}, [](int rank, Replica& replica) {
    for (int step = 0; step < 3; ++step) {
      for (const at::Tensor& parameter : replica.parameters) {
        parameter.mutable_grad() = at::full_like(parameter, 3.0 * rank).detach();
      }
      ASSERT_TRUE(replica.reducer->prepareForward());
      ASSERT_TRUE(replica.reducer->prepareLastBackward({}));
      ASSERT_TRUE(replica.reducer->handOver({0, 1}));
      ASSERT_TRUE(replica.reducer->finish());
      EXPECT_FLOAT_EQ(replica.gradient(), 3.0F);
    }
  });
}

TEST(GradientReducer, NoHookRemainsAfterItsEnd) {
  withReplicas({}, [](int rank, Replica& replica) {
    replica.reducer.reset();
    const at::Tensor output = replica.forward(rank + 1);
    torch::autograd::backward({output}, {});
    EXPECT_FLOAT_EQ(replica.gradient(), static_cast<float>(rank + 1));
  });
}

TEST(GradientReducer, BuffersGetTheValuesOfRankZero) {
  asRanks(2, [](RankStore& store) {
    const auto group = groupOfAll(store);
    ASSERT_NE(group, nullptr);
    const at::Tensor weight = at::ones({3}).requires_grad_(true);
    const at::Tensor buffer = at::full({2}, store.rank());
    const auto reducer = GradientReducer::create(group, {weight}, {buffer}, {});
    ASSERT_TRUE(reducer) << describe(reducer.error());
    EXPECT_EQ(buffer[1].item<double>(), 0);
    EXPECT_TRUE(group->barrier());
  });
}

TEST(GradientReducer, OtherShapesOnARankAreAnError) {
  asRanks(2, [](RankStore& store) {
    const auto group = groupOfAll(store);
    ASSERT_NE(group, nullptr);
    const at::Tensor weight = at::ones({3 + store.rank()}).requires_grad_(true);
    const auto reducer = GradientReducer::create(group, {weight}, {}, {});
    // The rank that notices ends the group, so that nobody waits for it.
    EXPECT_FALSE(reducer);
    group->abort();
  });
}

}  // namespace
}  // namespace stagelane::run
