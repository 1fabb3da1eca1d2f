// Schedules whose order of forwards differs from the order of the micro-batches.

#include <filesystem>
#include <fstream>

#include "engine/run/proof/running_statistics.h"
#include "engine/search/resolve.h"
#include "tests/engine/run/cuts.h"
#include "tests/engine/run/run_fixture.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::run {
namespace {

using namespace test;

/// The same four micro-batches in two orders of forwards and two of backwards.
std::string permuted() {
  static const stagelane::test::TemporaryFolder folder;
  const std::filesystem::path csv = folder / "permuted.csv";
  std::ofstream(csv) << "0F3,0F1,0F0,0F2,0B1,0B2,0B3,0B0\n1F3,1F1,1F2,1F0,1B1,1B3,1B2,1B0\n";
  return R"({"name":"p","strategy":"pipeline","schedule":{"csv":")" + csv.string() +
         R"("},"split_size":3,)";
}

const std::string kAuto = R"({"name":"a","strategy":"pipeline","schedule":"auto","split_size":3,)";
const std::string kResnetStages =
    R"("stages":[{"first":"conv1","device":"cpu:0"},{"first":"layer2.1","device":"cpu:1"}])";

std::string variants(const std::string& one, const std::string& stages) {
  return R"("variants":[)" + one + stages + R"(},{"name":"g","strategy":"pipeline",)" +
         R"("schedule":"gpipe","split_size":3,)" + stages + "}]";
}

std::string resnet(const std::string& batch, const std::string& rest) {
  return R"({"stagelane":1,"name":"r","model":{"zoo":"resnet18","num_classes":10},
    "input":{"shape":[3,32,32]},"data":{"batch_size":)" +
         batch + R"(,"batches":1,"labels":"class"},"loss":"cross_entropy",
    "devices":["cpu:0","cpu:1"],)" +
         rest + "}";
}

TEST(ForwardOrder, OfAScheduleFileIsBitEqualForTheToy) {
  for (const char* batch : {"12", "11"}) {
    Bench bench(toy(batch, variants(permuted(), kToyStages)));
    expectBitEqual(bench, "p");
    expectBitEqual(bench, "g");
  }
}

TEST(ForwardOrder, OfAScheduleFileIsBitEqualWithRunningStatistics) {
  for (const char* batch : {"12", "11"}) {
    Bench bench(resnet(batch, variants(permuted(), kResnetStages)));
    expectBitEqual(bench, "p");
    expectBitEqual(bench, "g");
  }
}

TEST(ForwardOrder, IsBitEqualWhenForwardsAreDoneAgain) {
  plan::Experiment experiment = experimentOf(resnet("12", variants(permuted(), kResnetStages)));
  for (plan::Variant& variant : experiment.variants) variant.recompute = plan::Recompute::Always;
  Bench bench(std::move(experiment));
  expectBitEqual(bench, "p");
}

TEST(ForwardOrder, OfASearchedScheduleIsBitEqualAtAnUnevenTail) {
  Bench toys(
      valueOf(search::resolve(experimentOf(toy("11", variants(kAuto, kToyStages))), nullptr)));
  expectBitEqual(toys, "a");
  Bench resnets(valueOf(
      search::resolve(experimentOf(resnet("11", variants(kAuto, kResnetStages))), nullptr)));
  expectBitEqual(resnets, "a");
}

TEST(ForwardOrder, IsBitEqualToAReferenceOnTwoDevices) {
  Bench bench(resnet("12", variants(permuted(), kResnetStages)));
  GradientCheck check;
  check.plan = bench.variant("p").stepPlan(bench.experiment);
  // The reference is cut elsewhere than the stages.
  const std::size_t last = bench.experiment.model->blocks.size() - 1;
  check.parts = {{0, 2, check.plan.workers[0]}, {3, last, check.plan.workers[1]}};
  const GradientVerdict verdict = valueOf(bench.checker.check(check, bench.control)).value();
  EXPECT_TRUE(verdict.result.bitEqual) << verdict.worst;
}

TEST(ForwardOrder, IsPartOfTheReferenceWhereItMatters) {
  const auto orders = [](const std::string& json, const std::string& id) {
    Bench bench(json);
    return statisticsOrder(bench.variant(id).stepPlan(bench.experiment));
  };
  using Orders = std::vector<std::vector<int>>;
  const std::string withNorm = resnet("12", variants(permuted(), kResnetStages));
  EXPECT_EQ(orders(withNorm, "p"), (Orders{{3, 1, 0, 2}, {3, 1, 2, 0}}));
  EXPECT_EQ(orders(withNorm, "g"), Orders{});
  EXPECT_EQ(orders(toy("12", variants(permuted(), kToyStages)), "p"), Orders{});

  Bench bench(withNorm);
  GradientCheck check;
  check.plan = bench.variant("p").stepPlan(bench.experiment);
  EXPECT_NE(GradientChecker::referenceKey(check).find("forwards from 0,3,1,0,2"),
            std::string::npos);
}

}  // namespace
}  // namespace stagelane::run
