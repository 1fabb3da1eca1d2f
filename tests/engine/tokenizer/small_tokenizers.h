#pragma once

/// Tokenizers for tests, as documents that a test can change before it reads them.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engine/base/json.h"
#include "engine/tokenizer/tokenizer.h"
#include "tests/support/paths.h"

namespace stagelane::tokenizer {

using SharedTokenizer = std::shared_ptr<const Tokenizer>;

/// A file of tests/data/llama/tokenizers.
inline std::string dataFile(const std::string& name) {
  return checkout::testData() + "/llama/tokenizers/" + name;
}

/// The document llama2.json or llama3.json.
inline Json documentOf(const std::string& name) { return readJsonFile(dataFile(name)).value(); }

/// Characters a to d, words of them, and one special token; neither normalizer nor pre-tokenizer.
inline Json smallDocument() {
  return Json::parse(R"({
    "added_tokens": [{"id": 0, "content": "<s>", "special": true, "normalized": false}],
    "normalizer": null, "pre_tokenizer": null,
    "post_processor": {"type": "TemplateProcessing",
      "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
      "pair": [], "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}}},
    "decoder": {"type": "Fuse"},
    "model": {"type": "BPE", "dropout": null, "unk_token": null, "fuse_unk": false,
      "vocab": {"<s>": 0, "a": 1, "b": 2, "c": 3, "d": 4, "ab": 5, "bc": 6, "abc": 7, "cd": 8},
      "merges": [["b", "c"], ["a", "b"], ["a", "bc"], ["c", "d"]]}})");
}

inline Result<SharedTokenizer> read(const Json& document) {
  return Tokenizer::parse(document.dump(), "t.json");
}

/// The tokenizer of a document that is valid.
inline SharedTokenizer valid(const Json& document) {
  auto tokenizer = read(document);
  EXPECT_TRUE(tokenizer) << describe(tokenizer.error());
  return tokenizer ? *tokenizer : nullptr;
}

/// Where the error of a document is, without the file; "valid": there is none.
inline std::string placeOfError(const Json& document) {
  const auto tokenizer = read(document);
  if (tokenizer) return "valid";
  EXPECT_EQ(tokenizer.error().code, ErrorCode::Invalid);
  EXPECT_FALSE(tokenizer.error().message.empty());
  const std::string file = "t.json, ";
  EXPECT_EQ(tokenizer.error().context.rfind(file, 0), 0U) << tokenizer.error().context;
  return tokenizer.error().context.substr(std::min(file.size(), tokenizer.error().context.size()));
}

/// The ids of a text without special tokens.
inline std::vector<TokenId> idsOf(const SharedTokenizer& tokenizer, std::string_view text) {
  const auto ids = tokenizer->encode(text, SpecialTokens::Without);
  EXPECT_TRUE(ids) << describe(ids.error());
  return ids.value_or(std::vector<TokenId>{});
}

}  // namespace stagelane::tokenizer
