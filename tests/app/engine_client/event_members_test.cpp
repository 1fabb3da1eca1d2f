#include "app/engine_client/event_members.h"

#include <gtest/gtest.h>

namespace stagelane::app {
namespace {

const Json kEvent = Json::parse(
    R"({"event": "progress", "variant": 7, "repeat": "three", "of": 10, "warmup": "yes", "on": true})");

TEST(EventMembers, AreReadWhereTheyHaveTheirType) {
  EXPECT_EQ(textAt(kEvent, "event"), "progress");
  EXPECT_EQ(numberAt(kEvent, "of"), 10.0);
  EXPECT_TRUE(flagAt(kEvent, "on"));
}

TEST(EventMembers, OfAnotherTypeAreAsGoodAsNone) {
  EXPECT_EQ(textAt(kEvent, "variant"), "");
  EXPECT_EQ(numberAt(kEvent, "repeat", -1.0), -1.0);
  EXPECT_FALSE(flagAt(kEvent, "warmup"));
}

TEST(EventMembers, AreAbsentInWhatIsNoObject) {
  for (const Json& json : {Json("a line"), Json::array({1, 2}), Json(nullptr), Json(3)}) {
    EXPECT_EQ(textAt(json, "event"), "");
    EXPECT_EQ(numberAt(json, "event", 2.0), 2.0);
    EXPECT_FALSE(flagAt(json, "event"));
  }
}

}  // namespace
}  // namespace stagelane::app
