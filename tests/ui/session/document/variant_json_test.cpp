#include "ui/session/document/variant_json.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

Json variants() {
  return Json::parse(R"([
    {"name": "parts", "id": "p", "placement": {"net1": "cpu:0", "net2": "cpu:1"}},
    {"name": "by name", "placement": "same as: parts"},
    {"name": "by id", "placement": "same as:p"},
    {"name": "twice", "placement": "same as:   by id"},
    {"name": "round", "placement": "same as: round"},
    {"name": "lost", "placement": "same as: nobody"},
    5])");
}

TEST(VariantJson, AReferenceIsByNameOrIdWithAnyBlanks) {
  EXPECT_EQ(referenceIn("same as: parts"), "parts");
  EXPECT_EQ(referenceIn("same as:p"), "p");
  EXPECT_EQ(referenceIn("optimal"), std::nullopt);
  EXPECT_EQ(referenceIn(sameAs("a b")), "a b");
}

TEST(VariantJson, ReferencesAreFollowedToTheirEnd) {
  const Json all = variants();
  for (const std::size_t index : {0U, 1U, 2U, 3U}) {
    EXPECT_EQ(textMember(placedBy(all, all[index]), "name"), "parts") << index;
  }
  EXPECT_EQ(textMember(placedBy(all, all[4]), "name"), "round");
  EXPECT_EQ(textMember(placedBy(all, all[5]), "name"), "lost");
}

TEST(VariantJson, StrategyIsTheFirstOfTheTableUnlessItSaysOne) {
  EXPECT_TRUE(strategyOf(Json::object()).oneDevice);
  EXPECT_TRUE(strategyOf(onlySingle()[0]).oneDevice);
  EXPECT_TRUE(strategyOf(Json{{"strategy", "pipeline"}}).pipelined);
  EXPECT_TRUE(strategyOf(Json{{"strategy", "other"}}).name.empty());
}

TEST(VariantJson, EveryDeviceIsMet) {
  Json variant = Json::parse(R"({"device": "a", "placement": {"x": "b"},
                                 "stages": [{"first": "x", "device": "c"}, 5, {"first": "y"}]})");
  std::string met;
  forEachDevice(variant, [&met](Json& name) {
    met += name.get<std::string>();
    name = "new";
  });
  EXPECT_EQ(met, "abc");
  EXPECT_EQ(variant["stages"][0]["device"], "new");
  Json none = 5;
  forEachDevice(none, [](Json&) { FAIL(); });
}

}  // namespace
}  // namespace stagelane::ui
