#include "ui/session/run/run_choice.h"

#include <gtest/gtest.h>

#include "tests/support/marked_texts.h"

namespace stagelane::ui {
namespace {

/// Two variants; the second one's last block is on `device`.
Json document(const char* device) {
  Json json = Json::parse(R"({
    "stagelane": 1, "name": "t", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 8},
    "devices": ["cpu:0", "cpu:1", {"id": "sim:0", "like": "cpu:0", "speed": 2.0}],
    "variants": [
      {"name": "one", "strategy": "single", "device": "cpu:0"},
      {"name": "wide", "strategy": "pipeline", "schedule": ["gpipe", "1f1b"], "split_size": 2,
       "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}}]})");
  json["variants"][1]["placement"]["net2"] = device;
  return json;
}

class RunChoiceTest : public testing::Test {
 protected:
  RunChoice choiceOf(Json json) {
    m_document.load(std::move(json), {}, {});
    return includedToRun(m_document);
  }
  ExperimentDocument m_document;
};

TEST_F(RunChoiceTest, IsAllThatIsIncluded) {
  const RunChoice choice = choiceOf(document("cpu:1"));
  EXPECT_EQ(choice.tabIds, (QStringList{QStringLiteral("one"), QStringLiteral("wide")}));
  EXPECT_TRUE(choice.leftOut.empty());
  EXPECT_TRUE(choice.whyNot.isEmpty());
}

TEST_F(RunChoiceTest, LeavesOutWhatLiesOnAnImaginedDeviceAndSaysWhy) {
  const RunChoice choice = choiceOf(document("sim:0"));
  EXPECT_EQ(choice.tabIds, QStringList{QStringLiteral("one")});
  ASSERT_EQ(choice.leftOut.size(), 1U);
  EXPECT_EQ(choice.leftOut[0].tabId, QStringLiteral("wide"));
  EXPECT_EQ(choice.leftOut[0].reason.toStdString(),
            "wide is left out because it uses sim:0, an imagined device");
  EXPECT_TRUE(choice.whyNot.isEmpty());
}

TEST_F(RunChoiceTest, IsNothingWhereAllThatIsIncludedIsImagined) {
  Json json = document("sim:0");
  json["variants"][0]["include"] = false;
  const RunChoice choice = choiceOf(json);
  EXPECT_TRUE(choice.tabIds.isEmpty());
  EXPECT_EQ(choice.whyNot.toStdString(),
            "wide uses sim:0, an imagined device; move its blocks to a device of this machine");
}

TEST_F(RunChoiceTest, IsNothingWhereTheDevicesAreOfSeveralHosts) {
  Json json = document("cpu:1");
  json["devices"][2] = "box/cpu:0";
  const RunChoice choice = choiceOf(json);
  EXPECT_TRUE(choice.tabIds.isEmpty());
  EXPECT_TRUE(choice.whyNot.contains(QStringLiteral("box/cpu:0"))) << choice.whyNot.toStdString();
  const auto reason = whyTabCannotRun(m_document, m_document.tabs().front());
  ASSERT_TRUE(reason);
  EXPECT_EQ(reason->kind, CannotRun::Kind::Hosts);
  EXPECT_EQ(hostToRun(m_document), QString());
}

TEST_F(RunChoiceTest, IsAllThatIsIncludedOnAnotherHost) {
  Json json = document("box/cpu:1");
  json["devices"] = {"box/cpu:0", "box/cpu:1"};
  json["variants"][0]["device"] = "box/cpu:0";
  json["variants"][1]["placement"]["net1"] = json["variants"][1]["placement"]["relu"] = "box/cpu:0";
  EXPECT_EQ(choiceOf(json).tabIds.size(), 2);
  EXPECT_EQ(hostToRun(m_document), QStringLiteral("box"));
}

TEST_F(RunChoiceTest, DoesNotMindAnImaginedVariantThatIsNotIncluded) {
  Json json = document("sim:0");
  json["variants"][1]["include"] = false;
  const RunChoice choice = choiceOf(json);
  EXPECT_EQ(choice.tabIds, QStringList{QStringLiteral("one")});
  EXPECT_TRUE(choice.leftOut.empty());
}

TEST_F(RunChoiceTest, LeavesOutWhatCannotBeReadAndHandsOnTheRest) {
  Json json = document("cpu:1");
  json["variants"][1]["schedule"] = "no such";
  const RunChoice choice = choiceOf(json);
  EXPECT_EQ(choice.tabIds, QStringList{QStringLiteral("one")});
  ASSERT_EQ(choice.leftOut.size(), 1U);
  EXPECT_EQ(choice.leftOut[0].reason.toStdString(),
            "wide is left out because it cannot run: see its tab");
  EXPECT_TRUE(choice.whyNot.isEmpty()) << qPrintable(choice.whyNot);
  const Json run = documentToRun(m_document, choice.tabIds);
  ASSERT_EQ(run["variants"].size(), 1U);
  EXPECT_EQ(run["variants"][0]["name"], "one");
  EXPECT_TRUE(plan::readExperiment(run, {}, {}));
}

TEST_F(RunChoiceTest, DoesNotMindAVariantThatCannotBeReadAndIsNotIncluded) {
  Json json = document("cpu:1");
  json["variants"][1]["schedule"] = "no such";
  json["variants"][1]["include"] = false;
  const RunChoice choice = choiceOf(json);
  EXPECT_EQ(choice.tabIds, QStringList{QStringLiteral("one")});
  EXPECT_TRUE(choice.leftOut.empty());
  EXPECT_TRUE(choice.whyNot.isEmpty()) << qPrintable(choice.whyNot);
  EXPECT_EQ(documentToRun(m_document, {})["variants"].size(), 1U);
}

TEST_F(RunChoiceTest, WhatStaysKeepsItsIdAndThePlacementThatItShared) {
  Json json = document("cpu:1");
  json["variants"][1]["split_size"] = 3;
  json["variants"].push_back(json["variants"][1]);
  json["variants"][1]["schedule"] = "no such";
  json["variants"].push_back(
      {{"name", "like"}, {"strategy", "model_parallel"}, {"placement", "same as: wide"}});
  const RunChoice choice = choiceOf(json);
  const Json run = documentToRun(m_document, choice.tabIds);
  ASSERT_EQ(run["variants"].size(), 3U);
  EXPECT_EQ(run["variants"][1]["id"], "wide-2");
  EXPECT_EQ(run["variants"][2]["placement"], json["variants"][1]["placement"]);
}

TEST_F(RunChoiceTest, IsOffWhereNothingThatIsIncludedCanBeRead) {
  Json json = document("cpu:1");
  json["variants"][1]["schedule"] = "no such";
  json["variants"][0]["include"] = false;
  EXPECT_EQ(choiceOf(json).whyNot, QStringLiteral("wide cannot run: see its tab"));
  json["variants"][1]["include"] = false;
  EXPECT_EQ(choiceOf(json).whyNot,
            QStringLiteral("no variant is included: include one on its tab"));
  json["batch_norm"] = "no such";
  EXPECT_FALSE(choiceOf(json).whyNot.isEmpty());
}

TEST_F(RunChoiceTest, LeavesOutWhatItsScheduleCannotHaveAndSaysWhy) {
  Json json = document("cpu:1");
  json["variants"][1]["schedule"] = "zbv";
  const RunChoice choice = choiceOf(json);
  EXPECT_EQ(choice.tabIds, QStringList{QStringLiteral("one")});
  ASSERT_EQ(choice.leftOut.size(), 1U);
  EXPECT_TRUE(
      choice.leftOut[0].reason.contains(QStringLiteral("two stages on each device, but there are")))
      << qPrintable(choice.leftOut[0].reason);
}

TEST_F(RunChoiceTest, TheReasonIsKnownWithoutItsWords) {
  const test::MarkedTexts marked;
  const auto kindOf = [this](const Json& json) {
    m_document.load(json, {}, {});
    const auto reason = whyTabCannotRun(m_document, m_document.tabs()[1]);
    return reason ? reason->kind : std::optional<CannotRun::Kind>();
  };
  Json unreadable = document("cpu:1");
  Json unsuited = unreadable;
  unreadable["variants"][1]["schedule"] = "no such";
  unsuited["variants"][1]["schedule"] = "zbv";
  EXPECT_FALSE(kindOf(document("cpu:1")));
  EXPECT_EQ(kindOf(document("sim:0")), CannotRun::Kind::Imagined);
  EXPECT_EQ(kindOf(unreadable), CannotRun::Kind::Unreadable);
  EXPECT_EQ(kindOf(unsuited), CannotRun::Kind::Unsuited);

  Json imagined = document("sim:0");
  imagined["variants"][0]["include"] = false;
  EXPECT_EQ(choiceOf(imagined).whyNot.toStdString(),
            "⟦wide ⟦uses sim:0, an imagined device⟧; move its blocks to a device of this machine⟧");
}

}  // namespace
}  // namespace stagelane::ui
