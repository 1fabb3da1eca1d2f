// The cases that the package `tokenizers` 0.23.3 has answered (tests/data/llama/tokenizers).
// Thousands of random ones: tests/integration/tokenizer_peer_test.py.

#include <gtest/gtest.h>

#include <map>

#include "engine/tokenizer/text_stream.h"
#include "tests/engine/tokenizer/small_tokenizers.h"

namespace stagelane::tokenizer {
namespace {

class Conformance : public testing::Test {
 protected:
  SharedTokenizer of(const Json& test) {
    const auto name = test.at("tokenizer").get<std::string>();
    SharedTokenizer& tokenizer = m_tokenizers[name];
    if (!tokenizer) tokenizer = Tokenizer::read(dataFile(name.substr(name.find('/') + 1))).value();
    return tokenizer;
  }

  const Json m_cases = readJsonFile(dataFile("cases.json")).value().at("cases");
  std::map<std::string, SharedTokenizer> m_tokenizers;
};

TEST_F(Conformance, TextsHaveTheIdsOfThePackage) {
  int texts = 0;
  for (const Json& test : m_cases) {
    if (!test.contains("text")) continue;
    ++texts;
    const auto text = test.at("text").get<std::string>();
    EXPECT_EQ(Json(of(test)->encode(text).value()), test.at("ids")) << test.at("id");
    EXPECT_EQ(Json(idsOf(of(test), text)), test.at("ids_without_special")) << test.at("id");
  }
  EXPECT_EQ(texts, 34);
}

TEST_F(Conformance, IdsHaveTheTextsOfThePackage) {
  ASSERT_EQ(m_cases.size(), 42U);
  for (const Json& test : m_cases) {
    const auto ids = test.at("ids").get<std::vector<TokenId>>();
    EXPECT_EQ(of(test)->decode(ids), test.at("decoded")) << test.at("id");
    if (!test.contains("decoded_keep_special")) continue;
    EXPECT_EQ(of(test)->decode(ids, SpecialTokens::With), test.at("decoded_keep_special"))
        << test.at("id");
  }
}

TEST_F(Conformance, TextAsItComesIsTheTextOfAllIds) {
  for (const Json& test : m_cases) {
    if (!test.contains("text")) continue;
    TextStream stream(of(test));
    std::string text;
    for (const Json& id : test.at("ids")) text += stream.push(id.get<TokenId>());
    EXPECT_EQ(text + stream.finish(), test.at("decoded")) << test.at("id");
  }
}

}  // namespace
}  // namespace stagelane::tokenizer
