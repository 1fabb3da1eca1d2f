#include "engine/base/json.h"

#include <gtest/gtest.h>

namespace stagelane {
namespace {

TEST(ParseJson, SaysTheByteWhereTheTextIsBroken) {
  const auto broken = parseJson("{\"a\": 1,, }", "file.json");
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().code, ErrorCode::Invalid);
  EXPECT_EQ(broken.error().context, "file.json, byte 9");
}

TEST(ParseJson, RefusesAKeyWrittenTwice) {
  const auto twice = parseJson(R"({"x": {"a": 1, "a": 2}})", "f");
  ASSERT_FALSE(twice.has_value());
  EXPECT_NE(twice.error().message.find("\"a\""), std::string::npos);
  EXPECT_TRUE(parseJson(R"([{"a": 1}, {"a": 2}])", "f").has_value());
}

TEST(ParseJson, RefusesNestingThatWouldOverflowTheStack) {
  EXPECT_FALSE(parseJson(std::string(200000, '['), "f").has_value());
  EXPECT_FALSE(parseJson(std::string(300, '[') + std::string(300, ']'), "f").has_value());
}

TEST(ParseJson, SaysThatAnEmptyTextIsEmpty) {
  for (const char* text : {"", " \n"}) {
    const auto parsed = parseJson(text, "f");
    ASSERT_FALSE(parsed);
    EXPECT_NE(parsed.error().message.find("empty"), std::string::npos) << parsed.error().message;
  }
}

TEST(SetAtPointer, ReplacesAnExistingValueByJsonOrText) {
  Json document = parseJson(R"({"a": [{"b": 1}], "c": "x"})", "f").value();
  ASSERT_TRUE(setAtPointer(document, "/a/0/b", "[1,2]"));
  ASSERT_TRUE(setAtPointer(document, "/c", "plain text"));
  EXPECT_EQ(document.dump(), R"({"a":[{"b":[1,2]}],"c":"plain text"})");
}

TEST(SetAtPointer, TellsAMissingPlaceFromAMalformedPointer) {
  Json document = parseJson(R"({"a": [1]})", "f").value();
  EXPECT_EQ(setAtPointer(document, "/b", "1").error().code, ErrorCode::Invalid);
  EXPECT_EQ(setAtPointer(document, "/a/7", "1").error().code, ErrorCode::Invalid);
  EXPECT_EQ(setAtPointer(document, "b", "1").error().code, ErrorCode::Usage);
}

TEST(ObjectReader, NamesAnUnknownKeyAndTheNearestKnownOne) {
  const Json object = parseJson(R"({"batch_size": 1, "bacth": 2})", "f").value();
  ObjectReader reader(object, "/data");
  (void)reader.integer("batch_size");
  (void)reader.integer("batch", 1);
  const auto status = reader.finish();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().context, "/data/bacth");
  EXPECT_NE(status.error().hint.find("\"batch\""), std::string::npos);
}

TEST(ObjectReader, KeepsTheFirstProblem) {
  const Json object = parseJson(R"({"a": "x", "b": 1.5})", "f").value();
  ObjectReader reader(object, "");
  (void)reader.integer("a");
  (void)reader.integer("b");
  EXPECT_EQ(reader.finish().error().context, "/a");
}

TEST(ObjectReader, RefusesAnIntegerThatDoesNotFit) {
  const Json object = parseJson(R"({"a": 18446744073709551615})", "f").value();
  ObjectReader reader(object, "");
  (void)reader.integer("a");
  EXPECT_FALSE(reader.finish().has_value());
}

TEST(ObjectReader, RefusesWhatIsNoObject) {
  const Json list = parseJson("[1]", "f").value();
  ObjectReader reader(list, "/x");
  (void)reader.integer("a", 3);
  EXPECT_EQ(reader.finish().error().context, "/x");
}

TEST(ChildPointer, EscapesTildeAndSlash) {
  EXPECT_EQ(childPointer("/a", "b/c~d"), "/a/b~1c~0d");
  EXPECT_EQ(childPointer("", std::size_t{3}), "/3");
}

}  // namespace
}  // namespace stagelane
