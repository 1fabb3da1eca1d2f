#include "engine/tokenizer/added_tokens.h"

#include <gtest/gtest.h>

#include "tests/engine/tokenizer/small_tokenizers.h"

namespace stagelane::tokenizer {
namespace {

/// The parts of a text, tokens in brackets.
std::string partsOf(const TokenFinder& finder, std::string_view text) {
  std::string parts;
  for (const TokenFinder::Part& part : finder.partsOf(text)) {
    const std::string shown(part.text);
    parts += part.token != nullptr ? "[" + shown + "]" : "(" + shown + ")";
  }
  return parts;
}

AddedToken token(const std::string& content, bool before = false, bool after = false) {
  AddedToken answer;
  answer.content = content;
  answer.takesBlanksBefore = before;
  answer.takesBlanksAfter = after;
  return answer;
}

TEST(TokenFinder, TakesTheLongestOfThoseThatBeginFirst) {
  const TokenFinder finder({token("<a"), token("<a>"), token("a>b"), token("<a><b")});
  EXPECT_EQ(partsOf(finder, "x<a>by"), "(x)[<a>](by)");
  EXPECT_EQ(partsOf(finder, "<a><b><a"), "[<a><b](>)[<a]");
  EXPECT_EQ(partsOf(finder, "a>b<"), "[a>b](<)");
  EXPECT_EQ(partsOf(finder, ""), "");
  EXPECT_EQ(partsOf(TokenFinder({}), "<a>"), "(<a>)");
}

TEST(TokenFinder, GivesBlanksToTheTokenThatTakesThem) {
  const TokenFinder finder({token("B", true), token("A", false, true), token("N")});
  EXPECT_EQ(partsOf(finder, "x \u3000B y"), "(x)[ \u3000B]( y)");
  EXPECT_EQ(partsOf(finder, "A \n\u00a0x"), "[A \n\u00a0](x)");
  EXPECT_EQ(partsOf(finder, "A  B"), "[A  ][B]");
  EXPECT_EQ(partsOf(finder, " N "), "( )[N]( )");
}

TEST(TokenFinder, FindsATokenWithinBlanksThatAnotherTookAsThePackageDoes) {
  const TokenFinder finder({token("A", false, true), token("  ")});
  EXPECT_EQ(partsOf(finder, "A  x"), "[A  ][  ](x)");
}

TEST(AddedTokens, AreFoundBeforeOrAfterNormalization) {
  Json document = smallDocument();
  document["normalizer"] = {{"type", "Replace"}, {"pattern", {{"String", "x"}}}, {"content", "a"}};
  document["added_tokens"].push_back({{"id", 20}, {"content", "ax"}, {"normalized", false}});
  document["added_tokens"].push_back({{"id", 21}, {"content", "xb"}, {"normalized", true}});
  const SharedTokenizer tokenizer = valid(document);
  EXPECT_EQ(idsOf(tokenizer, "ax"), (std::vector<TokenId>{20}));
  EXPECT_EQ(idsOf(tokenizer, "ab"), (std::vector<TokenId>{21}));
  EXPECT_EQ(idsOf(tokenizer, "xb"), (std::vector<TokenId>{21}));
  EXPECT_EQ(idsOf(tokenizer, "aa"), (std::vector<TokenId>{1, 1}));
  EXPECT_EQ(tokenizer->decode({20, 21}), "axab");
  EXPECT_EQ(tokenizer->idOf("xb"), 21);
  EXPECT_EQ(tokenizer->endOfIds(), 22);
}

TEST(AddedTokens, AreShownUnlessTheyAreSpecial) {
  const SharedTokenizer tokenizer = valid(smallDocument());
  EXPECT_EQ(tokenizer->encode("ab<s>").value(), (std::vector<TokenId>{0, 5, 0}));
  EXPECT_EQ(tokenizer->decode({0, 5, 0}), "ab");
  EXPECT_EQ(tokenizer->decode({0, 5, 0}, SpecialTokens::With), "<s>ab<s>");
}

}  // namespace
}  // namespace stagelane::tokenizer
