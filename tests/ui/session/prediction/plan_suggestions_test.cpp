#include "ui/session/prediction/plan_suggestions.h"

#include <gtest/gtest.h>

#include "engine/search/resolve.h"
#include "engine/search/suggestion.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {
namespace {

Json resnet(const char* variant) {
  Json document = Json::parse(R"({
    "stagelane": 1, "name": "r", "model": {"zoo": "resnet18", "num_classes": 10},
    "input": {"shape": [3, 64, 64]}, "data": {"batch_size": 16, "labels": "one_hot"},
    "devices": ["cpu:0", "cpu:1"], "repeat": 1, "variants": []})");
  document["variants"].push_back(Json::parse(variant));
  return document;
}

/// A cut far from the middle.
constexpr const char* kBadCut = R"({"name": "p", "strategy": "pipeline", "schedule": "gpipe",
  "split_size": 16, "placement": {"conv1": "cpu:0", "bn1": "cpu:1", "relu": "cpu:1",
  "maxpool": "cpu:1", "layer1": "cpu:1", "layer2": "cpu:1", "layer3": "cpu:1", "layer4": "cpu:1",
  "avgpool": "cpu:1", "fc": "cpu:1"}})";

plan::Experiment read(const Json& document) {
  auto experiment = plan::readExperiment(document, "", {});
  EXPECT_TRUE(experiment) << (experiment ? "" : describe(experiment.error()));
  return experiment ? search::resolveStages(*experiment, nullptr) : plan::Experiment{};
}

PlanSuggestionsPtr suggest(const plan::Experiment& experiment) {
  const auto found =
      suggestionsFor(experiment, experiment.variants.front(), nullptr, [] { return true; });
  EXPECT_TRUE(found);
  return found ? *found : nullptr;
}

/// The predicted time of each suggestion is that of the plan after it is applied.
TEST(PlanSuggestions, TakeWhatTheySayOnceTheyAreApplied) {
  const Json document = resnet(kBadCut);
  const plan::Experiment experiment = read(document);
  const PlanSuggestionsPtr found = suggest(experiment);
  ASSERT_TRUE(found);
  for (const SuggestionKind kind : {SuggestionKind::Split, SuggestionKind::Schedule,
                                    SuggestionKind::Placement, SuggestionKind::Everything}) {
    const PlanSuggestion* suggestion = found->of(kind);
    ASSERT_NE(suggestion, nullptr) << static_cast<int>(kind);
    const plan::Experiment after =
        read(withSuggestion(document, 0, *experiment.model, *suggestion));
    const auto step = predictStep(after, after.variants.front());
    ASSERT_TRUE(step);
    EXPECT_EQ(step->stepNs, suggestion->stepNs) << suggestionTitle(*suggestion).toStdString();
    EXPECT_LE(suggestion->stepNs, found->stepNs);
    EXPECT_GE(found->gain(*suggestion), 0.0);
  }
}

TEST(PlanSuggestions, MendABadCutAndProveHowGoodTheNewOneIs) {
  Json document = resnet(kBadCut);
  document["variants"][0]["split_size"] = 4;  // with one micro-batch every cut takes as long
  const plan::Experiment experiment = read(document);
  const PlanSuggestionsPtr found = suggest(experiment);
  const PlanSuggestion* placement = found->of(SuggestionKind::Placement);
  ASSERT_NE(placement, nullptr);
  EXPECT_FALSE(placement->asItIs);
  EXPECT_GT(found->gain(*placement), 0.1);
  EXPECT_GT(placement->lowerBoundNs, 0);
  EXPECT_GE(placement->gap, 0.0);
  EXPECT_LE(placement->lowerBoundNs, placement->stepNs);
}

/// If stages take turns, the search balances them; the curve of cuts may have a faster cut.
TEST(PlanSuggestions, SayThatAPlacementIsBalancedWhereStagesTakeTurns) {
  const auto titleOf = [](const char* variant) {
    const PlanSuggestionsPtr found = suggest(read(resnet(variant)));
    const PlanSuggestion* placement = found->of(SuggestionKind::Placement);
    return placement != nullptr && placement->asItIs ? ownPlacementTitle(*placement) : QString();
  };
  EXPECT_EQ(titleOf(R"({"name": "m", "strategy": "model_parallel", "placement": "optimal"})"),
            QStringLiteral("The stages are balanced"));
  EXPECT_EQ(titleOf(R"({"name": "p", "strategy": "pipeline", "schedule": "1f1b", "split_size": 4,
                        "placement": "optimal"})"),
            QStringLiteral("No placement is clearly better"));
  PlanSuggestion faster;
  faster.balanced = false;
  EXPECT_EQ(ownPlacementTitle(faster), QStringLiteral("Faster than balanced stages"));
}

TEST(PlanSuggestions, CurveOverSplitsHasTheOwnSplitAndItsLowestIsSuggested) {
  const plan::Experiment experiment = read(resnet(kBadCut));
  const PlanSuggestionsPtr found = suggest(experiment);
  ASSERT_GT(found->splits.size(), 3U);
  TimeNs least = found->splits.front().stepNs;
  bool own = false;
  for (const SplitPoint& point : found->splits) {
    least = std::min(least, point.stepNs);
    own = own || point.splitSize == 16;
  }
  EXPECT_TRUE(own);
  EXPECT_EQ(found->of(SuggestionKind::Split)->stepNs, least);
}

/// As `stagelane suggest` does: the one with the smallest lack of memory, not the fastest.
TEST(PlanSuggestions, WhereNothingFitsAreTheNearestToFitting) {
  Json document = resnet(kBadCut);
  document["devices"] = Json::parse(
      R"([{"id": "cpu:0", "max_memory": "1MiB"}, {"id": "cpu:1", "max_memory": "1MiB"}])");
  const plan::Experiment experiment = read(document);
  const PlanSuggestionsPtr found = suggest(experiment);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->fits());
  const PlanSuggestion* split = found->of(SuggestionKind::Split);
  ASSERT_NE(split, nullptr);
  for (const SplitPoint& point : found->splits) {
    EXPECT_TRUE(point.overBudget);
    plan::Variant other = experiment.variants.front();
    other.splitSize = point.splitSize;
    EXPECT_LE(split->excess, predictStep(experiment, other)->excess) << point.splitSize;
  }
  const auto best = search::suggest({&experiment, nullptr, 3, {}});
  ASSERT_TRUE(best);
  EXPECT_LE(found->of(SuggestionKind::Everything)->excess, best->best.excess);
}

TEST(PlanSuggestions, AreThePlanItselfWhereNothingIsBetter) {
  const Json document = resnet(kBadCut);
  const plan::Experiment experiment = read(document);
  const PlanSuggestion best = *suggest(experiment)->of(SuggestionKind::Everything);
  const plan::Experiment after = read(withSuggestion(document, 0, *experiment.model, best));
  const PlanSuggestionsPtr again = suggest(after);
  for (const PlanSuggestion& suggestion : again->found) {
    EXPECT_GE(suggestion.stepNs, best.stepNs * 99 / 100)
        << suggestionTitle(suggestion).toStdString();
  }
}

TEST(PlanSuggestions, OfASingleDeviceAreAPipelineAndNoSplitOfItsOwn) {
  const Json document = resnet(R"({"name": "s", "strategy": "single", "device": "cpu:0"})");
  const plan::Experiment experiment = read(document);
  const PlanSuggestionsPtr found = suggest(experiment);
  EXPECT_EQ(found->of(SuggestionKind::Split), nullptr);
  const PlanSuggestion* best = found->of(SuggestionKind::Everything);
  ASSERT_NE(best, nullptr);
  const Json after = withSuggestion(document, 0, *experiment.model, *best);
  EXPECT_EQ(after["variants"][0]["strategy"], "pipeline");
  EXPECT_FALSE(after["variants"][0].contains("device"));
  EXPECT_GT(found->gain(*best), 0.0);
}

TEST(PlanSuggestions, EndEarlyWhenNobodyWantsThemAnyMore) {
  const plan::Experiment experiment = read(resnet(kBadCut));
  const auto found =
      suggestionsFor(experiment, experiment.variants.front(), nullptr, [] { return false; });
  ASSERT_TRUE(found);
  EXPECT_TRUE((*found)->found.empty());
}

TEST(PlanSuggestions, CurveAndCardAgreeOnTheSplitToTake) {
  PlanSuggestions plan;
  plan.stepNs = 10'000;
  plan.ownSplit = 16;
  plan.splits = {{8, 12'000, false}, {11, 9'995, false}, {16, 10'000, false}};
  PlanSuggestion best;
  best.splitSize = 11;
  best.stepNs = 9'995;
  plan.found = {best};
  EXPECT_FALSE(plan.worthAnEdit(best)) << "half a tenth of a percent";
  EXPECT_EQ(plan.bestSplit(), 2U);
  plan.found[0].stepNs = 9'000;
  EXPECT_TRUE(plan.worthAnEdit(plan.found[0]));
  EXPECT_EQ(plan.bestSplit(), 1U);
  plan.found[0].excess = 1;
  EXPECT_FALSE(plan.bestSplit()) << "none fits";
}

TEST(PlanSuggestions, BesideASweepAreNamedByWhatTheyAre) {
  Json document = resnet(kBadCut);
  document["variants"][0]["split_size"] = {4, 8};
  PlanSuggestion suggestion;
  suggestion.splitSize = 2;
  suggestion.schedule = "1f1b";
  const plan::Experiment experiment = read(document);
  Json after = withSuggestionBeside(document, 0, *experiment.model, suggestion);
  after = withSuggestionBeside(after, 0, *experiment.model, suggestion);
  ASSERT_EQ(after["variants"].size(), 3U);
  EXPECT_EQ(after["variants"][0], document["variants"][0]);
  EXPECT_EQ(after["variants"][1]["name"], "1f1b 2 2");
  EXPECT_EQ(after["variants"][2]["name"], "1f1b 2");
  EXPECT_EQ(after["variants"][2]["split_size"], 2);
}

TEST(SuggestionText, SaysHowFarFromTheBestAnOrderIsProvenToBe) {
  PlanSuggestion suggestion;
  suggestion.kind = SuggestionKind::Everything;
  suggestion.splitSize = 16;
  suggestion.schedule = "auto";
  suggestion.stepNs = 1'001'000'000;
  suggestion.lowerBoundNs = 996'000'000;
  suggestion.gap = 0.005;
  EXPECT_TRUE(suggestionText(suggestion)
                  .contains(QStringLiteral("proven within 0.5 %: no order of these stages takes "
                                           "less than 996 ms")))
      << suggestionText(suggestion).toStdString();
  suggestion.gap = 0.0004;
  EXPECT_TRUE(suggestionText(suggestion)
                  .contains(QStringLiteral("proven: no order of these stages is faster")));
}

}  // namespace
}  // namespace stagelane::ui
