#include "engine/plan/sweep.h"

#include <gtest/gtest.h>

#include "engine/plan/experiment.h"

namespace stagelane::plan {
namespace {

const Json kDocument = Json::parse(R"({"stagelane":1,"name":"t","model":{"zoo":"toy"},
  "input":{"shape":[10]},"data":{"labels":"normal","batch_size":20,"batches":1},
  "devices":["cpu:0","cpu:1"],"variants":[
  {"name":"single","strategy":"single","device":"cpu:0"},
  {"name":"off","strategy":"single","device":"cpu:1","include":false},
  {"name":"mp","strategy":"model_parallel",
   "placement":{"net1":"cpu:0","relu":"cpu:0","net2":"cpu:1"}},
  {"name":"pipe","id":"own","strategy":"pipeline","schedule":"1f1b","split_size":5,
   "placement":"same as: mp"}]})");

std::vector<std::string> included(const Json& document) {
  const auto experiment = readExperiment(document, ".", {});
  EXPECT_TRUE(experiment) << (experiment ? "" : describe(experiment.error()));
  std::vector<std::string> ids;
  for (std::size_t i = 0; experiment && i < experiment->variants.size(); ++i) {
    const Variant& variant = experiment->variants[i];
    if (variant.include && !variant.implicit) ids.push_back(variant.id);
  }
  return ids;
}

TEST(SweepTest, AppendsScheduleAndSplitToTheIdsAndKeepsTheBase) {
  SweepSpec spec;
  spec.variant = "pipe";
  spec.splits = {5, 10};
  spec.schedules = {"gpipe", "zb-h1"};
  const auto jobs = sweepJobs(kDocument, spec);
  ASSERT_TRUE(jobs) << jobs.error().message;
  ASSERT_EQ(jobs->size(), 1U);
  EXPECT_EQ((*jobs)[0].experiment["name"], "t, sweep");
  EXPECT_EQ(included((*jobs)[0].experiment),
            (std::vector<std::string>{"single", "pipe-sweep-gpipe-s5", "pipe-sweep-gpipe-s10",
                                      "pipe-sweep-zb-h1-s5", "pipe-sweep-zb-h1-s10"}));
}

TEST(SweepTest, PlacementsAndRecomputeAreVariantsAndBatchesRuns) {
  SweepSpec spec;
  spec.variant = "own";
  spec.placements = {"optimal", "same as: mp"};
  spec.recomputes = {"never", "always"};
  spec.batches = {20, 40, 60};
  spec.earlyStop = true;
  const auto jobs = sweepJobs(kDocument, spec);
  ASSERT_TRUE(jobs);
  ASSERT_EQ(jobs->size(), 3U);
  EXPECT_EQ((*jobs)[1].label, "batch 40");
  EXPECT_EQ((*jobs)[1].experiment["data"]["batch_size"], 40);
  EXPECT_EQ((*jobs)[1].experiment["early_stop"], true);
  EXPECT_EQ((*jobs)[1].experiment["skip_out_of_memory"], true);
  EXPECT_EQ(included((*jobs)[2].experiment).size(), 5U);
}

TEST(SweepTest, WithoutListsItIsTheVariantItself) {
  SweepSpec spec;
  spec.variant = "pipe";
  const auto jobs = sweepJobs(kDocument, spec);
  ASSERT_TRUE(jobs);
  EXPECT_EQ(included((*jobs)[0].experiment), (std::vector<std::string>{"single", "pipe-sweep"}));
}

TEST(SweepTest, VariantsThatNeitherRunNorAreReferredToGo) {
  Json document = kDocument;
  document["variants"].push_back({{"name", "whole"},
                                  {"strategy", "pipeline"},
                                  {"split_size", 20},
                                  {"placement", "same as: pipe"}});
  SweepSpec spec;
  spec.variant = "whole";
  spec.splits = {5};
  spec.batches = {10};
  const auto jobs = sweepJobs(document, spec);
  ASSERT_TRUE(jobs);
  const Json& variants = (*jobs)[0].experiment["variants"];
  std::vector<std::string> names;
  for (const Json& variant : variants) names.push_back(variant["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"single", "mp", "pipe", "whole sweep"}));
  // Its own split size is above the batch size of the sweep.
  EXPECT_EQ(included((*jobs)[0].experiment),
            (std::vector<std::string>{"single", "whole-sweep-s5"}));
}

TEST(SweepTest, AGapInAListIsNoValue) {
  for (auto list : {&SweepSpec::schedules, &SweepSpec::placements, &SweepSpec::recomputes}) {
    SweepSpec spec;
    spec.variant = "pipe";
    spec.*list = {"optimal", ""};
    const auto jobs = sweepJobs(kDocument, spec);
    ASSERT_FALSE(jobs);
    EXPECT_EQ(jobs.error().message, "a value is missing in a list");
  }
}

TEST(SweepTest, WhatCannotBeSweptIsAnErrorWithItsPlace) {
  SweepSpec spec;
  spec.variant = "mp";
  EXPECT_EQ(sweepJobs(kDocument, spec).error().context, "/variants/2");
  spec.variant = "no such";
  EXPECT_EQ(sweepJobs(kDocument, spec).error().code, ErrorCode::Invalid);
  spec.variant = "pipe";
  spec.batches = {0};
  EXPECT_EQ(sweepJobs(kDocument, spec).error().code, ErrorCode::Invalid);
}

}  // namespace
}  // namespace stagelane::plan
