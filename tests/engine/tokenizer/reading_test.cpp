// Files that are refused, with the place of the error, and what is accepted beside the usual.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/engine/tokenizer/small_tokenizers.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::tokenizer {
namespace {

using testing::HasSubstr;

/// The place of the error after a member has got another value.
std::string placeAfter(const std::string& pointer, const Json& value) {
  Json document = smallDocument();
  document[Json::json_pointer(pointer)] = value;
  return placeOfError(document);
}

TEST(ReadTokenizer, RefusesComponentsByName) {
  const auto messageOf = [](const std::string& member, const Json& component) {
    Json document = smallDocument();
    document[member] = component;
    const auto tokenizer = read(document);
    return tokenizer ? "valid" : tokenizer.error().message;
  };
  EXPECT_THAT(messageOf("normalizer", {{"type", "NFKC"}}), HasSubstr("the normalizer \"NFKC\""));
  EXPECT_THAT(messageOf("pre_tokenizer", {{"type", "BertPreTokenizer"}}),
              HasSubstr("the pre-tokenizer \"BertPreTokenizer\""));
  EXPECT_THAT(messageOf("post_processor", {{"type", "BertProcessing"}}),
              HasSubstr("the post-processor \"BertProcessing\""));
  EXPECT_THAT(messageOf("decoder", {{"type", "WordPiece"}}),
              HasSubstr("the decoder \"WordPiece\""));
  EXPECT_THAT(messageOf("model", {{"type", "Unigram"}, {"vocab", Json::array()}}),
              HasSubstr("the model \"Unigram\""));
}

TEST(ReadTokenizer, SaysThePlaceOfAComponentInASequence) {
  const Json list = Json::array({{{"type", "Fuse"}}, {{"type", "CTC"}}});
  EXPECT_EQ(placeAfter("/decoder", {{"type", "Sequence"}, {"decoders", list}}),
            "/decoder/decoders/1");
  const Json inner = {{"type", "Sequence"}, {"decoders", list}};
  EXPECT_EQ(placeAfter("/decoder", {{"type", "Sequence"}, {"decoders", Json::array({inner})}}),
            "/decoder/decoders/0/decoders/1");
  EXPECT_EQ(placeAfter("/decoder", {{"type", "Sequence"}}), "/decoder/decoders");
}

TEST(ReadTokenizer, RefusesSettingsThatItDoesNotHave) {
  EXPECT_EQ(placeAfter("/model/dropout", 0.1), "/model/dropout");
  EXPECT_EQ(placeAfter("/model/dropout", 0.0), "valid");
  EXPECT_EQ(placeAfter("/model/continuing_subword_prefix", "##"),
            "/model/continuing_subword_prefix");
  EXPECT_EQ(placeAfter("/model/end_of_word_suffix", ""), "valid");
  EXPECT_EQ(placeAfter("/model/end_of_word_suffix", "</w>"), "/model/end_of_word_suffix");
  EXPECT_EQ(placeAfter("/model/speed", 1), "/model/speed");
  EXPECT_EQ(placeAfter("/model/unk_token", "<unk>"), "/model/unk_token");
  EXPECT_EQ(placeAfter("/added_tokens/0/single_word", true), "/added_tokens/0/single_word");
  EXPECT_EQ(placeAfter("/truncation", {{"max_length", 4}}), "valid");
  EXPECT_EQ(placeAfter("/anything", 1), "/anything");
  const Json regex = {{"type", "Replace"}, {"pattern", {{"Regex", "a"}}}, {"content", "b"}};
  EXPECT_EQ(placeAfter("/normalizer", regex), "/normalizer/pattern");
  const Json strip = {{"type", "Strip"}, {"content", " "}, {"start", 0}, {"stop", 1}};
  EXPECT_EQ(placeAfter("/decoder", strip), "/decoder/stop");
  const Json split = {{"type", "Split"}, {"pattern", {{"Regex", "a"}}}, {"behavior", "Removed"}};
  EXPECT_EQ(placeAfter("/pre_tokenizer", split), "/pre_tokenizer");
  const Json late = Json::array({{{"type", "Fuse"}}, {{"type", "ByteFallback"}}});
  EXPECT_EQ(placeAfter("/decoder", {{"type", "Sequence"}, {"decoders", late}}),
            "/decoder/decoders/1");
}

TEST(ReadTokenizer, RefusesAVocabularyThatContradictsItself) {
  EXPECT_EQ(placeAfter("/model/vocab/ab", 1), "/model/vocab/ab");
  EXPECT_EQ(placeAfter("/model/vocab/ab", -1), "/model/vocab/ab");
  EXPECT_EQ(placeAfter("/model/vocab/ab", 1.5), "/model/vocab/ab");
  EXPECT_EQ(placeAfter("/model/vocab/ab", 0x80000000), "/model/vocab/ab");
  EXPECT_EQ(placeAfter("/model/vocab/ab", 0x7FFFFFFF), "valid");
  EXPECT_EQ(placeAfter("/added_tokens/0/id", 7), "/added_tokens/0");
  EXPECT_EQ(placeAfter("/added_tokens/0/id", 9), "/added_tokens/0");
  EXPECT_EQ(placeAfter("/added_tokens/0/content", ""), "/added_tokens/0/content");
  EXPECT_EQ(placeAfter("/added_tokens/0/content", std::string(2000, 'x')),
            "/added_tokens/0/content");
  EXPECT_EQ(placeAfter("/added_tokens/1", smallDocument()["added_tokens"][0]), "/added_tokens/1");
  const Json beyond = {{"<s>", {{"id", "<s>"}, {"ids", {99}}}}};
  EXPECT_EQ(placeAfter("/post_processor/special_tokens", beyond), "/post_processor");
}

TEST(ReadTokenizer, RefusesMergesThatCannotBe) {
  EXPECT_EQ(placeAfter("/model/merges/1", {"a", "x"}), "/model/merges/1");
  EXPECT_EQ(placeAfter("/model/merges/1", {"a", "d"}), "/model/merges/1");
  EXPECT_EQ(placeAfter("/model/merges/1", "a  b"), "/model/merges/1");
  EXPECT_EQ(placeAfter("/model/merges/1", "ab"), "/model/merges/1");
  EXPECT_EQ(placeAfter("/model/merges/1", {"a", "b", "c"}), "/model/merges/1");
  EXPECT_EQ(placeAfter("/model/merges/0", "#version: 0.2"), "valid");
  EXPECT_EQ(placeAfter("/model/merges/1", "a b"), "valid");
}

TEST(ReadTokenizer, AcceptsMergesThatMakeTheirOwnParts) {
  // A token without text joins with others and changes nothing.
  Json document = smallDocument();
  document["model"]["vocab"][""] = 9;
  document["model"]["merges"].push_back({"", "a"});
  document["model"]["merges"].push_back({"", ""});
  document["model"]["unk_token"] = "";
  EXPECT_EQ(idsOf(valid(document), "xxaxx"), (std::vector<TokenId>{1, 9}));
  EXPECT_EQ(idsOf(valid(document), std::string(300, 'x')), (std::vector<TokenId>{9}));
}

TEST(ReadTokenizer, RefusesTemplatesWithoutTheText) {
  const Json token = {{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}};
  const Json text = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  const Json other = {{"Sequence", {{"id", "B"}, {"type_id", 0}}}};
  const std::string single = "/post_processor/single";
  EXPECT_EQ(placeAfter(single, Json::array({token})), single);
  EXPECT_EQ(placeAfter(single, Json::array({text, text})), single + "/1");
  EXPECT_EQ(placeAfter(single, Json::array({text, other})), single + "/1");
  EXPECT_EQ(placeAfter(single, Json::array({text, Json::object()})), single + "/1");
  EXPECT_EQ(placeAfter("/post_processor/special_tokens", Json::object()),
            single + "/0/SpecialToken");
  EXPECT_EQ(placeAfter(single, Json::array({text, token})), "valid");
}

TEST(ReadTokenizer, PutsSpecialTokensAroundTheText) {
  Json document = smallDocument();
  const Json token = {{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}};
  const Json text = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  document["post_processor"]["single"] = Json::array({token, text, token, token});
  EXPECT_EQ(valid(document)->encode("a").value(), (std::vector<TokenId>{0, 1, 0, 0}));
  const Json twice = Json::array({document["post_processor"], smallDocument()["post_processor"]});
  document["post_processor"] = {{"type", "Sequence"}, {"processors", twice}};
  EXPECT_EQ(valid(document)->encode("").value(), (std::vector<TokenId>{0, 0, 0, 0}));
}

TEST(ReadTokenizer, NamesTheFile) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "tokenizer.json";
  const auto absent = Tokenizer::read(path);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::Invalid);
  EXPECT_THAT(absent.error().context, HasSubstr(path));
  std::ofstream(path) << "{\"model\": 1}";
  const auto wrong = Tokenizer::read(path);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().context, path + ", /model");
}

}  // namespace
}  // namespace stagelane::tokenizer
