#include "profiler/formats/json_members.h"

#include <gtest/gtest.h>

#include <string>

namespace stagelane::formats::detail {
namespace {

using std::string_literals::operator""s;

std::string minified(const std::string& text) {
  JsonMinifier minifier;
  std::string_view out;
  return minifier.value(text, out) ? std::string(out) : "refused";
}

TEST(JsonMinifier, KeepsValuesOfEveryKindAsTheyAreWritten) {
  EXPECT_EQ(minified(" 1.50 "), "1.50");
  EXPECT_EQ(minified("\"a b\""), "\"a b\"");
  EXPECT_EQ(minified("[1, {\"a\" : null}]"), "[1,{\"a\":null}]");
  EXPECT_EQ(minified("123456789012345678901234567890"), "123456789012345678901234567890");
}

TEST(JsonMinifier, RefusesWhatIsNoJson) {
  for (const std::string& text :
       {""s, " "s, "nul"s, "1 2"s, "{\"a\"}"s, "[1"s, "17\0 3"s, "[17\0 3]"s, "\"a\0b\""s}) {
    EXPECT_EQ(minified(text), "refused") << text;
  }
}

}  // namespace
}  // namespace stagelane::formats::detail
