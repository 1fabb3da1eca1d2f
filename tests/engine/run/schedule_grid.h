#pragma once

/// Experiments for a grid of schedules, models and splits on CPU workers: the model's blocks cut
/// evenly into the number of stages that the schedule needs, in its layout.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/predict/cost_table.h"
#include "engine/predict/simulator.h"
#include "engine/schedule/methods.h"
#include "tests/engine/run/run_fixture.h"

namespace stagelane::run::test {

using schedule::StageLayout;

struct GridSchedule {
  std::string name;
  int chunks = 1;
  StageLayout layout = StageLayout::OnePerDevice;
};

/// Every schedule of the table that has a generator and a layout of its own, with the row's number
/// of stages per device.
inline std::vector<GridSchedule> everySchedule() {
  std::vector<GridSchedule> found;
  for (const schedule::Method& method : schedule::methods()) {
    const auto [layout, chunks] = method.layout;
    if (method.fill != nullptr && method.pipeline && layout != StageLayout::Free) {
      found.push_back({std::string(method.name), chunks, layout});
    }
  }
  return found;
}

/// A model and the other settings of an experiment with it.
struct GridModel {
  std::string name;
  std::string definition;
  std::string input;  ///< the experiment's `input`
  std::string labels;
  std::string loss;
};

inline GridModel toyModel() {
  return {"toy", R"({"zoo":"toy"})", R"("shape":[10])", "normal", "mse"};
}
/// Sixteen hidden layers.
inline GridModel mlpModel() {
  std::string layers;
  for (int i = 0; i < 16; ++i) {
    layers += R"({"kind":"Linear","in_features":24,"out_features":24},{"kind":"ReLU"},)";
  }
  layers += R"({"kind":"Linear","in_features":24,"out_features":5})";
  return {"mlp", R"({"layers":[)" + layers + "]}", R"("shape":[24])", "normal", "mse"};
}
inline GridModel resnetModel() {
  return {"resnet18", R"({"zoo":"resnet18","num_classes":10})", R"("shape":[3,32,32])", "class",
          "cross_entropy"};
}
/// Eight blocks; the head shares the embedding's weight, and a tenth of the values is dropped.
inline GridModel gptModel() {
  return {"gpt",
          R"({"zoo":"gpt","layers":6,"heads":2,"width":16,"vocab":19,"context":6,"dropout":0.1,)"
          R"("tie":true})",
          R"("shape":[6])", "class", "cross_entropy"};
}
inline std::vector<GridModel> everyModel() {
  return {toyModel(), mlpModel(), resnetModel(), gptModel()};
}

inline model::ModelPtr built(const GridModel& model) {
  return valueOf(model::buildModel(valueOf(parseJson(model.definition, "test")), "/model", "."));
}
inline std::size_t blockCount(const GridModel& model) { return built(model)->blocks.size(); }

/// Micro-batches of three samples, the last one of two where the tail is uneven.
enum class Tail { Even, Uneven };

inline std::string stagesOf(const GridModel& model, const GridSchedule& schedule, int devices) {
  const auto rows = schedule::rowsOfStages(schedule.layout, devices, schedule.chunks);
  const std::size_t stages = rows.size();
  const model::ModelPtr chain = built(model);
  std::string list;
  for (std::size_t stage = 0; stage < stages; ++stage) {
    const std::size_t first = chain->blocks.size() * stage / stages;
    list += std::string(stage == 0 ? "" : ",") + R"({"first":")" + chain->blocks[first].name +
            R"(","device":"cpu:)" + std::to_string(rows[stage]) + "\"}";
  }
  return list;
}

/// A variant `v` over `devices` workers, with twice as many micro-batches as devices.
inline std::string gridExperiment(const GridModel& model, const GridSchedule& schedule, int devices,
                                  Tail tail, const std::string& dtype = "float32") {
  std::string workers;
  for (int device = 0; device < devices; ++device) {
    workers += std::string(device == 0 ? "" : ",") + R"("cpu:)" + std::to_string(device) + "\"";
  }
  const int batch = 3 * 2 * devices - (tail == Tail::Uneven ? 1 : 0);
  return R"({"stagelane":1,"name":"g","model":)" + model.definition + R"(,"input":{)" +
         model.input + R"(,"dtype":")" + dtype + R"("},"loss":")" + model.loss +
         R"(","data":{"labels":")" + model.labels + R"(","batch_size":)" + std::to_string(batch) +
         R"(},"devices":[)" + workers +
         R"(],"variants":[{"name":"v","strategy":"pipeline","schedule":")" + schedule.name +
         R"(","split_size":3,"stages":[)" + stagesOf(model, schedule, devices) + "]}]}";
}

/// Gradients, losses and buffers are bit-equal to the reference, and the live micro-batches of each
/// device are equal to the simulator's.
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

struct GridOptions {
  plan::Recompute recompute = plan::Recompute::Never;
};
inline void expectExactOn(const GridModel& model, const GridSchedule& schedule, int devices,
                          Tail tail, const GridOptions& options = {}) {
  SCOPED_TRACE(model.name);
  Bench bench(gridExperiment(model, schedule, devices, tail));
  for (plan::Variant& variant : bench.experiment.variants) variant.recompute = options.recompute;
  expectExact(bench);
}

}  // namespace stagelane::run::test
