#include "engine/tokenizer/bpe_model.h"

#include <cstdio>

#include "engine/tokenizer/utf8.h"

namespace stagelane::tokenizer {
namespace {

std::string byteToken(unsigned byte) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "<0x%02X>", byte);
  return text.data();
}

/// The two texts of a merge: a list, or in older files one text with a blank between.
struct MergeTexts {
  std::string left;
  std::string right;
};

std::optional<MergeTexts> mergeTexts(const Json& entry) {
  if (entry.is_array()) {
    if (entry.size() != 2 || !entry[0].is_string() || !entry[1].is_string()) return std::nullopt;
    return MergeTexts{entry[0].get<std::string>(), entry[1].get<std::string>()};
  }
  if (!entry.is_string()) return std::nullopt;
  const auto& text = entry.get_ref<const std::string&>();
  const std::size_t blank = text.find(' ');
  if (blank == std::string::npos || text.find(' ', blank + 1) != std::string::npos) {
    return std::nullopt;
  }
  return MergeTexts{text.substr(0, blank), text.substr(blank + 1)};
}

/// Older files can begin their merges with a comment.
bool isComment(const Json& entry) {
  return entry.is_string() && entry.get_ref<const std::string&>().rfind("#version", 0) == 0;
}

/// Whether the text has a visible blank after another character.
bool hasInnerBlank(std::string_view text) {
  bool onlyBlanks = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text.substr(at, utf8Length(text[at]));
    const bool isBlank = character == kVisibleBlank;
    if (isBlank && !onlyBlanks) return true;
    onlyBlanks = isBlank;
    at += character.size();
  }
  return false;
}

tl::unexpected<Error> unsupported(const std::string& what, const std::string& pointer) {
  return fail(ErrorCode::Invalid, what + " is not supported", pointer,
              "Use a tokenizer of a LLaMA model, or pass token ids");
}

}  // namespace

Result<BpeModel> BpeModel::read(const Json& model, const std::string& pointer) {
  ObjectReader reader(model, pointer);
  const std::string type = reader.text("type", "BPE");
  const Json* tokens = reader.raw("vocab");
  const Json* merges = reader.raw("merges");
  if (model.is_object() && type != "BPE") {
    return unsupported("the model \"" + type + "\"", pointer + "/type");
  }
  BpeModel answer;
  if (tokens != nullptr) STAGELANE_CHECK(answer.readVocabulary(*tokens, pointer + "/vocab"));
  STAGELANE_CHECK(answer.readRules(reader, pointer));
  STAGELANE_CHECK(reader.finish());
  if (tokens == nullptr) return fail(ErrorCode::Invalid, "\"vocab\" is missing", pointer);
  if (merges == nullptr) return fail(ErrorCode::Invalid, "\"merges\" is missing", pointer);
  STAGELANE_CHECK(answer.readMerges(*merges, pointer + "/merges"));
  answer.indexShortTokens();
  return answer;
}

Status BpeModel::readVocabulary(const Json& tokens, const std::string& pointer) {
  if (!tokens.is_object()) {
    return fail(ErrorCode::Invalid, "expected an object of tokens and their ids", pointer);
  }
  m_vocabulary.reserve(tokens.size());
  for (const auto& [text, value] : tokens.get_ref<const Json::object_t&>()) {
    const std::string place = childPointer(pointer, text);
    STAGELANE_TRY(id, readId(value, place));
    STAGELANE_CHECK(m_vocabulary.add(text, *id, place));
  }
  return {};
}

Status BpeModel::readRules(ObjectReader& reader, const std::string& pointer) {
  m_rules.byteFallback = reader.boolean("byte_fallback", false);
  m_rules.fuseUnknown = reader.boolean("fuse_unk", false);
  m_rules.wholeWordsFirst = reader.boolean("ignore_merges", false);
  for (const char* affix : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    const Json* value = reader.raw(affix);
    if (value == nullptr || value->is_null() || *value == "") continue;
    return unsupported(std::string("\"") + affix + "\"", pointer + "/" + affix);
  }
  const Json* dropout = reader.raw("dropout");
  if (dropout != nullptr && !dropout->is_null() && *dropout != 0) {
    return unsupported("\"dropout\"", pointer + "/dropout");
  }
  const Json* unknown = reader.raw("unk_token");
  if (unknown == nullptr || unknown->is_null()) return {};
  const std::string text = reader.text("unk_token");
  m_rules.unknown = m_vocabulary.find(text);
  if (unknown->is_string() && !m_rules.unknown) {
    reader.problem("unk_token", "the vocabulary lacks the token \"" + text + "\"");
  }
  return {};
}

Status BpeModel::readMerges(const Json& merges, const std::string& pointer) {
  if (!merges.is_array()) return fail(ErrorCode::Invalid, "expected a list of merges", pointer);
  m_merges = MergeTable(merges.size());
  m_cutsBeforeBlanks = !m_rules.wholeWordsFirst && m_vocabulary.find(kVisibleBlank).has_value();
  std::int32_t rank = 0;
  std::size_t index = 0;
  for (const Json& entry : merges) {
    const std::string place = childPointer(pointer, index++);
    if (isComment(entry)) continue;
    STAGELANE_CHECK(addMerge(entry, rank++, place));
  }
  return {};
}

Status BpeModel::addMerge(const Json& entry, std::int32_t rank, const std::string& pointer) {
  const std::optional<MergeTexts> texts = mergeTexts(entry);
  if (!texts) {
    return fail(ErrorCode::Invalid, "expected a merge: a list of two tokens, or \"A B\"", pointer);
  }
  const auto left = m_vocabulary.find(texts->left);
  const auto right = m_vocabulary.find(texts->right);
  const auto result = m_vocabulary.find(texts->left + texts->right);
  if (!left || !right || !result) {
    const std::string& absent = !left    ? texts->left
                                : !right ? texts->right
                                         : texts->left + texts->right;
    return fail(ErrorCode::Invalid, "the vocabulary lacks the token \"" + absent + "\" of a merge",
                pointer);
  }
  m_merges.set(*left, *right, {rank, *result});
  const bool crosses = texts->left.empty() || hasInnerBlank(texts->left + texts->right);
  m_cutsBeforeBlanks = m_cutsBeforeBlanks && !crosses;
  return {};
}

void BpeModel::indexShortTokens() {
  for (char32_t point = 0; point < m_ofCharacter.size(); ++point) {
    std::string text;
    appendUtf8(text, point);
    m_ofCharacter.at(point) = m_vocabulary.find(text).value_or(-1);
  }
  for (unsigned byte = 0; byte < m_ofByte.size(); ++byte) {
    m_ofByte.at(byte) = m_vocabulary.find(byteToken(byte)).value_or(-1);
  }
}

std::optional<TokenId> BpeModel::tokenOf(std::string_view character) const {
  if (character.size() <= 2) {
    const char32_t point = codePointOf(character);
    if (point < m_ofCharacter.size()) {
      const TokenId id = m_ofCharacter.at(point);
      return id < 0 ? std::nullopt : std::optional(id);
    }
  }
  return m_vocabulary.find(character);
}

std::optional<std::vector<TokenId>> BpeModel::bytesOf(std::string_view character) const {
  std::vector<TokenId> ids;
  for (const char byte : character) {
    const TokenId id = m_ofByte.at(static_cast<unsigned char>(byte));
    if (id < 0) return std::nullopt;
    ids.push_back(id);
  }
  return ids;
}

}  // namespace stagelane::tokenizer
