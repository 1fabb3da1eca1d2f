#include "engine/tokenizer/split_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/tokenizer/small_tokenizers.h"

namespace stagelane::tokenizer {
namespace {

using Pieces = std::vector<std::string>;

std::string patternOfLlama3() {
  return documentOf("llama3.json")
      .at("pre_tokenizer")
      .at("pretokenizers")
      .at(0)
      .at("pattern")
      .at("Regex")
      .get<std::string>();
}

Result<Pieces> cut(const std::string& pattern, std::string_view text, Gaps gaps = Gaps::Keep,
                   SplitLimits limits = {}) {
  STAGELANE_TRY(compiled, SplitPattern::compile(pattern, "/p", limits));
  Pieces pieces;
  STAGELANE_CHECK(compiled->split(text, gaps, [&](std::string_view piece) -> Status {
    pieces.emplace_back(piece);
    return {};
  }));
  return pieces;
}

TEST(SplitPattern, CutsAsLlama3Does) {
  const std::string pattern = patternOfLlama3();
  EXPECT_EQ(cut(pattern, "don't WE'VE 12345"),
            (Pieces{"don", "'t", " WE", "'VE", " ", "123", "45"}));
  EXPECT_EQ(cut(pattern, "a  b\r\n\n c!?\n"), (Pieces{"a", " ", " b", "\r\n\n", " c", "!?\n"}));
  EXPECT_EQ(cut(pattern, "é日本 ½²"), (Pieces{"é日本", " ", "½²"}));
}

TEST(SplitPattern, KeepsOrDropsWhatIsBetweenMatches) {
  EXPECT_EQ(cut("b+", "abbcb"), (Pieces{"a", "bb", "c", "b"}));
  EXPECT_EQ(cut("b+", "abbcb", Gaps::Drop), (Pieces{"bb", "b"}));
  EXPECT_EQ(cut("b+", "", Gaps::Keep), (Pieces{}));
}

TEST(SplitPattern, CutsAtEmptyMatches) {
  EXPECT_EQ(cut("b*", "aab"), (Pieces{"a", "a", "b"}));
  EXPECT_EQ(cut("(?=b)", "abab"), (Pieces{"a", "ba", "b"}));
}

TEST(SplitPattern, LooksBehindThePlaceWhereAMatchBegins) {
  EXPECT_EQ(cut("(?<=a)b", "abb"), (Pieces{"a", "b", "b"}));
}

TEST(SplitPattern, HasUnicodesBlanksAndNewLetters) {
  EXPECT_EQ(cut(R"(\s)", "a\u180Eb\u3000c"), (Pieces{"a\u180Eb", "\u3000", "c"}));
  EXPECT_EQ(cut(R"(\p{L}+)", "a\U00031350b"), (Pieces{"a\U00031350b"}));  // of Unicode 15
  EXPECT_EQ(cut(R"([^\p{L}]+)", "a\U00031350b"), (Pieces{"a\U00031350b"}));
  EXPECT_EQ(cut(R"(\P{L}+)", "a\U00031350b!"), (Pieces{"a\U00031350b", "!"}));
  EXPECT_EQ(cut(R"(\d+|\D+)", "12ab"), (Pieces{"12", "ab"}));
}

TEST(SplitPattern, StopsAtTheFirstErrorOfTheSink) {
  const auto compiled = SplitPattern::compile("a", "/p").value();
  int calls = 0;
  const Status status = compiled.split("aaa", Gaps::Keep, [&](std::string_view) -> Status {
    return ++calls == 2 ? Status(fail(ErrorCode::Invalid, "enough")) : Status();
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(calls, 2);
}

TEST(SplitPattern, RefusesWhatMeansSomethingElseInPcre2) {
  for (const char* pattern :
       {"^a",     "a$",      R"(\h)",    R"(\w)",         R"(\b)",      R"(\K)",
        R"(\G)",  R"(\x41)", R"(\1)",    R"([\S])",       R"([\P{L}])", "[[:alpha:]]",
        "[a&&b]", "[]a]",    "[^]a]",    "(?m:a)",        "(?i)a",      "(?<n>a)",
        "(?#c)",  "(*UCP)a", "(?i:[a])", R"((?i:\p{L}))", "a{,2}",      "a{2}+",
        "a{2}?",  "a{x}",    "{",        R"(\p{^L})",     R"(\pL)",     R"(\p{L)",
        "\\"}) {
    const auto compiled = SplitPattern::compile(pattern, "/p");
    ASSERT_FALSE(compiled) << pattern;
    EXPECT_EQ(compiled.error().context, "/p");
  }
}

TEST(SplitPattern, RefusesMalformedAndEndlessExpressions) {
  for (const std::string& pattern :
       {std::string("("), std::string(")"), std::string("["), std::string("a**"), std::string("*"),
        std::string(R"(\p{Nothing})"), std::string("(?<=a+)b"), std::string("a{99999}"),
        std::string(300, '(') + std::string(300, ')'), std::string(5000, 'a'),
        std::string("(((((a{999}){999}){999}){999}){999})")}) {
    EXPECT_FALSE(SplitPattern::compile(pattern, "/p")) << pattern.substr(0, 20);
  }
}

TEST(SplitPattern, GivesUpOnAMatchThatTakesTooManySteps) {
  const auto pieces = cut("(?:a+)+[bc]", std::string(60, 'a'));
  ASSERT_FALSE(pieces);
  EXPECT_EQ(pieces.error().code, ErrorCode::Invalid);
  EXPECT_EQ(pieces.error().context, "/p");
}

TEST(SplitPattern, GivesUpOnManyMatchesThatTakeLong) {
  // Each position looks at the whole rest: quadratic.
  const auto pieces =
      cut("a*b", std::string(200'000, 'a'), Gaps::Keep, SplitLimits{4'000'000, 0.0});
  ASSERT_FALSE(pieces);
  EXPECT_THAT(pieces.error().message, testing::HasSubstr("takes too long"));
}

TEST(SplitPattern, MatchesLongRunsOfOneKind) {
  const std::string text = std::string(500'000, ' ') + std::string(500'000, 'x') + "\n";
  const auto pieces = cut(patternOfLlama3(), text);
  ASSERT_TRUE(pieces) << describe(pieces.error());
  EXPECT_EQ(pieces->size(), 3U);
  EXPECT_EQ(cut("(?:a|b)+", std::string(20'000, 'a')).value().size(), 1U);
}

}  // namespace
}  // namespace stagelane::tokenizer
