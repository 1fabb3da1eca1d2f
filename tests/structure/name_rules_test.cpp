#include "tests/structure/name_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stagelane::structure {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> named(const std::string& text, const std::string& path = "a.cpp") {
  return findStrategyNames({path, text}, {"single", "pipeline"});
}

TEST(NameRules, FindAnEnumerator) {
  EXPECT_THAT(named("\nif (a == Strategy::Single) return;\n"), ElementsAre("a.cpp:2"));
  EXPECT_THAT(named("a.strategy = plan::Strategy::Pipeline;"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named("using enum plan::Strategy;"), ElementsAre("a.cpp:1"));
}

TEST(NameRules, FindAComparedName) {
  EXPECT_THAT(named(R"(if (word != "pipeline") return;)"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named("x ==\n    QLatin1String(\"single\")"), ElementsAre("a.cpp:2"));
  EXPECT_THAT(named(R"(if ("single" == word) return;)"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named(R"(word.compare("single") == 0)"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named("&row == &plan::pipelineStrategy()"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named("a == plan::pipelineStrategy().strategy"), ElementsAre("a.cpp:1"));
}

TEST(NameRules, FindANameThatIsWritten) {
  EXPECT_THAT(named(R"(Json a{{"strategy", "single"}};)"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named(R"(a["strategy"] = "pipeline";)"), ElementsAre("a.cpp:1"));
}

TEST(NameRules, LeaveTheTableAndOtherUsesOfTheWords) {
  EXPECT_THAT(named("a == Strategy::Single", "engine/plan/strategies.cpp"), IsEmpty());
  EXPECT_THAT(named("row.*property == StrategyRow::available"), IsEmpty());
  EXPECT_THAT(named(R"(variant.schedule = "single"; name("pipeline"); a == "other")"), IsEmpty());
  EXPECT_THAT(named("a.strategy = plan::pipelineStrategy().strategy"), IsEmpty());
}

}  // namespace
}  // namespace stagelane::structure
