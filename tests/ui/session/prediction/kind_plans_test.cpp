#include "ui/session/prediction/kind_plans.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/plan/rows.h"
#include "engine/search/resolve.h"
#include "engine/search/suggestion.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {
namespace {

/// A single device, beside which other plans are compared, and a sweep.
Json resnet(int devices) {
  Json document = Json::parse(R"({
    "stagelane": 1, "name": "r", "model": {"zoo": "resnet18", "num_classes": 10},
    "input": {"shape": [3, 64, 64]}, "data": {"batch_size": 16, "labels": "one_hot"},
    "devices": [], "repeat": 1, "variants": [
      {"id": "base", "name": "base", "strategy": "single", "include": true},
      {"name": "sweep", "strategy": "pipeline", "schedule": "gpipe", "split_size": [4, 8],
       "recompute": "always"}]})");
  for (int device = 0; device < devices; ++device) {
    document["devices"].push_back("cpu:" + std::to_string(device));
  }
  if (devices > 2) {
    document["variants"][1]["replicas"] = 2;
    document["variants"][1]["bucket_mb"] = 5;
  }
  return document;
}

plan::Experiment read(const Json& document) {
  auto experiment = plan::readExperiment(document, "", {});
  EXPECT_TRUE(experiment) << (experiment ? "" : describe(experiment.error()));
  return experiment ? search::resolveStages(*experiment, nullptr) : plan::Experiment{};
}

KindPlansPtr kindsOf(const plan::Experiment& experiment) {
  KindQuestion question;
  question.experiment = &experiment;
  const auto found = kindPlansFor(question);
  EXPECT_TRUE(found) << (found ? "" : describe(found.error()));
  return found ? *found : nullptr;
}

TEST(KindPlans, TakeWhatTheySayOnceTheyAreApplied) {
  const Json document = resnet(4);
  const plan::Experiment experiment = read(document);
  const KindPlansPtr found = kindsOf(experiment);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->complete);
  ASSERT_GE(found->plans.size(), 6U);
  std::set<QString> names;
  for (const search::KindPlan& plan : found->plans) {
    const std::string name = kindName(plan).toStdString();
    EXPECT_TRUE(names.insert(kindName(plan)).second) << name;
    for (const std::size_t index : {0U, 1U}) {
      const Json changed = withKind(document, index, experiment, plan);
      EXPECT_EQ(changed["variants"][index]["name"], document["variants"][index]["name"]);
      const plan::Experiment after = read(changed);
      const plan::Variant* variant = nullptr;
      for (const plan::Variant& one : after.variants) {
        if (one.name == document["variants"][index]["name"]) variant = &one;
      }
      ASSERT_NE(variant, nullptr) << name << changed.dump(2);
      EXPECT_TRUE(isPlan(*variant, plan)) << name << changed["variants"][index].dump(2);
      const auto step = predictStep(after, *variant);
      ASSERT_TRUE(step) << name;
      // The search for an order makes less effort than the prediction of the tab.
      if (plan.schedule == "auto") continue;
      EXPECT_EQ(step->stepNs, plan.stepNs) << name;
    }
  }
}

TEST(KindPlans, HaveTheBaseOfThePrediction) {
  const plan::Experiment experiment = read(resnet(2));
  const KindPlansPtr found = kindsOf(experiment);
  ASSERT_TRUE(found);
  const auto prediction = predictPlan(experiment, experiment.variants.front());
  ASSERT_TRUE(prediction);
  EXPECT_EQ(found->base.stepNs, (*prediction)->baseStepNs);
  EXPECT_EQ(found->base.name, (*prediction)->baseName);
  EXPECT_GT(found->speedup(found->plans.front()), 1.0);
}

TEST(KindPlans, ArePipelinesAsFastAsTheBestSuggestion) {
  const plan::Experiment experiment = read(resnet(2));
  const auto suggestions =
      suggestionsFor(experiment, experiment.variants.front(), nullptr, [] { return true; });
  ASSERT_TRUE(suggestions);
  KindQuestion question;
  question.experiment = &experiment;
  question.suggestions = *suggestions;
  const auto found = kindPlansFor(question);
  ASSERT_TRUE(found);
  const PlanSuggestion* best = (*suggestions)->of(SuggestionKind::Everything);
  ASSERT_NE(best, nullptr);
  for (const search::KindPlan& plan : (*found)->plans) {
    if (kindName(plan) != QStringLiteral("pipeline")) continue;
    EXPECT_LE(plan.stepNs, best->stepNs);
  }
}

TEST(KindPlans, ThatDoNotFitAreLastAndSayWhatTheyLack) {
  Json document = resnet(2);
  document["devices"] = Json::parse(
      R"([{"id": "cpu:0", "max_memory": "100MiB"}, {"id": "cpu:1", "max_memory": "170MiB"}])");
  const KindPlansPtr found = kindsOf(read(document));
  ASSERT_TRUE(found);
  bool fits = true;
  for (const search::KindPlan& plan : found->plans) {
    EXPECT_TRUE(fits || !plan.fits());
    fits = plan.fits();
    const bool said = plan.reason.find("does not fit") != std::string::npos;
    EXPECT_EQ(said, !fits) << plan.reason;
  }
  EXPECT_FALSE(fits);
}

TEST(KindPlans, BesideAVariantAreNamedByTheirKind) {
  const Json document = resnet(4);
  const plan::Experiment experiment = read(document);
  const KindPlansPtr found = kindsOf(experiment);
  ASSERT_TRUE(found);
  for (const search::KindPlan& plan : found->plans) {
    const Json after = withKindBeside(document, 0, experiment, plan);
    ASSERT_EQ(after["variants"].size(), 3U);
    EXPECT_EQ(after["variants"][0], document["variants"][0]);
    EXPECT_EQ(after["variants"][1]["name"], kindTitle(plan.strategy, plan.replicas).toStdString());
    EXPECT_EQ(after["variants"][2], document["variants"][1]);
  }
}

TEST(KindPlans, OfACanceledSearchAreIncomplete) {
  const plan::Experiment experiment = read(resnet(2));
  KindQuestion question;
  question.experiment = &experiment;
  question.goesOn = [] { return false; };
  const auto found = kindPlansFor(question);
  ASSERT_TRUE(found);
  EXPECT_FALSE((*found)->complete);
}

/// In the form that the window edits: a placement of the first replica, and their number.
TEST(KindPlans, WithReplicasLeaveTheDevicesOfTheOthersToTheReader) {
  const Json document = resnet(4);
  const plan::Experiment experiment = read(document);
  const KindPlansPtr found = kindsOf(experiment);
  ASSERT_TRUE(found);
  for (const search::KindPlan& plan : found->plans) {
    if (kindName(plan) != QStringLiteral("pipeline.2")) continue;
    const Json variant = withKind(document, 0, experiment, plan)["variants"][0];
    EXPECT_EQ(variant["replicas"], 2);
    EXPECT_FALSE(variant.contains("stages"));
    return;
  }
  FAIL() << "no pipeline with two replicas";
}

}  // namespace
}  // namespace stagelane::ui
