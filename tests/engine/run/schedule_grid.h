#pragma once

/// Experiments for a grid of schedules, models and splits on CPU workers: the model's blocks cut
/// evenly into as many stages as the schedule wants, laid out as it wants.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/predict/cost_table.h"
#include "engine/predict/simulator.h"
#include "tests/engine/run/run_fixture.h"

namespace stagelane::run::test {

enum class Layout { Straight, Loop, V };

struct GridSchedule {
  std::string name;
  int chunks = 1;
  Layout layout = Layout::Straight;
};

struct GridModel {
  std::string name;      ///< in the test's name
  std::string model;     ///< the experiment's `model` and what goes with it
  std::string argument;  ///< the `model` alone
};

/// The member `model`, and input, data and loss that suit it.
inline GridModel toyModel() {
  return {"toy", R"("input":{"shape":[10]},"loss":"mse")", R"({"zoo":"toy"})"};
}
inline GridModel mlpModel() {
  std::string layers;
  for (int i = 0; i < 16; ++i) {
    layers += R"({"kind":"Linear","in_features":24,"out_features":24},{"kind":"ReLU"},)";
  }
  layers += R"({"kind":"Linear","in_features":24,"out_features":5})";
  return {"mlp", R"("input":{"shape":[24]},"loss":"mse")", R"({"layers":[)" + layers + "]}"};
}
inline GridModel resnetModel() {
  return {"resnet18", R"("input":{"shape":[3,32,32]},"loss":"cross_entropy")",
          R"({"zoo":"resnet18","num_classes":10})"};
}

inline int deviceOf(int stage, int devices, Layout layout) {
  const int within = stage % (2 * devices);
  return layout == Layout::V && within >= devices ? 2 * devices - 1 - within : stage % devices;
}

/// A variant `v` over `devices` workers; `options` are further members of the experiment, each with
/// a comma before it.
inline std::string gridExperiment(const GridModel& model, const GridSchedule& schedule, int devices,
                                  int batch, int split, const std::string& options = "") {
  const auto built =
      valueOf(model::buildModel(valueOf(parseJson(model.argument, "test")), "/model", "."));
  const int stages = devices * schedule.chunks;
  const std::size_t blocks = built->blocks.size();
  std::string list;
  for (int stage = 0; stage < stages; ++stage) {
    const std::size_t first =
        blocks * static_cast<std::size_t>(stage) / static_cast<std::size_t>(stages);
    list += std::string(stage == 0 ? "" : ",") + R"({"first":")" + built->blocks[first].name +
            R"(","device":"cpu:)" + std::to_string(deviceOf(stage, devices, schedule.layout)) +
            R"("})";
  }
  std::string workers;
  for (int device = 0; device < devices; ++device) {
    workers += std::string(device == 0 ? "" : ",") + R"("cpu:)" + std::to_string(device) + "\"";
  }
  const bool cross = model.model.find("cross_entropy") != std::string::npos;
  return R"({"stagelane":1,"name":"g","model":)" + model.argument + "," + model.model + options +
         R"(,"data":{"labels":")" + (cross ? "class" : "normal") + R"(","batch_size":)" +
         std::to_string(batch) + R"(},"devices":[)" + workers +
         R"(],"variants":[{"name":"v","strategy":"pipeline","schedule":)" + schedule.name +
         R"(,"split_size":)" + std::to_string(split) + R"(,"stages":[)" + list + "]}]}";
}

/// The schedule of that name and size that torch.distributed.pipelining makes.
inline GridSchedule publishedSchedule(const std::string& name, int devices, int microBatches,
                                      int chunks, Layout layout) {
  return {R"({"csv":")" + std::string(STAGELANE_TEST_DATA) + "/schedules/" + name + "_p" +
              std::to_string(devices) + "_m" + std::to_string(microBatches) + "_v" +
              std::to_string(chunks) + ".csv\"}",
          chunks, layout};
}

/// Gradients, losses and buffers bit-equal to the reference, and the live micro-batches of each
/// device those of the simulator.
inline void expectExact(Bench& bench, const std::string& id = "v") {
  const GradientVerdict verdict = bench.check(id);
  EXPECT_TRUE(verdict.passed) << verdict.worst;
  EXPECT_TRUE(verdict.result.bitEqual) << verdict.worst;
  const VariantRun& run = bench.variant(id);
  Executor executor(run.stepPlan(bench.experiment), bench.control);
  ASSERT_TRUE(
      executor.build(drawInitialValues(*bench.experiment.model, 0, scalarType(bench.experiment))));
  SyntheticData data(bench.experiment, scalarType(bench.experiment));
  const StepInput input = valueOf(executor.prepare(data.next()));
  const auto outcome = executor.step(input, {});
  ASSERT_TRUE(outcome) << describe(outcome.error());
  const auto simulation = valueOf(predict::simulate(
      run.lowered, valueOf(predict::estimateCosts(bench.experiment, *run.variant))));
  EXPECT_EQ(executor.peakLiveMicroBatches(), simulation.peakLiveMicroBatches);
}

}  // namespace stagelane::run::test
