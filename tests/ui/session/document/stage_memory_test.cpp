#include "ui/session/document/stage_memory.h"

#include <gtest/gtest.h>

#include "engine/search/resolve.h"

namespace stagelane::ui {
namespace {

Json toy() {
  return Json::parse(R"({
    "stagelane": 1, "name": "t", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 8}, "repeat": 1, "devices": ["cpu:0", "cpu:1"],
    "variants": [
      {"name": "best", "strategy": "pipeline", "schedule": "1f1b", "split_size": 2,
       "placement": "optimal"},
      {"name": "searched", "strategy": "pipeline", "schedule": "auto", "split_size": 2},
      {"name": "mine", "strategy": "pipeline", "schedule": "gpipe", "split_size": 2,
       "placement": {"net1": "cpu:0", "relu": "cpu:1", "net2": "cpu:1"}}]})");
}

class StageMemoryTest : public testing::Test {
 protected:
  static plan::Experiment read(const Json& document) {
    auto experiment = plan::readExperiment(document, {}, {});
    EXPECT_TRUE(experiment) << (experiment ? "" : describe(experiment.error()));
    return experiment ? std::move(*experiment) : plan::Experiment();
  }

  plan::Experiment resolved(const Json& document) {
    plan::Experiment experiment = read(document);
    m_memory.resolve(experiment, m_costs);
    EXPECT_EQ(experiment.variants[0].open, nullptr);
    EXPECT_EQ(experiment.variants[0].stages.size(), 2U);
    return experiment;
  }

  StageMemory m_memory;
  StageMemory::Costs m_costs;
};

TEST_F(StageMemoryTest, AnEditElsewhereSearchesForNothingAgain) {
  Json document = toy();
  resolved(document);
  EXPECT_EQ(m_memory.searches(), 2);
  document["variants"][2]["placement"]["relu"] = "cpu:0";
  document["name"] = "another";
  document["repeat"] = 7;
  document["variants"][0]["name"] = "renamed";
  resolved(document);
  EXPECT_EQ(m_memory.searches(), 2);
}

TEST_F(StageMemoryTest, WhatAPlanDependsOnIsSearchedForAgain) {
  Json document = toy();
  resolved(document);
  int searches = m_memory.searches();
  const auto expectSearch = [&](const char* what) {
    resolved(document);
    EXPECT_GT(m_memory.searches(), searches) << what;
    searches = m_memory.searches();
  };
  document["variants"][0]["split_size"] = 4;
  expectSearch("split");
  document["data"]["batch_size"] = 16;
  expectSearch("batch");
  document["devices"] = Json::parse(R"([{"id": "cpu:0", "max_memory": "1GiB"}, "cpu:1"])");
  expectSearch("memory");
  document["variants"][0]["recompute"] = "always";
  expectSearch("recompute");
  m_costs = std::make_shared<const predict::CostTable>();
  expectSearch("costs");
  resolved(document);
  EXPECT_EQ(m_memory.searches(), searches);
}

/// So many micro-batches that a search takes long.
Json longToy() {
  Json document = toy();
  document["data"]["batch_size"] = 512;
  document["variants"][0]["split_size"] = 1;
  document["variants"].erase(1);
  return document;
}

TEST_F(StageMemoryTest, OffhandWhatTakesLongIsMissingUntilACopyHasSearchedForIt) {
  const auto offhand = [this](const Json& document) {
    plan::Experiment experiment = read(document);
    m_memory.resolveOffhand(experiment, m_costs);
    return experiment.variants[0];
  };
  const plan::Variant before = offhand(toy());
  EXPECT_FALSE(m_memory.missing()) << "what is quick is answered at once";
  const int searches = m_memory.searches();
  EXPECT_GT(searches, 0);
  const plan::Variant meanwhile = offhand(longToy());
  EXPECT_TRUE(m_memory.missing());
  EXPECT_EQ(m_memory.searches(), searches);
  EXPECT_NE(meanwhile.open, nullptr);
  EXPECT_EQ(meanwhile.stages, before.stages) << "where the variant's stages were before";
  StageMemory copy = m_memory;
  plan::Experiment searched = read(longToy());
  copy.resolve(searched, m_costs);
  EXPECT_EQ(copy.searches(), searches + 1);
  m_memory.learn(copy);
  const plan::Variant known = offhand(longToy());
  EXPECT_FALSE(m_memory.missing());
  EXPECT_EQ(known.open, nullptr);
  EXPECT_EQ(known.stages, searched.variants[0].stages);
  EXPECT_EQ(m_memory.searches(), searches);
}

TEST_F(StageMemoryTest, WhatWasFoundByOtherCostsIsNotTakenOver) {
  StageMemory copy = m_memory;
  plan::Experiment experiment = read(longToy());
  copy.resolve(experiment, nullptr);
  m_costs = std::make_shared<const predict::CostTable>();
  experiment = read(toy());
  m_memory.resolveOffhand(experiment, m_costs);
  m_memory.learn(copy);
  experiment = read(longToy());
  m_memory.resolveOffhand(experiment, m_costs);
  EXPECT_TRUE(m_memory.missing());
}

TEST_F(StageMemoryTest, AStoppedSearchAsksForNothingMore) {
  plan::Experiment experiment = read(longToy());
  m_memory.resolve(experiment, m_costs, [] { return false; });
  EXPECT_EQ(m_memory.searches(), 0);
}

TEST_F(StageMemoryTest, AnswersAsWithoutMemory) {
  const plan::Experiment searched = search::resolveStages(read(toy()), nullptr);
  for (int round = 0; round < 2; ++round) {
    const plan::Experiment remembered = resolved(toy());
    ASSERT_EQ(remembered.variants.size(), searched.variants.size());
    for (std::size_t i = 0; i < searched.variants.size(); ++i) {
      EXPECT_EQ(remembered.variants[i].placement, searched.variants[i].placement);
    }
  }
}

}  // namespace
}  // namespace stagelane::ui
