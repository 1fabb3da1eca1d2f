#include "engine/run/step/reduced_gradients.h"

#include "tests/engine/run/schedule_grid.h"

namespace stagelane::run {
namespace {

using namespace test;

/// The chain of sixteen Linear layers (`0`, `2`, `4` … `30`) with some of them sharing their
/// weights with an earlier one.
plan::Experiment tied(const GridSchedule& schedule, const std::map<int, int>& ties,
                      const std::string& dtype = "float32") {
  plan::Experiment experiment =
      experimentOf(gridExperiment(mlpModel(), schedule, 2, Tail::Uneven, dtype));
  auto model = std::make_shared<model::Model>(*experiment.model);
  for (const auto& [later, first] : ties) {
    for (const char* tensor : {".weight", ".bias"}) {
      model->ties[std::to_string(later) + tensor] = std::to_string(first) + tensor;
    }
  }
  experiment.model = model;
  return experiment;
}

std::vector<GridSchedule> someSchedules() {
  return {{"tutorial"},
          {"1f1b"},
          {"zb-h1"},
          {"zbv", 2, StageLayout::V},
          {"interleaved-zero-bubble", 2, StageLayout::Loop}};
}

TEST(ReducedGradients, OfStagesAreTheSumOnEveryCopy) {
  // Across two stages (of one device in a V, of two else), and across all of them.
  for (const std::map<int, int>& ties :
       {std::map<int, int>{{30, 0}}, {{30, 0}, {12, 0}, {20, 0}}, {{14, 4}, {30, 0}}}) {
    for (const GridSchedule& schedule : someSchedules()) {
      SCOPED_TRACE(schedule.name);
      Bench bench(tied(schedule, ties));
      EXPECT_FALSE(bench.variant("v").lowered.tied.empty());
      const GradientVerdict verdict = bench.check("v");
      EXPECT_TRUE(verdict.result.bitEqual) << verdict.worst;
    }
  }
}

TEST(ReducedGradients, InsideAStageAreExactForTwoThreeAndFourUses) {
  for (const std::map<int, int>& ties :
       {std::map<int, int>{{28, 26}}, {{28, 26}, {30, 26}}, {{26, 24}, {28, 24}, {30, 24}}}) {
    for (const GridSchedule& schedule : someSchedules()) {
      SCOPED_TRACE(schedule.name);
      Bench bench(tied(schedule, ties, "float64"));
      const GradientVerdict verdict = bench.check("v");
      EXPECT_TRUE(verdict.result.bitEqual) << verdict.worst;
      EXPECT_LE(verdict.result.fullBatchError.value_or(1.0), 1e-12);
    }
  }
}

TEST(ReducedGradients, KeepTheCopiesEqualOverSteps) {
  Bench bench(tied({"zb-h1"}, {{30, 0}}));
  Executor executor(bench.variant("v").stepPlan(bench.experiment), bench.control);
  ASSERT_TRUE(executor.build(drawInitialValues(*bench.experiment.model, 0, at::kFloat)));
  SyntheticData data(bench.experiment, at::kFloat);
  const StepInput input = valueOf(executor.prepare(data.next()));
  const auto weight = [&](std::size_t row) {
    for (const auto& [stage, work] : executor.row(row).stages()) {
      for (const auto& [name, tensor] : work.tensors().parameters()) {
        if (name == "0.weight") return tensor.detach().clone();
      }
    }
    throw std::runtime_error("no 0.weight");
  };
  const at::Tensor before = weight(0);
  for (int step = 0; step < 3; ++step) {
    ASSERT_TRUE(executor.step(input, {0, step, false}));
    EXPECT_TRUE(weight(0).equal(weight(1))) << "step " << step;
  }
  EXPECT_FALSE(weight(0).equal(before));
}

TEST(ReducedGradients, AreOfStagesThatShareOnly) {
  const plan::Experiment experiment = tied({"1f1b"}, {{30, 0}, {4, 2}});
  const plan::SharedParameters shared =
      plan::sharedParameters(*experiment.model, experiment.variants.front().stages);
  ASSERT_EQ(shared.size(), 2U);
  EXPECT_EQ(shared.at("0.bias"), (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace stagelane::run
