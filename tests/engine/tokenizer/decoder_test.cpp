#include "engine/tokenizer/decoder.h"

#include <gtest/gtest.h>

#include "engine/tokenizer/text_stream.h"
#include "tests/engine/tokenizer/small_tokenizers.h"

namespace stagelane::tokenizer {
namespace {

const std::string kInvalid = "\uFFFD";

std::vector<DecoderStep> stepsOf(const Json& component) {
  auto steps = readDecoder(&component, "/decoder");
  EXPECT_TRUE(steps) << describe(steps.error());
  return steps.value_or(std::vector<DecoderStep>{});
}

std::string decoded(const Json& component, const std::vector<std::string>& tokens,
                    ByteRuns runs = ByteRuns::Whole) {
  const std::vector<DecoderStep> steps = stepsOf(component);
  Decoding decoding(steps, runs);
  for (const std::string& token : tokens) decoding.push(token);
  decoding.finish();
  return decoding.take();
}

/// The decoder of LLaMA 2.
Json llama2() { return documentOf("llama2.json").at("decoder"); }

Json strip(int count) {
  return {{"type", "Strip"}, {"content", " "}, {"start", count}, {"stop", 0}};
}

TEST(Decoder, JoinsTokensWithBlanksIfThereIsNone) {
  EXPECT_EQ(decoded(nullptr, {"a", "", "b"}), "a  b");
}

TEST(Decoder, TakesTheFirstBlankOffTheText) {
  EXPECT_EQ(decoded(llama2(), {"▁a", "▁b"}), "a b");
  EXPECT_EQ(decoded(llama2(), {"▁", "▁b"}), " b");
  EXPECT_EQ(decoded(llama2(), {"", "▁b"}), "b");
  EXPECT_EQ(decoded(llama2(), {"a", "▁b"}), "a b");
}

TEST(Decoder, TakesBlanksOffEachTokenBeforeTheyAreFused) {
  const Json both = {{"type", "Sequence"},
                     {"decoders", Json::array({strip(1), {{"type", "Fuse"}}})}};
  EXPECT_EQ(decoded(both, {"  a", " b "}), " ab ");
  const Json after = {{"type", "Sequence"},
                      {"decoders", Json::array({{{"type", "Fuse"}}, strip(3)})}};
  EXPECT_EQ(decoded(after, {"  ", " ", "  a", " b"}), "  a b");
  EXPECT_EQ(decoded(after, {" ", "a", " b"}), "a b");
}

TEST(Decoder, MakesCharactersOfByteTokens) {
  EXPECT_EQ(decoded(llama2(), {"<0xC3>", "<0xa9>", "<0x41>"}), "éA");
  EXPECT_EQ(decoded(llama2(), {"<0x4>", "<0xGG>", "<0x 4>", "<0x-4>"}), "<0x4><0xGG><0x 4><0x-4>");
}

TEST(Decoder, MakesEachByteOfAnInvalidRunOneReplacement) {
  const std::vector<std::string> tokens = {"<0x41>", "<0xC3>", "x", "<0xC3>"};
  EXPECT_EQ(decoded(llama2(), tokens), kInvalid + kInvalid + "x" + kInvalid);
  EXPECT_EQ(decoded(llama2(), tokens, ByteRuns::AsTheyCome), "A" + kInvalid + "x" + kInvalid);
}

TEST(Decoder, MakesBytesOfTheAlphabetAndReplacesInvalidSequences) {
  const Json bytes = {{"type", "ByteLevel"}};
  EXPECT_EQ(decoded(bytes, {"Ġa", "Ã", "©"}), " aé");
  EXPECT_EQ(decoded(bytes, {"日"}), "日");  // not of the alphabet: its own bytes
  EXPECT_EQ(decoded(bytes, {"ðŁ", "a"}), kInvalid + "a");
  EXPECT_EQ(decoded(bytes, {"ðŁĻ"}), kInvalid);
}

TEST(Decoder, DropsTheBlanksOfTheFirstTokenOfMetaspace) {
  Json metaspace = {{"type", "Metaspace"}, {"replacement", "_"}, {"prepend_scheme", "always"}};
  EXPECT_EQ(decoded(metaspace, {"__a_b", "_c"}), "ab c");
  metaspace["prepend_scheme"] = "never";
  EXPECT_EQ(decoded(metaspace, {"_a", "_b"}), " a b");
}

TEST(TextStream, HoldsBackBytesUntilACharacterIsComplete) {
  const SharedTokenizer llama3 = valid(documentOf("llama3.json"));
  const std::vector<TokenId> ids = idsOf(llama3, "\U0001F642");
  ASSERT_EQ(ids.size(), 4U);
  TextStream stream(llama3);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(stream.push(ids[i]), "");
  EXPECT_EQ(stream.push(ids[3]), "\U0001F642");
  EXPECT_EQ(stream.push(ids[0]), "");
  EXPECT_EQ(stream.finish(), kInvalid);
  EXPECT_EQ(stream.finish(), "");
}

TEST(TextStream, ShowsCharactersOfByteTokensBeforeTheirRunEnds) {
  const SharedTokenizer llama2 = valid(documentOf("llama2.json"));
  TextStream stream(llama2);
  std::vector<std::string> texts;
  for (const TokenId id : idsOf(llama2, "日本")) texts.push_back(stream.push(id));
  EXPECT_EQ(texts, (std::vector<std::string>{"", "", "", "日", "", "", "本"}));
}

TEST(TextStream, KeepsTheBlankBetweenTheContextAndTheText) {
  const SharedTokenizer llama2 = valid(documentOf("llama2.json"));
  const std::vector<TokenId> context = idsOf(llama2, "a");
  TextStream with(llama2, SpecialTokens::Without, context);
  TextStream without(llama2);
  std::string behind, alone;
  for (const TokenId id : idsOf(llama2, "b")) {
    behind += with.push(id);
    alone += without.push(id);
  }
  EXPECT_EQ(behind, " b");
  EXPECT_EQ(alone, "b");
}

}  // namespace
}  // namespace stagelane::tokenizer
