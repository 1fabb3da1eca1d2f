#include "engine/workspace/run_search.h"

#include <gtest/gtest.h>

namespace stagelane::workspace {
namespace {

RunEntry someRun() {
  RunEntry entry;
  entry.number = 14;
  entry.name = "ResNet-50, two GPUs";
  entry.folder = "/w/runs/20261119-104400-resnet-50-two-gpus";
  entry.model = "resnet50";
  entry.status = "failed";
  entry.reason = "out of memory on cuda:1";
  entry.startedAt = "2026-11-19T10:44:00";
  entry.devices = "cuda:0,cuda:1";
  entry.words = "pipeline\n1f1b";
  entry.labels.tags = {"Paper", "two words"};
  entry.labels.note = "the fan was loud";
  return entry;
}

bool finds(const std::string& text, const RunEntry& entry = someRun()) {
  return RunSearch(text).matches(entry);
}

TEST(RunSearchTest, NothingTypedFindsEverything) {
  EXPECT_TRUE(finds(""));
  EXPECT_TRUE(finds("  \t "));
  EXPECT_TRUE(RunSearch().matches(RunEntry{}));
}

TEST(RunSearchTest, EveryWordMustOccurSomewhere) {
  EXPECT_TRUE(finds("resnet FAN"));
  EXPECT_TRUE(finds("1f1b cuda:1"));
  EXPECT_FALSE(finds("resnet vgg"));
}

TEST(RunSearchTest, QuotesKeepWordsTogether) {
  EXPECT_TRUE(finds("\"out of memory\""));
  EXPECT_FALSE(finds("\"memory of out\""));
  EXPECT_TRUE(finds("memory of out"));
  EXPECT_TRUE(finds("\"fan was"));
}

TEST(RunSearchTest, PrefixesNarrowDown) {
  EXPECT_TRUE(finds("tag:paper"));
  EXPECT_FALSE(finds("tag:pap"));
  EXPECT_TRUE(finds("tag:\"two words\""));
  EXPECT_TRUE(finds("status:failed model:resnet device:cuda:1"));
  EXPECT_FALSE(finds("status:done"));
}

TEST(RunSearchTest, DaysAndTimesAreLimits) {
  EXPECT_TRUE(finds("since:2026-11-19 until:2026-11-19"));
  EXPECT_TRUE(finds("until:2026-11"));
  EXPECT_FALSE(finds("since:2026-11-20"));
  EXPECT_FALSE(finds("until:2026-11-18"));
  EXPECT_TRUE(finds("since:2026-11-19T10"));
}

TEST(RunSearchTest, AMinusTurnsATermAround) {
  EXPECT_FALSE(finds("-tag:paper"));
  EXPECT_TRUE(finds("-status:done -vgg"));
  EXPECT_TRUE(finds("-is:favorite"));
  EXPECT_TRUE(finds("two-gpus"));
}

TEST(RunSearchTest, FavouritesAndNoisyRunsCanBeAskedFor) {
  RunEntry entry = someRun();
  EXPECT_FALSE(finds("is:favorite", entry));
  entry.labels.favourite = true;
  entry.noisy = true;
  EXPECT_TRUE(finds("is:favorite is:noisy", entry));
  EXPECT_TRUE(finds("is:favourite", entry)) << "both spellings";
}

TEST(RunSearchTest, APrefixWithNothingBehindItIsAWord) {
  EXPECT_FALSE(finds("tag:"));
  RunEntry entry = someRun();
  entry.labels.note = "write tag: here";
  EXPECT_TRUE(finds("tag:", entry));
}

std::string problemOf(const std::string& text) { return RunSearch(text).problem(); }

TEST(RunSearchTest, WhatCanFindNothingIsSaid) {
  EXPECT_EQ(problemOf("status:foo"), "Unknown status foo: use running, done, failed or canceled.");
  EXPECT_NE(problemOf("is:foo").find("is:favorite or is:noisy"), std::string::npos);
  EXPECT_NE(problemOf("since:yesterday").find("is not a date"), std::string::npos);
  EXPECT_NE(problemOf("until:2026-13-45").find("is not a date"), std::string::npos);
  EXPECT_NE(problemOf("-foo:bar").find("Unknown filter \"foo:\""), std::string::npos);
  EXPECT_EQ(problemOf("resnet cpu:0 device:cuda:1 since:2026 until:2026-11 since:2026-11-19T10:44 "
                      "status:done is:noisy tag:x 12:30 \"two words\""),
            "");
}

TEST(RunSearchTest, ATermCanBeTakenAway) {
  const RunSearch search("tower tag:\"two words\" -status:failed");
  ASSERT_EQ(search.terms().size(), 3U);
  EXPECT_FALSE(search.terms()[0].narrows());
  EXPECT_TRUE(search.terms()[1].narrows());
  EXPECT_EQ(search.without(0), "\"tag:two words\" -status:failed");
  EXPECT_EQ(search.without(2), "tower \"tag:two words\"");
  EXPECT_EQ(RunSearch(search.without(0)).terms()[0].text, "two words");
}

}  // namespace
}  // namespace stagelane::workspace
