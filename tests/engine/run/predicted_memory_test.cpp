// Predicted memory of each device, from a calibration, compared with the allocator's accounts.
// Which row is ahead differs between runs by one boundary tensor, so the bound is not zero.

#include "engine/predict/plan_costs.h"
#include "engine/predict/simulator.h"
#include "engine/predict/variant_schedule.h"
#include "engine/run/calibrate/calibrator.h"
#include "engine/run/device/allocator.h"
#include "engine/run/measure/memory_check.h"
#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

using namespace test;

constexpr double kTolerance = 0.02;

std::shared_ptr<const predict::CostTable> calibrated(const plan::Experiment& experiment) {
  installAllocator(plan::AllocatorKind::Caching);
  CalibrationPorts ports;
  ports.budgetSeconds = 0.3;
  return std::make_shared<predict::CostTable>(valueOf(calibrate(experiment, ports)).value());
}

std::string variantsOf(const std::string& stages) {
  std::string list;
  for (const char* const schedule : {"gpipe", "1f1b", "zb-h1", "zb-h2"}) {
    list += std::string(R"({"name":")") + schedule + R"(","strategy":"pipeline","schedule":")" +
            schedule + R"(","split_size":3,"placement":)" + stages + "},";
  }
  return R"("repeat":1,"warmup":0,"verify_gradients":false,"variants":[)" + list +
         R"({"name":"one","strategy":"single","device":"cpu:0"}]})";
}

/// `table` may be null: estimates.
void expectMeasuredAsPredicted(const plan::Experiment& experiment,
                               std::shared_ptr<const predict::CostTable> table, double tolerance) {
  installAllocator(plan::AllocatorKind::Caching);
  Recorded recorded;
  RunPorts ports = recorded.ports();
  ports.costs = std::move(table);
  ASSERT_TRUE(runExperiment(experiment, ports));
  for (const plan::Variant& variant : experiment.variants) {
    const auto costs = valueOf(predict::planCosts(experiment, variant, ports.costs.get()));
    const auto lowered = valueOf(predict::lowerVariant(experiment, variant));
    const auto simulation = valueOf(predict::simulate(lowered, costs));
    const Json devices = recorded.result(variant.id).at("devices");
    ASSERT_EQ(devices.size(), simulation.peakBytes.size());
    for (std::size_t row = 0; row < devices.size(); ++row) {
      const auto measured = devices[row].at("peak_bytes").get<double>();
      EXPECT_NEAR(static_cast<double>(simulation.peakBytes[row]) / measured, 1.0, tolerance)
          << variant.id << " on row " << row << ": measured " << measured;
    }
  }
}

void expectMeasuredAsPredicted(const std::string& json) {
  const plan::Experiment experiment = experimentOf(json);
  expectMeasuredAsPredicted(experiment, calibrated(experiment), kTolerance);
}

TEST(PredictedMemory, OfAnMlpIsWhatItTakes) {
  expectMeasuredAsPredicted(
      R"({"stagelane":1,"name":"m","model":{"zoo":"mlp","depth":8,"width":128,"in":128,"out":128},
      "input":{"shape":[128]},"data":{"batch_size":12,"batches":2,"labels":"normal"},"loss":"mse",
      "devices":["cpu:0","cpu:1"],)" +
      variantsOf(R"("optimal")"));
}

TEST(PredictedMemory, OfAResNetIsWhatItTakes) {
  expectMeasuredAsPredicted(
      R"({"stagelane":1,"name":"r","model":{"zoo":"resnet18","num_classes":7},
      "input":{"shape":[3,32,32]},"data":{"batch_size":9,"batches":2,"labels":"class"},
      "loss":"cross_entropy","optimizer":{"kind":"sgd","lr":0.01,"momentum":0.9},
      "devices":["cpu:0","cpu:1"],)" +
      variantsOf(R"({"":"cpu:0","layer4":"cpu:1","avgpool":"cpu:1","fc":"cpu:1"})"));
}

/// The weights of a transformer are large beside its activations, and at the peak of a forward
/// their gradients are not yet there.
TEST(PredictedMemory, OfAnUnmeasuredGptIsCloseToWhatItTakes) {
  constexpr double kOfEstimates = 0.1;
  expectMeasuredAsPredicted(experimentOf(
                                R"({"stagelane":1,"name":"g",
      "model":{"zoo":"gpt","layers":4,"heads":4,"width":128,"vocab":2000,"context":64},
      "input":{"shape":[64]},"data":{"batch_size":8,"batches":2,"labels":"class"},
      "loss":"cross_entropy","devices":["cpu:0","cpu:1"],"repeat":1,"warmup":0,
      "verify_gradients":false,"variants":[
      {"name":"one","strategy":"single","device":"cpu:0"},
      {"name":"g","strategy":"pipeline","schedule":"gpipe","split_size":2,
       "placement":{"embedding":"cpu:0","h.0":"cpu:0","h.1":"cpu:0","h.2":"cpu:0","":"cpu:1"}},
      {"name":"p","strategy":"pipeline","schedule":"1f1b","split_size":2,
       "placement":{"embedding":"cpu:0","h.0":"cpu:0","h.1":"cpu:0","h.2":"cpu:0","":"cpu:1"}}]})"),
                            nullptr, kOfEstimates);
}

/// A block that shrinks its tensor keeps nothing; its kept bytes are not negative.
TEST(PredictedMemory, OfInferenceIsCalibratedAndHasNothingKept) {
  const plan::Experiment experiment = experimentOf(
      R"({"stagelane":1,"name":"r","task":"infer","model":{"zoo":"resnet18","num_classes":7},
      "input":{"shape":[3,32,32]},"data":{"batch_size":4,"batches":1},"devices":["cpu:0"],
      "variants":[{"name":"s","strategy":"single","device":"cpu:0"}]})");
  const auto table = calibrated(experiment);
  for (const predict::BlockCosts& block : table->blocks) {
    for (const predict::CostPoint& point : block.points) {
      EXPECT_EQ(point.savedBytes, 0) << block.name;
      EXPECT_GT(point.outputBytes, 0) << block.name;
    }
  }
  const auto read = predict::costTableFromJson(predict::toJson(*table), "calibration");
  EXPECT_TRUE(read) << describe(read.error());
}

TEST(PredictedMemory, DecidesFromMeasuredCostsWhatFits) {
  plan::Experiment experiment = experimentOf(
      R"({"stagelane":1,"name":"m","model":{"zoo":"mlp","depth":8,"width":128,"in":128,"out":128},
      "input":{"shape":[128]},"data":{"batch_size":12,"batches":2,"labels":"normal"},"loss":"mse",
      "devices":["cpu:0","cpu:1"],)" +
      variantsOf(R"("optimal")"));
  const auto table = calibrated(experiment);
  const plan::Variant& variant = experiment.variants.front();
  const auto lowered = valueOf(predict::lowerVariant(experiment, variant));
  const auto costs = valueOf(predict::planCosts(experiment, variant, table.get()));
  const Bytes peak = valueOf(predict::simulate(lowered, costs)).peakBytes[1];
  experiment.devices[1].maxMemory = peak;
  EXPECT_FALSE(valueOf(overBudget(experiment, variant, table.get())).has_value());
  experiment.devices[1].maxMemory = peak - 1;
  EXPECT_TRUE(valueOf(overBudget(experiment, variant, table.get())).has_value());
}

TEST(PredictedMemory, OfAnUnmeasuredPlanDecidesAsThePredictionDoes) {
  plan::Experiment experiment = experimentOf(
      R"({"stagelane":1,"name":"m","model":{"zoo":"mlp","depth":8,"width":128,"in":128,"out":128},
      "input":{"shape":[128]},"data":{"batch_size":12,"batches":2,"labels":"normal"},"loss":"mse",
      "devices":["cpu:0","cpu:1"],)" +
      variantsOf(R"("optimal")"));
  const plan::Variant& variant = experiment.variants.front();
  const auto predicted = valueOf(predict::playPlan(experiment, variant, nullptr));
  const Bytes peak = predicted.simulation.peakBytes[1];
  experiment.devices[1].maxMemory = peak;
  EXPECT_TRUE(valueOf(predict::predictStep(experiment, variant, nullptr)).fits());
  EXPECT_FALSE(valueOf(overBudget(experiment, variant)).has_value());
  experiment.devices[1].maxMemory = peak - 1;
  EXPECT_FALSE(valueOf(predict::predictStep(experiment, variant, nullptr)).fits());
  const auto over = valueOf(overBudget(experiment, variant));
  ASSERT_TRUE(over);
  EXPECT_EQ(over->needs, peak);
  // A table with missing blocks does not prevent the run.
  const predict::CostTable incomplete{};
  EXPECT_TRUE(valueOf(overBudget(experiment, variant, &incomplete)));
}

}  // namespace
}  // namespace stagelane::run
