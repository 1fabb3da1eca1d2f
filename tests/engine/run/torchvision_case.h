#pragma once

/// Shared by the tests that compare models with PyTorch's and torchvision's own: the same seed
/// gives the same weights and data to the last bit, and the same weights and data give the same
/// outputs and gradients.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "engine/base/json.h"
#include "engine/model/model.h"
#include "engine/run/device/worker.h"
#include "engine/run/step/data.h"
#include "engine/run/step/tensors.h"
#include "tests/engine/run/python_reference.h"
#include "tests/support/paths.h"

namespace stagelane::run::test {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, at::Tensor>;

constexpr std::uint64_t kSeed = 3;

/// What the script computed.
struct Reference {
  Tensors initial, gradients, after;
  at::Tensor input, target, output, loss;
};

inline Tensors loadAll(const fs::path& folder, const Json& entries) {
  Tensors tensors;
  for (const auto& [name, entry] : entries.items()) tensors[name] = load(folder, entry);
  return tensors;
}

inline Reference loadReference(const fs::path& folder) {
  const auto index = readJsonFile((folder / "index.json").string());
  EXPECT_TRUE(index) << describe(index.error());
  Reference reference;
  reference.initial = loadAll(folder, index->at("initial"));
  reference.gradients = loadAll(folder, index->at("gradients"));
  reference.after = loadAll(folder, index->at("after"));
  reference.input = load(folder, index->at("input"));
  reference.target = load(folder, index->at("target"));
  reference.output = load(folder, index->at("output"));
  reference.loss = load(folder, index->at("loss"));
  return reference;
}

struct Case {
  std::string model;
  std::int64_t size = 0;  ///< of the square image, 0 for none
  std::int64_t batch = 2;
  plan::LossKind loss = plan::LossKind::MeanSquaredError;
  double tolerance = 0;  ///< of ‖a−b‖∞ / ‖b‖∞
  at::ScalarType dtype = at::kFloat;
};

inline double relativeError(const at::Tensor& ours, const at::Tensor& theirs) {
  const double scale = theirs.to(at::kDouble).abs().max().item<double>();
  const double distance =
      (ours.to(at::kDouble) - theirs.to(at::kDouble)).abs().max().item<double>();
  return scale == 0 ? distance : distance / scale;
}

inline bool isGpt(const Case& what) { return what.model.rfind("gpt", 0) == 0; }

inline Result<model::ModelPtr> modelOf(const Case& what) {
  if (!isGpt(what)) return model::modelFromArgument(what.model);
  Json definition = Json::parse(
      R"({"zoo": "gpt", "layers": 2, "heads": 2, "width": 32, "vocab": 64, "context": 16})");
  if (what.model == "gpt-tied-dropout") {
    definition["tie"] = true;
    definition["dropout"] = 0.1;
  }
  return model::buildModel(definition, "/model", "");
}

inline plan::Experiment experimentOf(const Case& what, const model::ModelPtr& model) {
  plan::Experiment experiment;
  experiment.model = model;
  experiment.input = what.size == 0 ? model::Shape{10} : model::Shape{3, what.size, what.size};
  if (isGpt(what)) experiment.input = experiment.outputRows = {what.size};
  experiment.data.batchSize = what.batch;
  experiment.data.seed = kSeed;
  experiment.loss = what.loss;
  experiment.data.labels =
      what.loss == plan::LossKind::CrossEntropy ? plan::Labels::ClassIndex : plan::Labels::OneHot;
  return experiment;
}

/// Has Python compute the case into `folder`; its exit code.
inline int computeReference(const Case& what, const fs::path& folder) {
  const std::string command =
      pythonProgram() + " " + checkout::root() + "/tests/engine/run/torchvision_reference.py " +
      folder.string() + " " + what.model + " " + std::to_string(what.size) + " " +
      std::to_string(what.batch) + " " + std::to_string(kSeed) + " " +
      (what.loss == plan::LossKind::CrossEntropy ? "cross_entropy" : "mse") +
      (what.dtype == at::kDouble ? " float64" : " float32");
  return WEXITSTATUS(std::system(command.c_str()));
}

inline void expectNear(const StageTensors& tensors, const Reference& reference, double tolerance) {
  double worst = 0;
  ASSERT_EQ(tensors.parameters().size(), reference.gradients.size());
  for (const auto& [name, parameter] : tensors.parameters()) {
    ASSERT_TRUE(parameter.grad().defined()) << name;
    const double error = relativeError(parameter.grad(), reference.gradients.at(name));
    worst = std::max(worst, error);
    EXPECT_LE(error, tolerance) << "gradient of " << name;
  }
  ASSERT_EQ(tensors.buffers().size(), reference.after.size());
  for (const auto& [name, buffer] : tensors.buffers()) {
    EXPECT_LE(relativeError(buffer, reference.after.at(name)), tolerance) << name;
  }
  std::printf("worst relative error of a gradient: %.3g\n", worst);
}

/// The test itself.
inline void expectSame(const Case& what) {
  const TemporaryFolder folder;
  const int exitCode = computeReference(what, folder.path());
  if (exitCode == kNoTorch || exitCode == 127) {
    GTEST_SKIP() << pythonProgram() << " has no torch with torchvision ('./dev test' installs it; "
                 << "STAGELANE_PYTHON names another Python)";
  }
  ASSERT_EQ(exitCode, 0) << "torchvision_reference.py failed";
  const Reference reference = loadReference(folder.path());

  const auto model = modelOf(what);
  ASSERT_TRUE(model) << describe(model.error());

  const InitialValues initial = drawInitialValues(**model, kSeed, what.dtype);
  ASSERT_EQ(initial.size(), reference.initial.size());
  for (const auto& [name, tensor] : reference.initial) {
    ASSERT_EQ(initial.count(name), 1U) << name;
    EXPECT_TRUE(at::equal(initial.at(name), tensor)) << name << " begins differently";
  }

  const plan::Experiment experiment = experimentOf(what, *model);
  SyntheticData data(experiment, what.dtype);
  const Batch batch = data.next();
  EXPECT_TRUE(at::equal(batch.input, reference.input));
  EXPECT_TRUE(at::equal(batch.target, reference.target));

  StageTensors tensors(**model, 0, (*model)->blocks.size() - 1, initial, at::kCPU,
                       plan::MemoryFormat::Contiguous);
  BackendOptions oneThread;
  oneThread.owner = 1;
  Worker worker("cpu:0", std::move(*makeBackend(DeviceId{"cpu:0"}, oneThread)));
  at::Tensor output;
  at::Tensor loss;
  const Status status =
      worker
          .submit([&]() -> Status {
            output =
                runBlocks(**model, 0, (*model)->blocks.size() - 1, tensors, {batch.input}).at(0);
            loss = scaledLoss(what.loss, output, batch.target, what.batch);
            loss.backward();
            return {};
          })
          .get();
  ASSERT_TRUE(status) << describe(status.error());

  EXPECT_LE(relativeError(output.detach(), reference.output), what.tolerance) << "output";
  EXPECT_LE(relativeError(loss.detach(), reference.loss), what.tolerance) << "loss";
  expectNear(tensors, reference, what.tolerance);
}

inline std::string nameOf(const ::testing::TestParamInfo<Case>& instance) {
  std::string name = instance.param.model;
  std::replace(name.begin(), name.end(), '-', '_');
  return name + (instance.param.loss == plan::LossKind::CrossEntropy ? "CrossEntropy" : "");
}

}  // namespace stagelane::run::test
