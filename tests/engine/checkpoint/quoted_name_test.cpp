#include "engine/checkpoint/quoted_name.h"

#include <gtest/gtest.h>

#include "engine/base/json.h"

namespace stagelane::checkpoint {
namespace {

TEST(QuotedName, LeavesOutTheMiddleOfALongName) {
  EXPECT_EQ(quotedName("a.weight"), "\"a.weight\"");
  std::string name;
  for (int i = 0; i < 1000; ++i) name += "é";
  const std::string shown = quotedName("x" + name);
  EXPECT_LT(shown.size(), 300U);
  EXPECT_TRUE(Json::accept(shown)) << shown;  // not cut within a character
}

}  // namespace
}  // namespace stagelane::checkpoint
