#include "engine/base/text.h"

#include <gtest/gtest.h>

#include <numeric>

namespace stagelane {
namespace {

TEST(Slug, KeepsLettersAndDigitsAndJoinsTheRestByOneDash) {
  EXPECT_EQ(slug("ResNet-50, tutorial"), "resnet-50-tutorial");
  EXPECT_EQ(slug("  1F1B   (split 20)!"), "1f1b-split-20");
  EXPECT_EQ(slug("plain"), "plain");
}

TEST(Slug, IsShortEnoughForAFileName) {
  EXPECT_EQ(slug(std::string(300, 'a')), std::string(100, 'a'));
  EXPECT_EQ(slug(std::string(99, 'a') + "-b"), std::string(99, 'a'));
}

TEST(Slug, IsVariantWhenNothingIsLeft) {
  EXPECT_EQ(slug(""), "variant");
  EXPECT_EQ(slug("§§"), "variant");
}

TEST(Slug, GetsANumberWhenTaken) {
  std::set<std::string> taken;
  EXPECT_EQ(uniqueSlug("a b", taken), "a-b");
  EXPECT_EQ(uniqueSlug("A B", taken), "a-b-2");
  EXPECT_EQ(uniqueSlug("a-b", taken), "a-b-3");
}

TEST(HumanBytes, UsesBinaryUnits) {
  EXPECT_EQ(humanBytes(0), "0 B");
  EXPECT_EQ(humanBytes(1023), "1023 B");
  EXPECT_EQ(humanBytes(1536), "1.5 KiB");
  EXPECT_EQ(humanBytes(Bytes{8} << 30), "8.0 GiB");
}

TEST(HumanTime, HasThreeSignificantDigits) {
  EXPECT_EQ(humanTime(0), "0 ns");
  EXPECT_EQ(humanTime(38.2e6), "38.2 ms");
  EXPECT_EQ(humanTime(3.75e9), "3.75 s");
  EXPECT_EQ(humanTime(999.9e6), "1.00 s");
  EXPECT_EQ(humanTime(12e3), "12.0 µs");
}

TEST(ParseBytes, ReadsUnitsOfBothKinds) {
  EXPECT_EQ(parseBytes("8GiB").value(), Bytes{8} << 30);
  EXPECT_EQ(parseBytes("500MB").value(), 500'000'000);
  EXPECT_EQ(parseBytes("1.5 KiB").value(), 1536);
  EXPECT_EQ(parseBytes("1024").value(), 1024);
}

TEST(ParseBytes, RefusesWhatIsNoSize) {
  for (const char* text : {"", "GiB", "8 lightyears", "-1", "nan", "1e30", "8Gib "}) {
    EXPECT_FALSE(parseBytes(text).has_value()) << text;
  }
}

TEST(Nearest, FindsAMisspeltWordAndNothingFarAway) {
  EXPECT_EQ(nearest("shedule", {"schedule", "stages"}), "schedule");
  EXPECT_EQ(nearest("zzz", {"schedule", "stages"}), "");
}

TEST(RoundedPercentages, AddUpToOneHundred) {
  const auto thirds = roundedPercentages({1, 1, 1}, 0);
  EXPECT_EQ(thirds, (std::vector<double>{34, 33, 33}));
  const auto many = roundedPercentages({7, 11, 13, 17, 19, 23}, 1);
  EXPECT_NEAR(std::accumulate(many.begin(), many.end(), 0.0), 100.0, 1e-9);
}

TEST(RoundedPercentages, AreZeroForAnEmptyWhole) {
  EXPECT_EQ(roundedPercentages({0, 0}, 1), (std::vector<double>{0, 0}));
  EXPECT_TRUE(roundedPercentages({}, 1).empty());
}

}  // namespace
}  // namespace stagelane
