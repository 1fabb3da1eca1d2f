#include "engine/tokenizer/word_encoder.h"

#include <gtest/gtest.h>

#include <ctime>
#include <iostream>
#include <random>

#include "tests/engine/tokenizer/small_tokenizers.h"

namespace stagelane::tokenizer {
namespace {

using Ids = std::vector<TokenId>;

BpeModel modelOf(const Json& object) {
  auto model = BpeModel::read(object, "/model");
  EXPECT_TRUE(model) << describe(model.error());
  return std::move(*model);
}

Ids encoded(const BpeModel& model, std::string_view word) {
  Ids ids;
  WordEncoder(model).encode(word, ids);
  return ids;
}

TEST(WordEncoder, MergesThePairWithTheLowestRankFirst) {
  const BpeModel model = modelOf(smallDocument().at("model"));
  EXPECT_EQ(encoded(model, "abcd"), (Ids{7, 4}));  // bc before ab, then a bc
  EXPECT_EQ(encoded(model, "abab"), (Ids{5, 5}));
  EXPECT_EQ(encoded(model, "bcd"), (Ids{6, 4}));
  EXPECT_EQ(encoded(model, "d"), (Ids{4}));
  EXPECT_EQ(encoded(model, ""), (Ids{}));
}

TEST(WordEncoder, MergesTheFirstOfEqualPairs) {
  Json object = smallDocument().at("model");
  object["vocab"]["aa"] = 9;
  object["merges"] = Json::parse(R"([["a", "a"]])");
  const BpeModel model = modelOf(object);
  EXPECT_EQ(encoded(model, "aaa"), (Ids{9, 1}));
  EXPECT_EQ(encoded(model, std::string(201, 'a')).back(), 1);
}

TEST(WordEncoder, TakesTheLastOfTwoMergesOfAPair) {
  Json object = smallDocument().at("model");
  object["merges"].push_back({"b", "c"});
  EXPECT_EQ(encoded(modelOf(object), "abc"), (Ids{5, 3}));
}

TEST(WordEncoder, LeavesOutUnknownCharacters) {
  EXPECT_EQ(encoded(modelOf(smallDocument().at("model")), "aéb"), (Ids{5}));
}

TEST(WordEncoder, MakesOneOrSeveralTokensOfUnknownCharacters) {
  Json object = smallDocument().at("model");
  object["unk_token"] = "<s>";
  EXPECT_EQ(encoded(modelOf(object), "éé日a"), (Ids{0, 0, 0, 1}));
  object["fuse_unk"] = true;
  EXPECT_EQ(encoded(modelOf(object), "éé日a"), (Ids{0, 1}));
}

TEST(WordEncoder, MakesBytesOfCharactersThatAllHaveTokens) {
  Json object = smallDocument().at("model");
  object["byte_fallback"] = true;
  object["unk_token"] = "<s>";
  object["vocab"]["<0xC3>"] = 9;
  object["vocab"]["<0xA9>"] = 10;
  const BpeModel model = modelOf(object);
  EXPECT_EQ(encoded(model, "aé"), (Ids{1, 9, 10}));
  EXPECT_EQ(encoded(model, "è"), (Ids{0}));  // <0xA8> is missing
}

TEST(WordEncoder, TakesWholeWordsOnlyWhereTheModelDoes) {
  Json object = smallDocument().at("model");
  object["vocab"]["dd"] = 9;
  EXPECT_EQ(encoded(modelOf(object), "dd"), (Ids{4, 4}));
  object["ignore_merges"] = true;
  EXPECT_EQ(encoded(modelOf(object), "dd"), (Ids{9}));
}

/// The definition: the pair of the lowest rank, the first of equals, until there is none.
Ids byDefinition(const BpeModel& model, const std::vector<std::string>& word) {
  Ids ids;
  for (const std::string& character : word) ids.push_back(*model.tokenOf(character));
  while (true) {
    const Merge* best = nullptr;
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      const Merge* merge = model.merges().find(ids[i], ids[i + 1]);
      if (merge != nullptr && (best == nullptr || merge->rank < best->rank)) {
        best = merge;
        at = i;
      }
    }
    if (best == nullptr) return ids;
    ids[at] = best->result;
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
}

const std::vector<std::string> kLetters = {"a", "b", "c", "▁"};

enum class Blanks { Anywhere, AtTheBegin };

/// Random merges of the letters and of what they have made.
Json randomModel(std::mt19937& random, Blanks blanks) {
  Json object = {{"type", "BPE"}, {"vocab", Json::object()}, {"merges", Json::array()}};
  std::vector<std::string> texts = kLetters;
  for (const std::string& text : texts) object["vocab"][text] = object["vocab"].size();
  for (int i = 0; i < 60; ++i) {
    const std::string left = texts[random() % texts.size()];
    const std::string right = texts[random() % texts.size()];
    const bool crosses = left.find_first_of("abc") != std::string::npos && right.rfind("▁", 0) == 0;
    if (crosses && blanks == Blanks::AtTheBegin) continue;
    if (object["vocab"].contains(left + right)) continue;
    object["vocab"][left + right] = object["vocab"].size();
    object["merges"].push_back({left, right});
    texts.push_back(left + right);
  }
  return object;
}

TEST(WordEncoder, AgreesWithTheDefinitionOnRandomModelsAndWords) {
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    const Blanks blanks = i % 2 == 0 ? Blanks::Anywhere : Blanks::AtTheBegin;
    const BpeModel model = modelOf(randomModel(random, blanks));
    EXPECT_EQ(model.cutsBeforeBlanks(), blanks == Blanks::AtTheBegin);
    WordEncoder encoder(model);  // one for words of all lengths: it uses its memory again
    for (const std::size_t length : {1U, 2U, 7U, 63U, 64U, 65U, 66U, 200U}) {
      std::vector<std::string> letters;
      std::string word;
      while (letters.size() < length) {
        letters.push_back(kLetters[random() % kLetters.size()]);
        word += letters.back();
      }
      Ids ids;
      encoder.encode(word, ids);
      ASSERT_EQ(ids, byDefinition(model, letters)) << word;
    }
  }
}

/// Seconds of the processor, which other programs do not lengthen.
double secondsFor(const BpeModel& model, std::size_t letters) {
  std::string word;
  std::mt19937 random(1);
  while (word.size() < letters) word += static_cast<char>('a' + random() % 3);
  const std::clock_t begin = std::clock();
  EXPECT_FALSE(encoded(model, word).empty());
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(WordEncoder, TakesLittleMoreThanProportionalTimeForLongWords) {
  std::mt19937 random(2);
  const BpeModel model = modelOf(randomModel(random, Blanks::Anywhere));
  ASSERT_FALSE(model.cutsBeforeBlanks());
  const double shorter = secondsFor(model, 100'000);
  const double longer = secondsFor(model, 1'600'000);
  std::cout << "16 times the letters take " << longer / shorter << " times as long\n";
  EXPECT_LT(longer, 100 * shorter);  // 256 times if it were quadratic
}

}  // namespace
}  // namespace stagelane::tokenizer
