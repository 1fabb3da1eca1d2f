#include "tests/structure/brace_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stagelane::structure {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> needless(const std::string& text) {
  return findNeedlessBraces({"a.cpp", text});
}

TEST(BraceRules, FindOneStatementThatFitsBehindItsCondition) {
  EXPECT_THAT(needless("void f() {\n  if (a) {\n    return;\n  }\n}\n"), ElementsAre("a.cpp:2"));
  EXPECT_THAT(needless("  for (int a : b) {\n    c(a);\n  }\n"), ElementsAre("a.cpp:1"));
  EXPECT_THAT(needless("  while (a) {\n    b();\n  }\n"), ElementsAre("a.cpp:1"));
}

TEST(BraceRules, LeaveWhatIsLongerOrHasAnElse) {
  EXPECT_THAT(needless("  if (a) return;\n"), IsEmpty());
  EXPECT_THAT(needless("  if (a) {\n    b();\n    c();\n  }\n"), IsEmpty());
  EXPECT_THAT(needless("  if (a) {\n    b();\n  } else {\n    c();\n  }\n"), IsEmpty());
  EXPECT_THAT(needless("  if (a) {\n    if (b) return;\n  }\n"), IsEmpty());
  EXPECT_THAT(needless("  if (a) {\n    b(" + std::string(90, 'x') + ");\n  }\n"), IsEmpty());
}

TEST(BraceRules, LeaveMacrosOfTests) {
  EXPECT_THAT(needless("  if (a) {\n    EXPECT_TRUE(b);\n  }\n"), IsEmpty());
}

TEST(BraceRules, LeaveAStatementWithAComment) {
  EXPECT_THAT(needless("  if (a) {\n    b();  // why\n  }\n"), IsEmpty());
}

}  // namespace
}  // namespace stagelane::structure
