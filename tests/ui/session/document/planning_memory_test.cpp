#include "ui/session/document/planning_memory.h"

#include <gtest/gtest.h>

#include "ui/session/document/document.h"

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

class PlanningMemoryTest : public testing::Test {
 protected:
  PlanningMemoryTest()
      : m_memory([this](const predict::CostTable*, const GoesOn&) {
          plan::Planning planning;
          planning.optimalStages = [this](const plan::Experiment&, const plan::Variant&,
                                          const std::vector<int>&) {
            ++m_searches;
            return std::optional(
                std::vector<plan::Stage>{{0, 0, DeviceId{"cpu:0"}}, {1, 2, DeviceId{"cpu:1"}}});
          };
          planning.chooseLayout = [this](const plan::Experiment&,
                                         const std::vector<plan::Variant>&) {
            ++m_choices;
            return std::size_t{0};
          };
          return planning;
        }) {}

  void read(const Json& document) {
    const auto experiment = plan::readExperiment(document, {}, {}, m_memory.planningWith(m_costs));
    ASSERT_TRUE(experiment) << (experiment ? "" : describe(experiment.error()));
    EXPECT_EQ(experiment->variants[0].stages.size(), 2U);
  }

  int m_searches = 0;
  int m_choices = 0;
  PlanningMemory m_memory;
  PlanningMemory::Costs m_costs;
};

TEST_F(PlanningMemoryTest, AnEditElsewhereSearchesForNothingAgain) {
  Json document = toy();
  read(document);
  const int searches = m_searches;
  const int choices = m_choices;
  EXPECT_GT(searches, 0);
  document["variants"][2]["placement"]["relu"] = "cpu:0";
  document["name"] = "another";
  document["repeat"] = 7;
  document["variants"][0]["name"] = "renamed";
  read(document);
  EXPECT_EQ(m_searches, searches);
  EXPECT_EQ(m_choices, choices);
}

TEST_F(PlanningMemoryTest, WhatAPlanDependsOnIsSearchedForAgain) {
  Json document = toy();
  read(document);
  int searches = m_searches;
  const auto expectSearch = [&](const char* what) {
    read(document);
    EXPECT_GT(m_searches, searches) << what;
    searches = m_searches;
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
  read(document);
  EXPECT_EQ(m_searches, searches);
}

/// So many micro-batches that a search takes long.
Json longToy() {
  Json document = toy();
  document["data"]["batch_size"] = 4096;
  document["variants"][0]["split_size"] = 1;
  document["variants"].erase(1);
  return document;
}

TEST_F(PlanningMemoryTest, OffhandWhatTakesLongIsMissingUntilACopyHasSearchedForIt) {
  const auto offhand = [this](const Json& document) {
    const auto read = plan::readExperiment(document, {}, {}, m_memory.planningOffhand(m_costs));
    EXPECT_TRUE(read.has_value());
    return read ? read->variants[0].stages : std::vector<plan::Stage>();
  };
  EXPECT_FALSE(offhand(toy()).empty());
  EXPECT_FALSE(m_memory.missing()) << "what is quick is answered at once";
  const int searches = m_searches;
  EXPECT_GT(searches, 0);
  const auto stages = offhand(longToy());
  EXPECT_TRUE(m_memory.missing());
  EXPECT_EQ(m_searches, searches);
  EXPECT_EQ(stages.front().lastBlock, 0U) << "where the variant's stages were before";
  PlanningMemory copy = m_memory;
  ASSERT_TRUE(plan::readExperiment(longToy(), {}, {}, copy.planningWith(m_costs)));
  EXPECT_EQ(m_searches, searches + 1);
  m_memory.learn(copy);
  EXPECT_EQ(offhand(longToy()).size(), 2U);
  EXPECT_FALSE(m_memory.missing());
  EXPECT_EQ(m_searches, searches + 1);
}

TEST_F(PlanningMemoryTest, WhatWasFoundByOtherCostsIsNotTakenOver) {
  PlanningMemory copy = m_memory;
  ASSERT_TRUE(plan::readExperiment(longToy(), {}, {}, copy.planningWith(nullptr)));
  m_costs = std::make_shared<const predict::CostTable>();
  static_cast<void>(m_memory.planningOffhand(m_costs));
  m_memory.learn(copy);
  ASSERT_TRUE(plan::readExperiment(longToy(), {}, {}, m_memory.planningOffhand(m_costs)));
  EXPECT_TRUE(m_memory.missing());
}

TEST_F(PlanningMemoryTest, AStoppedSearchAsksForNothingMore) {
  ASSERT_TRUE(plan::readExperiment(longToy(), {}, {},
                                   m_memory.planningWith(m_costs, [] { return false; })));
  EXPECT_EQ(m_searches, 0);
}

TEST_F(PlanningMemoryTest, AnswersAsWithoutMemory) {
  PlanningMemory memory;
  for (int round = 0; round < 2; ++round) {
    const auto remembered = plan::readExperiment(toy(), {}, {}, memory.planningWith(nullptr));
    PlanningMemory fresh;
    const auto searched = plan::readExperiment(toy(), {}, {}, fresh.planningWith(nullptr));
    ASSERT_TRUE(remembered && searched);
    ASSERT_EQ(remembered->variants.size(), searched->variants.size());
    for (std::size_t i = 0; i < searched->variants.size(); ++i) {
      EXPECT_EQ(remembered->variants[i].placement, searched->variants[i].placement);
    }
  }
}

}  // namespace
}  // namespace stagelane::ui
