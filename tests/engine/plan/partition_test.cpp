#include "engine/plan/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>

#include "engine/model/model.h"
#include "engine/plan/block_estimate.h"

namespace stagelane::plan {
namespace {

using Costs = std::vector<std::vector<double>>;

double bottleneckOf(const Costs& costs, const std::vector<std::size_t>& firsts) {
  double worst = 0.0;
  for (std::size_t part = 0; part < firsts.size(); ++part) {
    const std::size_t end = part + 1 < firsts.size() ? firsts[part + 1] : costs.front().size();
    double sum = 0.0;
    for (std::size_t b = firsts[part]; b < end; ++b) sum += costs[part][b];
    worst = std::max(worst, sum);
  }
  return worst;
}

double byTryingAll(const Costs& costs) {
  const std::size_t blocks = costs.front().size();
  double best = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> firsts{0};
  const std::function<void()> extend = [&] {
    if (firsts.size() == std::min(costs.size(), blocks)) {
      best = std::min(best, bottleneckOf(costs, firsts));
      return;
    }
    for (std::size_t next = firsts.back() + 1; next < blocks; ++next) {
      firsts.push_back(next);
      extend();
      firsts.pop_back();
    }
  };
  extend();
  return best;
}

TEST(MinBottleneckCut, EqualsTryingAllCuts) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t blocks = 1 + random() % 9;
    const std::size_t devices = 1 + random() % 5;
    Costs costs(devices, std::vector<double>(blocks));
    for (auto& row : costs) {
      for (double& cost : row) cost = static_cast<double>(random() % 20);
    }
    const auto firsts = minBottleneckCut(costs);
    ASSERT_EQ(firsts.size(), std::min(devices, blocks));
    EXPECT_EQ(firsts.front(), 0u);
    EXPECT_TRUE(std::is_sorted(firsts.begin(), firsts.end()));
    EXPECT_EQ(std::adjacent_find(firsts.begin(), firsts.end()), firsts.end());
    EXPECT_DOUBLE_EQ(bottleneckOf(costs, firsts), byTryingAll(costs));
  }
}

TEST(MinBottleneckCut, SpreadsWhatIsLeftOverEvenly) {
  // The bottleneck is 9 however the rest is cut; 3+3 is better than 1+5 or 5+1.
  const std::vector<double> row{9, 1, 2, 2, 1};
  EXPECT_EQ(minBottleneckCut({row, row, row}), (std::vector<std::size_t>{0, 1, 3}));
}

TEST(MinBottleneckCut, AnswersDegenerateCases) {
  EXPECT_TRUE(minBottleneckCut({}).empty());
  EXPECT_TRUE(minBottleneckCut({{}}).empty());
  EXPECT_EQ(minBottleneckCut({{1.0}, {1.0}}), (std::vector<std::size_t>{0}));
  EXPECT_EQ(minBottleneckCut({{0.0, 0.0}, {0.0, 0.0}}), (std::vector<std::size_t>{0, 1}));
}

TEST(MinBottleneckCut, GivesAFasterDeviceMore) {
  const std::vector<double> slow(8, 3.0);
  const std::vector<double> fast(8, 1.0);
  EXPECT_EQ(minBottleneckCut({slow, fast}), (std::vector<std::size_t>{0, 2}));
}

TEST(EstimatedBestCut, CutsResNet50NearItsMeasuredBestCut) {
  const auto model = *model::modelFromArgument("resnet50");
  const auto shapes = *model::inferShapes(*model, {8, 3, 128, 128}, model::DType::Float32);
  const std::vector<DeviceSpec> devices{{{"cpu:0"}, {}, {}, 1.0}, {{"cpu:1"}, {}, {}, 1.0}};
  const auto firsts = estimatedBestCut(shapes, devices, 1);
  ASSERT_EQ(firsts.size(), 2u);
  // Measured on two one-thread workers: the cut after layer3.0 is the best of all.
  const auto best = static_cast<std::size_t>(model->blockNamed("layer3.1")->value);
  EXPECT_LE(firsts[1], best + 1);
  EXPECT_GE(firsts[1] + 1, best);
}

}  // namespace
}  // namespace stagelane::plan
