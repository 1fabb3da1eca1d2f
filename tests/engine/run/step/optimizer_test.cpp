#include "engine/run/step/optimizer.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "engine/run/step/clip.h"
#include "tests/engine/run/python_reference.h"
#include "tests/support/paths.h"

namespace stagelane::run {
namespace {

at::Tensor parameterOf(const at::Tensor& value) { return value.clone().requires_grad_(true); }

plan::OptimizerSpec sgd(double momentum) {
  plan::OptimizerSpec spec;
  spec.learningRate = 0.1;
  spec.momentum = momentum;
  return spec;
}

plan::OptimizerSpec specOf(const std::string& kind, const Json& arguments) {
  plan::OptimizerSpec spec;
  spec.kind = kind;
  spec.learningRate = arguments.value("lr", spec.learningRate);
  spec.momentum = arguments.value("momentum", spec.momentum);
  spec.weightDecay = arguments.value("weight_decay", spec.weightDecay);
  spec.eps = arguments.value("eps", spec.eps);
  if (arguments.contains("betas")) {
    spec.betas = {arguments["betas"][0].get<double>(), arguments["betas"][1].get<double>()};
  }
  return spec;
}

/// The steps that the script computes, in both precisions.
Json everySpec() {
  Json specs = Json::array();
  const auto add = [&](const char* kind, const char* arguments) {
    for (const char* dtype : {"float32", "float64"}) {
      specs.push_back({{"kind", kind}, {"dtype", dtype}, {"arguments", Json::parse(arguments)}});
    }
  };
  add("sgd", R"({"lr":0.1})");
  add("sgd", R"({"lr":0.1,"momentum":0.9})");
  add("sgd", R"({"lr":0.1,"weight_decay":0.01})");
  add("sgd", R"({"lr":0.05,"momentum":0.9,"weight_decay":0.01})");
  add("adam", R"({"lr":0.001})");
  add("adam", R"({"lr":0.01,"betas":[0.8,0.95],"eps":1e-6,"weight_decay":0.1})");
  add("adam", R"({"lr":0.01,"betas":[0.0,0.0]})");
  add("adamw", R"({"lr":0.001,"weight_decay":0.01})");
  add("adamw", R"({"lr":0.01,"betas":[0.8,0.95],"eps":1e-6,"weight_decay":0.0})");
  for (const double largest : {0.5, 1000.0}) {
    for (const char* dtype : {"float32", "float64"}) {
      specs.push_back(
          {{"kind", "sgd"}, {"dtype", dtype}, {"arguments", {{"lr", 0.1}}}, {"clip", largest}});
    }
  }
  return specs;
}

using test::load;

/// As the rows of an executor do it, with one parameter per stage.
void clip(const std::vector<at::Tensor>& parameters, double maxNorm) {
  std::vector<std::vector<NamedNorm>> norms;
  for (const at::Tensor& parameter : parameters) {
    std::vector<NamedNorm>& stage = norms.emplace_back();
    if (parameter.grad().defined()) {
      stage.push_back({std::to_string(norms.size()), at::linalg_vector_norm(parameter.grad(), 2)});
    }
  }
  const at::Tensor factor = clipFactor(norms, maxNorm);
  for (const at::Tensor& parameter : parameters) {
    if (parameter.grad().defined()) parameter.grad().mul_(factor);
  }
}

void expectSameSteps(const Json& spec, const Json& expected, const std::filesystem::path& folder) {
  SCOPED_TRACE(spec.dump());
  std::vector<at::Tensor> parameters;
  for (const Json& start : expected.at("start")) {
    parameters.push_back(parameterOf(load(folder, start)));
  }
  const auto optimizer = makeOptimizer(specOf(spec["kind"], spec["arguments"]), parameters);
  for (const Json& step : expected.at("steps")) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Json& gradient = step["gradients"][i];
      parameters[i].mutable_grad() = gradient.is_null() ? at::Tensor() : load(folder, gradient);
    }
    if (spec.contains("clip")) clip(parameters, spec["clip"]);
    optimizer->step();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      EXPECT_TRUE(at::equal(parameters[i], load(folder, step["after"][i]))) << "parameter " << i;
    }
  }
}

TEST(Optimizer, StepsToTheLastBitLikePyTorch) {
  const test::TemporaryFolder folder;
  const Json specs = everySpec();
  const std::string command = test::pythonProgram() + " " + checkout::root() +
                              "/tests/engine/run/optimizer_reference.py " + folder.path().string() +
                              " '" + specs.dump() + "'";
  const int exitCode = WEXITSTATUS(std::system(command.c_str()));
  if (exitCode == test::kNoTorch || exitCode == 127) {
    GTEST_SKIP() << test::pythonProgram() << " has no torch ('./dev test' installs it)";
  }
  ASSERT_EQ(exitCode, 0) << "optimizer_reference.py failed";
  const auto index = readJsonFile((folder.path() / "index.json").string());
  ASSERT_TRUE(index) << describe(index.error());
  ASSERT_EQ(index->size(), specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    expectSameSteps(specs[i], (*index)[i], folder.path());
  }
}

TEST(Optimizer, LeavesAParameterWithoutGradientAlone) {
  const at::Tensor start = at::randn({3});
  for (const char* kind : {"sgd", "adam", "adamw"}) {
    plan::OptimizerSpec spec = sgd(0.0);
    spec.kind = kind;
    spec.weightDecay = 0.1;
    at::Tensor parameter = parameterOf(start);
    makeOptimizer(spec, {parameter})->step();
    EXPECT_TRUE(parameter.equal(start)) << kind;
  }
}

TEST(Optimizer, DropsGradientsOnDemand) {
  at::Tensor parameter = parameterOf(at::randn({3}));
  parameter.mutable_grad() = at::randn({3});
  const auto optimizer = makeOptimizer(sgd(0.0), {parameter});
  optimizer->step();
  EXPECT_TRUE(parameter.grad().defined());
  optimizer->dropGradients();
  EXPECT_FALSE(parameter.grad().defined());
}

TEST(Optimizer, DoesNothingWithoutParameters) {
  const auto optimizer = makeOptimizer(sgd(0.9), {});
  optimizer->step();
  optimizer->dropGradients();
}

}  // namespace
}  // namespace stagelane::run
