#include "engine/tokenizer/tokenizer.h"

#include <algorithm>
#include <utility>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/tokenizer/utf8.h"
#include "engine/tokenizer/word_encoder.h"

namespace stagelane::tokenizer {
namespace {

/// Several times the largest tokenizer.json of a LLaMA model.
constexpr std::uintmax_t kMostFileBytes = std::uintmax_t{64} << 20U;

Status requireFileFits(std::uintmax_t bytes, const std::string& source) {
  if (bytes <= kMostFileBytes) return {};
  return fail(ErrorCode::Invalid,
              "the tokenizer is larger than " + humanBytes(static_cast<Bytes>(kMostFileBytes)),
              source, "Use the tokenizer.json of a LLaMA model");
}

/// Special tokens first: of tokens that are equal after normalization, the first counts.
std::vector<AddedToken> chosen(const std::vector<AddedToken>& tokens, bool normalized) {
  std::vector<AddedToken> answer;
  for (const bool special : {true, false}) {
    for (const AddedToken& token : tokens) {
      if (token.normalized == normalized && token.special == special) answer.push_back(token);
    }
  }
  return answer;
}

}  // namespace

Result<std::shared_ptr<const Tokenizer>> Tokenizer::read(const std::filesystem::path& file) {
  std::error_code problem;
  const std::uintmax_t bytes = std::filesystem::file_size(file, problem);
  if (!problem) STAGELANE_CHECK(requireFileFits(bytes, file.string()));
  STAGELANE_TRY(text, readFile(file));
  return parse(*text, file.string());
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::parse(std::string_view text,
                                                          const std::string& source) {
  STAGELANE_CHECK(requireFileFits(text.size(), source));
  STAGELANE_TRY(document, parseJson(text, source));
  auto answer = fromJson(*document);
  if (!answer) {
    Error error = std::move(answer.error());
    error.context = error.context.empty() ? source : source + ", " + error.context;
    return tl::make_unexpected(std::move(error));
  }
  return answer;
}

Tokenizer::Tokenizer(BpeModel model) : m_model(std::move(model)) {
  m_endOfIds = m_model.vocabulary().endOfIds();
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::fromJson(const Json& document) {
  ObjectReader reader(document, "");
  const Json* model = reader.raw("model");
  const Json* added = reader.raw("added_tokens");
  const Json* normalizer = reader.raw("normalizer");
  const Json* preTokenizer = reader.raw("pre_tokenizer");
  const Json* postProcessor = reader.raw("post_processor");
  const Json* decoder = reader.raw("decoder");
  // Padding and truncation are for batches; callers of the package set them themselves, too.
  for (const char* other : {"version", "truncation", "padding"}) {
    static_cast<void>(reader.raw(other));
  }
  if (model == nullptr) reader.problem("model", "\"model\" is missing");
  STAGELANE_CHECK(reader.finish());

  STAGELANE_TRY(bpe, BpeModel::read(*model, "/model"));
  const std::shared_ptr<Tokenizer> answer(new Tokenizer(std::move(*bpe)));
  STAGELANE_TRY(normalizing, Normalizer::read(normalizer, "/normalizer"));
  answer->m_normalizer = std::move(*normalizing);
  STAGELANE_TRY(cutting, PreTokenizer::read(preTokenizer, "/pre_tokenizer"));
  answer->m_preTokenizer = std::move(*cutting);
  STAGELANE_TRY(decoding, readDecoder(decoder, "/decoder"));
  answer->m_decoder = std::move(*decoding);
  STAGELANE_TRY(tokens, readAddedTokens(added, "/added_tokens"));
  STAGELANE_CHECK(answer->addTokens(*tokens));
  STAGELANE_TRY(surrounding, readPostProcessor(postProcessor, "/post_processor"));
  answer->m_postProcessor = std::move(*surrounding);
  STAGELANE_CHECK(answer->requireIdsExist(answer->m_postProcessor.before));
  STAGELANE_CHECK(answer->requireIdsExist(answer->m_postProcessor.after));
  return std::shared_ptr<const Tokenizer>(answer);
}

Status Tokenizer::addTokens(const std::vector<AddedToken>& tokens) {
  const Vocabulary& vocabulary = m_model.vocabulary();
  std::unordered_set<TokenId> seen;
  std::size_t index = 0;
  for (const AddedToken& token : tokens) {
    const std::string pointer = childPointer("/added_tokens", index++);
    if (token.special) m_special.insert(token.id);
    const std::string* ofId = vocabulary.textOf(token.id);
    const bool isOfModel = ofId != nullptr && *ofId == token.content;
    if (isOfModel && seen.insert(token.id).second) continue;
    if (isOfModel || ofId != nullptr || vocabulary.find(token.content)) {
      return fail(ErrorCode::Invalid,
                  "the added token \"" + token.content + "\" with the id " +
                      std::to_string(token.id) +
                      (isOfModel ? " appears twice" : " contradicts the vocabulary"),
                  pointer);
    }
    STAGELANE_CHECK(m_added.add(token.content, token.id, pointer));
  }
  m_endOfIds = std::max(m_endOfIds, m_added.endOfIds());
  m_beforeNormalization = TokenFinder(chosen(tokens, false));
  std::vector<AddedToken> normalized = chosen(tokens, true);
  for (AddedToken& token : normalized) {
    STAGELANE_TRY(content, m_normalizer.apply(token.content));
    if (*content != token.content) m_normalized[token.id] = *content;
    token.content = std::move(*content);
  }
  m_afterNormalization = TokenFinder(std::move(normalized));
  return {};
}

Status Tokenizer::requireIdsExist(const std::vector<TokenId>& ids) const {
  for (const TokenId id : ids) {
    if (shownToken(id, SpecialTokens::With) != nullptr) continue;
    return fail(ErrorCode::Invalid, "there is no token with the id " + std::to_string(id),
                "/post_processor");
  }
  return {};
}

std::optional<TokenId> Tokenizer::idOf(std::string_view token) const {
  const auto id = m_added.find(token);
  return id ? id : m_model.vocabulary().find(token);
}

const std::string* Tokenizer::shownToken(TokenId id, SpecialTokens special) const {
  if (special == SpecialTokens::Without && m_special.count(id) != 0) return nullptr;
  // What was found in the text: "<s>" can be "▁<s>". The package shows these even without special
  // tokens (0.23.3), which is not done here.
  const auto normalized = m_normalized.find(id);
  if (normalized != m_normalized.end()) return &normalized->second;
  const std::string* text = m_model.vocabulary().textOf(id);
  return text != nullptr ? text : m_added.textOf(id);
}

Result<std::vector<TokenId>> Tokenizer::encode(std::string_view text, SpecialTokens special) const {
  STAGELANE_CHECK(requireTextFits(text.size()));
  if (const auto place = firstInvalidUtf8(text)) {
    return fail(ErrorCode::Invalid, "the text is not valid UTF-8", "byte " + std::to_string(*place),
                "Use text in UTF-8, or pass token ids");
  }
  const bool surrounds = special == SpecialTokens::With;
  std::vector<TokenId> ids;
  if (surrounds) ids = m_postProcessor.before;
  WordEncoder encoder(m_model);
  for (const TokenFinder::Part& part : m_beforeNormalization.partsOf(text)) {
    if (part.token != nullptr) {
      ids.push_back(part.token->id);
    } else {
      STAGELANE_CHECK(encodePart(part.text, part.text.data() == text.data(), encoder, ids));
    }
  }
  if (surrounds) ids.insert(ids.end(), m_postProcessor.after.begin(), m_postProcessor.after.end());
  return ids;
}

Status Tokenizer::encodePart(std::string_view text, bool isFirst, WordEncoder& encoder,
                             std::vector<TokenId>& ids) const {
  STAGELANE_TRY(normalized, m_normalizer.apply(text));
  const std::string_view whole = *normalized;
  const auto encodeWord = [&](std::string_view word) -> Status {
    encoder.encode(word, ids);
    return {};
  };
  for (const TokenFinder::Part& part : m_afterNormalization.partsOf(whole)) {
    if (part.token != nullptr) {
      ids.push_back(part.token->id);
    } else {
      const bool begins = isFirst && part.text.data() == whole.data();
      STAGELANE_CHECK(m_preTokenizer.cut(part.text, begins, encodeWord));
    }
  }
  return {};
}

std::string Tokenizer::decode(const std::vector<TokenId>& ids, SpecialTokens special) const {
  Decoding decoding(m_decoder, ByteRuns::Whole);
  for (const TokenId id : ids) {
    if (const std::string* token = shownToken(id, special)) decoding.push(*token);
  }
  decoding.finish();
  return decoding.take();
}

}  // namespace stagelane::tokenizer
