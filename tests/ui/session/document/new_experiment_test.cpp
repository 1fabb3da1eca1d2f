#include "ui/session/document/new_experiment.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>
#include <algorithm>
#include <iterator>

#include "engine/search/resolve.h"
#include "ui/session/document/new_experiment_check.h"

namespace stagelane::ui {
namespace {

NewExperiment withItsInput(const std::string& zooName) {
  NewExperiment experiment = beginningWith(zooName);
  const auto model = model::buildModel(experiment.model.definition, "", "");
  experiment.model.input = inputFor(**model, experiment.model.input);
  return experiment;
}

class EveryModel : public testing::TestWithParam<model::ZooEntry> {};

TEST_P(EveryModel, BeginsWithThreeVariantsThatCanBePlanned) {
  const NewExperimentCheck check = checkNew(withItsInput(GetParam().name), "");
  ASSERT_EQ(check.problem, QString());
  const auto read = plan::readExperiment(check.document, "", {});
  ASSERT_TRUE(read.has_value()) << read.error().message << read.error().context;
  std::vector<plan::Variant> variants;
  std::copy_if(read->variants.begin(), read->variants.end(), std::back_inserter(variants),
               [](const plan::Variant& variant) { return !variant.implicit; });
  ASSERT_EQ(variants.size(), 3U);
  EXPECT_EQ(variants[0].strategy, plan::Strategy::Single);
  EXPECT_EQ(variants[1].strategy, plan::Strategy::ModelParallel);
  EXPECT_EQ(variants[2].strategy, plan::Strategy::Pipeline);
  EXPECT_EQ(variants[2].stages.size(), 2U);
  EXPECT_TRUE(read->warnings.empty()) << read->warnings.front();
}

INSTANTIATE_TEST_SUITE_P(Zoo, EveryModel, testing::ValuesIn(model::zoo()), [](const auto& each) {
  std::string name = each.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(NewExperimentOf, OneDeviceHasOnlyTheSingleVariant) {
  NewExperiment experiment = withItsInput("toy");
  experiment.devices = 1;
  const NewExperimentCheck check = checkNew(experiment, "");
  EXPECT_EQ(check.problem, QString());
  EXPECT_EQ(check.document["variants"].size(), 1U);
  EXPECT_EQ(check.document["name"], "toy, 1 device");
}

TEST(NewExperimentOf, AValueIsTrainedByItsDistance) {
  const NewExperimentCheck check = checkNew(withItsInput("net"), "");
  EXPECT_EQ(check.document["loss"], "mse");
  EXPECT_EQ(check.document["data"]["labels"], "normal");
  EXPECT_EQ(checkNew(withItsInput("toy"), "").document["loss"], "cross_entropy");
}

TEST(NewExperimentOf, AModelFileTakesItsInputFromTheFirstLayer) {
  const QTemporaryDir folder;
  QFile file(folder.filePath(QStringLiteral("two.json")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(
      R"({"layers": [{"kind": "Linear", "in_features": 7, "out_features": 9}, {"kind": "ReLU"},
                            {"kind": "Linear", "in_features": 9, "out_features": 3}]})");
  file.close();
  NewExperiment experiment;
  experiment.model.definition = {{"file", "two.json"}};
  experiment.batchSize = 8;
  const std::string base = folder.path().toStdString();
  NewExperimentCheck check = checkNew(experiment, base);
  ASSERT_TRUE(check.model != nullptr) << check.problem.toStdString();
  EXPECT_EQ(check.field, NewField::Input);
  experiment.model.input = inputFor(*check.model, {});
  EXPECT_EQ(experiment.model.input, model::Shape{7});
  check = checkNew(experiment, base);
  EXPECT_EQ(check.problem.toStdString(), "");
  EXPECT_TRUE(check.summary.contains(QStringLiteral("3 blocks"))) << check.summary.toStdString();
}

TEST(NewExperimentProblem, IsSaidAtTheFieldThatMakesIt) {
  NewExperiment experiment = withItsInput("gpt");
  experiment.model.definition["heads"] = 7;
  EXPECT_EQ(checkNew(experiment, "").field, NewField::Model);
  EXPECT_TRUE(checkNew(experiment, "").problem.contains(QStringLiteral("does not divide")));

  experiment = withItsInput("gpt");
  experiment.model.input = {4096};  // of 128 positions
  EXPECT_EQ(checkNew(experiment, "").field, NewField::Input);
  EXPECT_FALSE(checkNew(experiment, "").problem.isEmpty());

  experiment = withItsInput("resnet18");
  experiment.model.input = {3, 32, 32};
  experiment.batchSize = 1;
  EXPECT_EQ(checkNew(experiment, "").field, NewField::BatchSize);
  EXPECT_TRUE(checkNew(experiment, "").problem.contains(QStringLiteral("one value per channel")))
      << checkNew(experiment, "").problem.toStdString();

  experiment = withItsInput("resnet18");
  experiment.model.input = {3, 99999, 99999};
  experiment.batchSize = 64;
  EXPECT_FALSE(checkNew(experiment, "").problem.contains(QChar(u'/')))
      << checkNew(experiment, "").problem.toStdString();
  EXPECT_TRUE(checkNew(experiment, "").problem.contains(QStringLiteral("the batch size")));

  experiment = withItsInput("toy");
  experiment.devices = 4;  // for three blocks
  EXPECT_EQ(checkNew(experiment, "").field, NewField::Devices);
  EXPECT_FALSE(checkNew(experiment, "").problem.isEmpty());
}

TEST(ParametersOfAModel, CountTiedOnesOnce) {
  const Json sizes{{"zoo", "gpt"}, {"layers", 1},  {"heads", 1},
                   {"width", 8},   {"vocab", 100}, {"context", 4}};
  Json tied = sizes;
  tied["tie"] = true;
  const auto apart = model::buildModel(sizes, "", "");
  const auto together = model::buildModel(tied, "", "");
  EXPECT_EQ(parameterCount(**apart) - parameterCount(**together), 800);
}

}  // namespace
}  // namespace stagelane::ui
