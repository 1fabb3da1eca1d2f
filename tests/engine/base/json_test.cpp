#include "engine/base/json.h"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>

namespace stagelane {
namespace {

/// An object with the keys from `first` on.
std::string objectText(int first, int keys) {
  std::string text = "{";
  for (int key = first; key < first + keys; ++key) {
    text += (key == first ? "\"k" : ",\"k") + std::to_string(key) + "\":" + std::to_string(key);
  }
  return text + "}";
}

double secondsToParse(const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(parseJson(text, "f").has_value());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(ParseJson, TakesNoLongerForOneLargeObjectThanForManySmallOnes) {
  constexpr int kKeys = 160'000;
  constexpr int kFew = 10;
  std::string small = "[";
  for (int key = 0; key < kKeys; key += kFew)
    small += (key == 0 ? "" : ",") + objectText(key, kFew);
  const double many = secondsToParse(small + "]");
  const double one = secondsToParse(objectText(0, kKeys));
  std::cout << kKeys << " keys in one object: " << one << " s, in small ones: " << many << " s\n";
  EXPECT_LT(one, 20 * many);  // several hundred times as long if each key is searched for
}

TEST(ParseJson, KeepsTheOrderAndTheTypesOfWhatItReads) {
  const std::string text =
      R"({"z":[1,-2,2.5,true,null,"s",{}],"a":{"b":{"c":[]},"":18446744073709551615}})";
  const auto document = parseJson(text, "f");
  ASSERT_TRUE(document) << describe(document.error());
  EXPECT_EQ(document->dump(), text);
  EXPECT_EQ(parseJson("\"alone\"", "f").value(), Json("alone"));
}

TEST(ParseJson, SaysTheByteOfANumberThatIsTooLarge) {
  const auto large = parseJson(R"({"a": 1e999})", "f");
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().context.rfind("f, byte ", 0), 0U) << large.error().context;
}

TEST(ParseJson, SaysTheByteWhereTheTextIsBroken) {
  const auto broken = parseJson("{\"a\": 1,, }", "file.json");
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().code, ErrorCode::Invalid);
  EXPECT_EQ(broken.error().context, "file.json, byte 9");
}

TEST(ParseJson, DoesNotTakeAZeroByteForTheEnd) {
  const auto parsed = parseJson(std::string_view("{\"a\": 1}\0garbage", 16), "x.json");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::Invalid);
  EXPECT_EQ(parsed.error().context, "x.json, byte 8");
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

TEST(ObjectReader, SaysTheValueThatIsInPlaceOfTheExpectedOne) {
  const Json object = parseJson(R"({"a": 2.5, "b": [1, 2.5], "c": 7, "d": "x"})", "f").value();
  const auto messageOf = [&](auto read) {
    ObjectReader reader(object, "");
    (void)read(reader);
    const auto status = reader.finish();
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(messageOf([](auto& reader) { return reader.integer("a"); }),
            "expected an integer, found 2.5");
  EXPECT_EQ(messageOf([](auto& reader) { return reader.integers("b"); }),
            "expected a list of integers, found 2.5 in it");
  EXPECT_EQ(messageOf([](auto& reader) { return reader.integers("c"); }),
            "expected a list of integers, found 7");
  EXPECT_EQ(messageOf([](auto& reader) { return reader.text("c"); }), "expected a string, found 7");
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
