#include "engine/tokenizer/pre_tokenizer.h"

#include <gtest/gtest.h>

#include "tests/engine/tokenizer/small_tokenizers.h"

namespace stagelane::tokenizer {
namespace {

using Words = std::vector<std::string>;

Words wordsOf(const Json& component, std::string_view text, bool isFirst = true) {
  const auto read = PreTokenizer::read(&component, "/pre_tokenizer");
  EXPECT_TRUE(read) << describe(read.error());
  Words words;
  const Status status = read->cut(text, isFirst, [&](std::string_view word) -> Status {
    words.emplace_back(word);
    return {};
  });
  EXPECT_TRUE(status);
  return words;
}

Json metaspace(const std::string& scheme, bool split) {
  return {
      {"type", "Metaspace"}, {"replacement", "_"}, {"prepend_scheme", scheme}, {"split", split}};
}

TEST(PreTokenizer, CutsNothingIfThereIsNone) {
  EXPECT_EQ(wordsOf(nullptr, "a b"), (Words{"a b"}));
  EXPECT_EQ(wordsOf(nullptr, ""), (Words{}));
}

TEST(PreTokenizer, CutsBeforeEachBlankOfMetaspace) {
  EXPECT_EQ(wordsOf(metaspace("always", true), "a  bc "), (Words{"_a", "_", "_bc", "_"}));
  EXPECT_EQ(wordsOf(metaspace("never", true), "a b"), (Words{"a", "_b"}));
  EXPECT_EQ(wordsOf(metaspace("always", false), "a b"), (Words{"_a_b"}));
  EXPECT_EQ(wordsOf(metaspace("always", false), " a"), (Words{"_a"}));
}

TEST(PreTokenizer, PrependsToTheFirstPieceOnlyWhereThatIsTheScheme) {
  EXPECT_EQ(wordsOf(metaspace("first", false), "a"), (Words{"_a"}));
  EXPECT_EQ(wordsOf(metaspace("first", false), "a", false), (Words{"a"}));
  EXPECT_EQ(wordsOf(metaspace("always", false), "a", false), (Words{"_a"}));
}

TEST(PreTokenizer, ReadsMetaspaceOfOlderFiles) {
  const Json older = {
      {"type", "Metaspace"}, {"replacement", "_"}, {"add_prefix_space", false}, {"str_rep", "_"}};
  EXPECT_EQ(wordsOf(older, "a b"), (Words{"a", "_b"}));
}

TEST(PreTokenizer, ShowsBytesOfTheWordsOfGpt2) {
  const Json bytes = {{"type", "ByteLevel"}, {"add_prefix_space", true}};
  EXPECT_EQ(wordsOf(bytes, "it's 1é"), (Words{"Ġit", "'s", "Ġ1", "Ã©"}));
  const Json whole = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
  EXPECT_EQ(wordsOf(whole, "it's 1"), (Words{"it'sĠ1"}));
}

TEST(PreTokenizer, CutsDigitsTogetherOrEach) {
  EXPECT_EQ(wordsOf({{"type", "Digits"}}, "a12\u00bd b3"), (Words{"a", "12\u00bd", " b", "3"}));
  const Json each = {{"type", "Digits"}, {"individual_digits", true}};
  EXPECT_EQ(wordsOf(each, "a12b"), (Words{"a", "1", "2", "b"}));
}

TEST(PreTokenizer, PassesThePiecesOfOneComponentToTheNext) {
  const Json split = {{"type", "Split"},
                      {"pattern", {{"Regex", "b"}}},
                      {"behavior", "Isolated"},
                      {"invert", false}};
  const Json both = {{"type", "Sequence"},
                     {"pretokenizers", Json::array({split, metaspace("first", true)})}};
  EXPECT_EQ(wordsOf(both, "a bc"), (Words{"_a", "_", "b", "c"}));
}

}  // namespace
}  // namespace stagelane::tokenizer
