// Files that nobody meant: each gives an error or a tokenizer that works, never a crash.

#include <gtest/gtest.h>

#include "tests/engine/tokenizer/small_tokenizers.h"

namespace stagelane::tokenizer {
namespace {

/// Uses a tokenizer, if there is one.
void use(const Result<SharedTokenizer>& tokenizer) {
  if (!tokenizer) {
    EXPECT_EQ(tokenizer.error().code, ErrorCode::Invalid);
    EXPECT_FALSE(tokenizer.error().message.empty());
    return;
  }
  const auto ids = (*tokenizer)->encode("ab <s> d\u00e9\U0001F642\u2581 123 x's");
  if (ids) static_cast<void>((*tokenizer)->decode(*ids, SpecialTokens::With));
}

/// All pointers of a document, with those of only some tokens and merges.
void collect(const Json& node, const std::string& pointer, std::vector<std::string>& pointers) {
  pointers.push_back(pointer);
  if (!node.is_structured()) return;
  std::size_t index = 0;
  for (const auto& item : node.items()) {
    if (index++ > 9) break;
    const std::string child =
        node.is_array() ? childPointer(pointer, index - 1) : childPointer(pointer, item.key());
    collect(item.value(), child, pointers);
  }
}

TEST(HostileTokenizer, AnyMemberCanBeAnything) {
  const std::vector<Json> values = {nullptr,
                                    true,
                                    -1,
                                    1e300,
                                    "",
                                    "x",
                                    Json::array(),
                                    Json::object(),
                                    Json::array({Json::object()}),
                                    Json{{"type", "Sequence"}},
                                    18446744073709551615ULL};
  for (const char* name : {"llama2.json", "llama3.json"}) {
    const Json document = documentOf(name);
    std::vector<std::string> pointers;
    collect(document, "", pointers);
    ASSERT_GT(pointers.size(), 100U);
    for (const std::string& pointer : pointers) {
      for (const Json& value : values) {
        Json changed = document;
        changed[Json::json_pointer(pointer)] = value;
        use(read(changed));
      }
    }
  }
}

TEST(HostileTokenizer, AnyMemberCanBeMissing) {
  for (const char* name : {"llama2.json", "llama3.json"}) {
    const Json document = documentOf(name);
    std::vector<std::string> pointers;
    collect(document, "", pointers);
    for (const std::string& pointer : pointers) {
      if (pointer.empty()) continue;
      Json changed = document;
      const Json::json_pointer place(pointer);
      Json& parent = changed[place.parent_pointer()];
      if (!parent.is_object()) continue;
      parent.erase(place.back());
      use(read(changed));
    }
  }
}

TEST(HostileTokenizer, AFileCanEndAnywhere) {
  const std::string text = smallDocument().dump();
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(Tokenizer::parse(text.substr(0, length), "t.json")) << length;
  }
}

TEST(HostileTokenizer, IsRefusedIfItIsTooDeepOrTooLarge) {
  EXPECT_FALSE(Tokenizer::parse(std::string(100'000, '['), "t.json"));
  EXPECT_FALSE(Tokenizer::parse(std::string((std::size_t{64} << 20U) + 1, ' '), "t.json"));
  Json component = {{"type", "Fuse"}};
  for (int depth = 0; depth < 80; ++depth) {
    component = {{"type", "Sequence"}, {"decoders", Json::array({component})}};
  }
  Json document = smallDocument();
  document["decoder"] = component;
  EXPECT_EQ(idsOf(valid(document), "a"), (std::vector<TokenId>{1}));
  const Json list = Json::array_t(33, Json{{"type", "Fuse"}});
  document["decoder"] = {{"type", "Sequence"}, {"decoders", list}};
  EXPECT_EQ(placeOfError(document), "/decoder/decoders/32");
}

TEST(HostileTokenizer, IsRefusedForInvalidText) {
  std::string text = smallDocument().dump();
  text.replace(text.find("\"abc\""), 5, "\"a\xFF\"");
  EXPECT_FALSE(Tokenizer::parse(text, "t.json"));
  text = smallDocument().dump();
  text.replace(text.find("\"abc\""), 5, "\"\\ud800\"");
  EXPECT_FALSE(Tokenizer::parse(text, "t.json"));
}

TEST(HostileTokenizer, CannotMakeATextGrowWithoutLimit) {
  Json document = smallDocument();
  const std::string many(1000, 'a');
  const Json grow = {{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", many}};
  document["normalizer"] = {{"type", "Sequence"}, {"normalizers", Json::array_t(5, grow)}};
  const auto ids = valid(document)->encode("a");
  ASSERT_FALSE(ids);
  EXPECT_EQ(ids.error().code, ErrorCode::Invalid);
  document = smallDocument();
  document["decoder"] = grow;
  EXPECT_EQ(placeOfError(document), "/decoder/content");
}

TEST(HostileTokenizer, RefusesTextsThatAreNotUtf8) {
  const auto ids = valid(smallDocument())->encode("ab\xFF");
  ASSERT_FALSE(ids);
  EXPECT_EQ(ids.error().code, ErrorCode::Invalid);
  EXPECT_EQ(ids.error().context, "byte 2");
}

TEST(HostileTokenizer, LeavesOutIdsThatItLacks) {
  EXPECT_EQ(valid(smallDocument())->decode({-1, 5, 1000, kLargestId, INT64_MAX, INT64_MIN}), "ab");
}

TEST(HostileTokenizer, SaysThatItsExpressionIsTooMuchWork) {
  Json document = smallDocument();
  document["pre_tokenizer"] = {
      {"type", "Split"}, {"pattern", {{"Regex", "(?:a+)+[bc]"}}}, {"behavior", "Isolated"}};
  const auto ids = valid(document)->encode(std::string(100, 'a'));
  ASSERT_FALSE(ids);
  EXPECT_EQ(ids.error().context, "/pre_tokenizer/pattern/Regex");
}

}  // namespace
}  // namespace stagelane::tokenizer
