#include "engine/checkpoint/generation_defaults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace stagelane::checkpoint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Result<GenerationDefaults> read(const std::string& text) {
  return readGenerationDefaults(Json::parse(text), "g.json");
}

TEST(GenerationDefaults, HaveOneEndTokenOrSeveral) {
  EXPECT_THAT(read(R"({"eos_token_id":2})")->endTokens, ElementsAre(2));
  EXPECT_THAT(read(R"({"eos_token_id":[128001,128009]})")->endTokens, ElementsAre(128001, 128009));
  EXPECT_THAT(read(R"({"eos_token_id":null})")->endTokens, IsEmpty());
}

TEST(GenerationDefaults, TakeANegativeTokenForNone) {
  const auto defaults = read(R"({"pad_token_id":-1,"bos_token_id":0,"eos_token_id":-1})");
  ASSERT_TRUE(defaults);
  EXPECT_EQ(defaults->paddingToken, std::nullopt);
  EXPECT_EQ(defaults->beginToken, 0);
  EXPECT_THAT(defaults->endTokens, IsEmpty());
}

TEST(GenerationDefaults, AreFilledFromTheConfigurationOfTheModel) {
  const auto special = read(R"({"eos_token_id":[5],"do_sample":true,"temperature":0.6})");
  const auto general = read(R"({"eos_token_id":2,"bos_token_id":1,"temperature":1,"top_k":40})");
  const GenerationDefaults both = combined(*special, *general);
  EXPECT_THAT(both.endTokens, ElementsAre(5));
  EXPECT_EQ(both.beginToken, 1);
  EXPECT_EQ(both.doSample, true);
  EXPECT_EQ(both.temperature, 0.6);
  EXPECT_EQ(both.topK, 40);
  EXPECT_EQ(both.topP, std::nullopt);
}

TEST(GenerationDefaults, AreRefusedWithTheKey) {
  const std::map<std::string, std::string> places{
      {R"({"eos_token_id":"</s>"})", "/eos_token_id"},
      {R"({"eos_token_id":[2,"x"]})", "/eos_token_id"},
      {R"({"bos_token_id":1.5})", "/bos_token_id"},
      {R"({"do_sample":1})", "/do_sample"},
      {R"({"temperature":-1})", "/temperature"},
      {R"({"top_p":1.5})", "/top_p"},
      {R"({"top_k":-1})", "/top_k"},
  };
  for (const auto& [text, place] : places) {
    SCOPED_TRACE(text);
    const auto defaults = read(text);
    ASSERT_FALSE(defaults);
    EXPECT_EQ(defaults.error().context, "g.json, " + place);
  }
}

}  // namespace
}  // namespace stagelane::checkpoint
