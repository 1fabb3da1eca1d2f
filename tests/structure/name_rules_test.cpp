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
}

TEST(NameRules, FindEveryFormOfALiteral) {
  for (const std::string literal :
       {R"(u"pipeline"_s)", R"("pipeline"sv)", R"(std::string{"pipeline"})",
        R"(QStringLiteral("pipeline"))", R"re(R"(pipeline)")re", R"(L"pipeline")"}) {
    EXPECT_THAT(named("x == " + literal), ElementsAre("a.cpp:1")) << literal;
    EXPECT_THAT(named(literal + " == x"), ElementsAre("a.cpp:1")) << literal;
  }
}

TEST(NameRules, FindANameInAList) {
  EXPECT_THAT(named(R"(QStringList{u"other"_s, u"single"_s}.contains(x))"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named("std::set<std::string> k{\n\"single\",\n\"pipeline\"};"),
              ElementsAre("a.cpp:2", "a.cpp:3"));
}

TEST(NameRules, FindAComparedRow) {
  EXPECT_THAT(named("&row == &plan::pipelineStrategy()"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named("a == plan::pipelineStrategy().strategy"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named("plan::pipelineStrategy().name == a"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named("&plan::pipelineStrategy() != &row"), ElementsAre("a.cpp:1"));
}

TEST(NameRules, FindANameThatIsWritten) {
  EXPECT_THAT(named(R"(Json a{{"strategy", "single"}};)"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named(R"(a["strategy"] = "pipeline";)"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named(R"re(parse(R"({"strategy": "pipeline"})"))re"), ElementsAre("a.cpp:1"));
}

TEST(NameRules, LeaveTheTableAndOtherUsesOfTheWords) {
  EXPECT_THAT(named("a == Strategy::Single", "engine/plan/strategies.cpp"), IsEmpty());
  EXPECT_THAT(named("row.*property == StrategyRow::available"), IsEmpty());
  EXPECT_THAT(named(R"(x == "other" || x == "pipelines" || x == singleDevice)"), IsEmpty());
  EXPECT_THAT(named(R"(hint("Use \"strategy\": \"pipeline\""))"), IsEmpty());
  EXPECT_THAT(named(R"(     {.name = "single",)", "engine/schedule/methods_basic.cpp"), IsEmpty());
  EXPECT_THAT(named(R"(     {.name = "single",)"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(named("a.strategy = plan::pipelineStrategy().strategy"), IsEmpty());
}

}  // namespace
}  // namespace stagelane::structure
