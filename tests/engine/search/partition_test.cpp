#include "engine/search/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <set>

#include "engine/model/model.h"
#include "engine/plan/block_estimate.h"
#include "engine/plan/stage_layout.h"

namespace stagelane::search {
namespace {

using Costs = std::vector<std::vector<double>>;

CutProblem problemOf(const Costs& costs) {
  CutProblem problem;
  problem.timeOn = costs;
  return problem;
}

/// What a part holds at most.
Bytes heldBy(const CutMemory& memory, std::size_t part, std::size_t begin, std::size_t end) {
  Bytes held = memory.live[part] * memory.stageInput[begin];
  Bytes temporary = 0;
  for (std::size_t b = begin; b < end; ++b) {
    held += memory.resident[b] + memory.live[part] * memory.saved[b];
    temporary = std::max(temporary, memory.temporary[b]);
  }
  return held + temporary;
}

/// The bottleneck added up block by block; infinite where a part does not fit.
double addedUp(const CutProblem& problem, const std::vector<std::size_t>& firsts) {
  const std::size_t blocks = problem.timeOn.front().size();
  const bool links = !problem.linkBefore.empty();
  double worst = 0.0;
  for (std::size_t part = 0; part < firsts.size(); ++part) {
    const std::size_t end = part + 1 < firsts.size() ? firsts[part + 1] : blocks;
    double sum = 0.0;
    for (std::size_t b = firsts[part]; b < end; ++b) sum += problem.timeOn[part][b];
    const double before = links && part > 0 ? problem.linkBefore[part][firsts[part]] : 0.0;
    const double after =
        links && part + 1 < firsts.size() ? problem.linkBefore[part + 1][end] : 0.0;
    worst = std::max(worst, problem.linksBlock ? sum + before + after : std::max(sum, before));
    if (problem.memory && problem.memory->room[part] &&
        heldBy(*problem.memory, part, firsts[part], end) > *problem.memory->room[part]) {
      return std::numeric_limits<double>::infinity();
    }
  }
  return worst;
}

/// The bottlenecks of all cuts that fit, ascending.
std::vector<double> byTryingAll(const CutProblem& problem) {
  const std::size_t blocks = problem.timeOn.front().size();
  std::vector<double> all;
  std::vector<std::size_t> firsts{0};
  const std::function<void()> extend = [&] {
    if (firsts.size() == std::min(problem.timeOn.size(), blocks)) {
      const double worst = addedUp(problem, firsts);
      if (worst < std::numeric_limits<double>::infinity()) all.push_back(worst);
      return;
    }
    for (std::size_t next = firsts.back() + 1; next < blocks; ++next) {
      firsts.push_back(next);
      extend();
      firsts.pop_back();
    }
  };
  extend();
  std::sort(all.begin(), all.end());
  return all;
}

/// Whole numbers, so that sums are exact; links and memory in half of the cases each.
CutProblem randomProblem(std::mt19937& random, std::size_t mostBlocks, std::size_t mostDevices) {
  const auto number = [&](unsigned below) { return static_cast<double>(random() % below); };
  CutProblem problem;
  const std::size_t blocks = 1 + random() % mostBlocks;
  const std::size_t devices = 1 + random() % mostDevices;
  problem.timeOn.assign(devices, std::vector<double>(blocks));
  for (auto& row : problem.timeOn) {
    for (double& cost : row) cost = number(20);
  }
  if (random() % 2 == 0) {
    problem.linkBefore.assign(devices, std::vector<double>(blocks));
    for (auto& row : problem.linkBefore) {
      for (double& cost : row) cost = number(30);
    }
    problem.linksBlock = random() % 2 == 0;
  }
  if (random() % 2 == 0) {
    CutMemory memory;
    for (std::size_t b = 0; b < blocks; ++b) {
      memory.resident.push_back(static_cast<Bytes>(random() % 10));
      memory.saved.push_back(static_cast<Bytes>(random() % 10));
      memory.stageInput.push_back(static_cast<Bytes>(random() % 5));
      memory.temporary.push_back(static_cast<Bytes>(random() % 10));
    }
    for (std::size_t d = 0; d < devices; ++d) {
      memory.live.push_back(1 + static_cast<std::int64_t>(random() % 4));
      memory.room.push_back(random() % 4 == 0 ? std::optional<Bytes>()
                                              : static_cast<Bytes>(20 + random() % 200));
    }
    problem.memory = memory;
  }
  return problem;
}

void expectAsTryingAll(const CutProblem& problem, std::size_t count) {
  const std::vector<double> all = byTryingAll(problem);
  const std::vector<Cut> cuts = bestCuts(problem, count);
  ASSERT_EQ(cuts.size(), std::min(count, all.size()));
  std::set<std::vector<std::size_t>> different;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    EXPECT_EQ(cuts[i].bottleneck, all[i]) << i;
    EXPECT_EQ(addedUp(problem, cuts[i].firsts), all[i]) << i;
    EXPECT_EQ(bottleneckOf(problem, cuts[i].firsts), all[i]) << i;
    different.insert(cuts[i].firsts);
  }
  EXPECT_EQ(different.size(), cuts.size());
}

TEST(BestCuts, EqualTryingAllCutsWithLinksAndMemory) {
  std::mt19937 random(11);
  for (int round = 0; round < 4000; ++round) {
    expectAsTryingAll(randomProblem(random, 10, 4), round % 3 == 0 ? 5 : 1);
    if (HasFailure()) {
      FAIL() << round;
    }
  }
}

TEST(BestCuts, EqualTryingAllCutsUpToFourteenBlocksOnFourDevices) {
  std::mt19937 random(12);
  for (int round = 0; round < 1000; ++round) {
    expectAsTryingAll(randomProblem(random, 14, 4), 1);
    if (HasFailure()) {
      FAIL() << round;
    }
  }
}

TEST(BestCuts, AreNoneWhereNothingFits) {
  CutProblem problem = problemOf({{1.0, 1.0}, {1.0, 1.0}});
  problem.memory = CutMemory{{5, 5}, {0, 0}, {0, 0}, {0, 0}, {1, 1}, {4, 100}};
  EXPECT_TRUE(bestCuts(problem).empty());
  EXPECT_TRUE(bestCuts({}, 3).empty());
}

TEST(BestCuts, AvoidADearLink) {
  CutProblem problem = problemOf({{2.0, 2.0, 2.0}, {2.0, 2.0, 2.0}});
  problem.linkBefore = {{0, 0, 0}, {0, 9, 1}};
  EXPECT_EQ(bestCuts(problem).front().firsts, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(bestCuts(problem).front().bottleneck, 4.0);
  problem.linksBlock = true;
  EXPECT_EQ(bestCuts(problem).front().bottleneck, 5.0);
}

TEST(UniformCut, GivesTheFirstPartsOneMore) {
  EXPECT_EQ(plan::uniformCut(7, 3), (std::vector<std::size_t>{0, 3, 5}));
  EXPECT_EQ(plan::uniformCut(2, 3), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(plan::uniformCut(0, 3).empty());
}

TEST(BlockPartition, LeavesNoMoreThanTheHeaviestBlockBetweenItsParts) {
  std::mt19937 random(13);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t blocks = 8 + random() % 40;
    const std::size_t parts = 1 + random() % 6;
    std::vector<double> weights(blocks);
    for (double& weight : weights) weight = 1.0 + static_cast<double>(random() % 50);
    const auto firsts = blockPartition(weights, parts);
    ASSERT_EQ(firsts.size(), parts);
    double least = 1e9;
    double most = 0.0;
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t end = part + 1 < parts ? firsts[part + 1] : blocks;
      ASSERT_LT(firsts[part], end);
      double sum = 0.0;
      for (std::size_t b = firsts[part]; b < end; ++b) sum += weights[b];
      least = std::min(least, sum);
      most = std::max(most, sum);
    }
    EXPECT_LE(most - least, *std::max_element(weights.begin(), weights.end())) << round;
    EXPECT_GE(most, bestCuts(problemOf(Costs(parts, weights))).front().bottleneck) << round;
  }
}

TEST(BlockPartition, AnswersDegenerateCases) {
  EXPECT_EQ(blockPartition({1, 2}, 1), (std::vector<std::size_t>{0}));
  EXPECT_EQ(blockPartition({5, 1, 1}, 3), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(blockPartition({0, 0, 0}, 2), (std::vector<std::size_t>{0, 2}));
  EXPECT_TRUE(blockPartition({}, 2).empty());
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
    EXPECT_DOUBLE_EQ(addedUp(problemOf(costs), firsts), byTryingAll(problemOf(costs)).front());
  }
}

TEST(MinBottleneckCut, SpreadsWhatIsLeftOverEvenly) {
  // The bottleneck is 9 for any cut of the rest; 3+3 is better than 1+5 or 5+1.
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

TEST(MinBottleneckCut, CutsResNet50ByEstimatesNearItsMeasuredBestCut) {
  const auto model = *model::modelFromArgument("resnet50");
  const auto shapes = *model::inferShapes(*model, {8, 3, 128, 128}, model::DType::Float32);
  const std::vector<double> costs = plan::estimatedCosts(shapes, {{"cpu:0"}, {}, {}, 1.0}, 1);
  const auto firsts = minBottleneckCut({costs, costs});
  ASSERT_EQ(firsts.size(), 2u);
  // Measured on two one-thread workers: the cut after layer3.0 is the best of all.
  const auto best = static_cast<std::size_t>(model->blockNamed("layer3.1")->value);
  EXPECT_LE(firsts[1], best + 1);
  EXPECT_GE(firsts[1] + 1, best);
}

}  // namespace
}  // namespace stagelane::search
