#include "engine/tokenizer/added_tokens.h"

#include <algorithm>

#include "engine/tokenizer/utf8.h"

namespace stagelane::tokenizer {
namespace {

/// Bounds the time that finding takes, for hostile files.
constexpr std::size_t kLongestToken = 1024;

/// Unicode's White_Space, which `lstrip` and `rstrip` mean.
bool isBlank(char32_t point) {
  return (point >= 0x09 && point <= 0x0D) || point == 0x20 || point == 0x85 || point == 0xA0 ||
         point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
         point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

std::size_t endOfBlanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::string_view character = text.substr(at, utf8Length(text[at]));
    if (!isBlank(codePointOf(character))) break;
    at += character.size();
  }
  return at;
}

bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80; }

std::size_t beginOfBlanks(std::string_view text, std::size_t at) {
  while (at > 0) {
    std::size_t begin = at - 1;
    while (begin > 0 && isContinuation(text[begin])) --begin;
    if (!isBlank(codePointOf(text.substr(begin, at - begin)))) break;
    at = begin;
  }
  return at;
}

Result<AddedToken> readToken(const Json& entry, const std::string& pointer) {
  ObjectReader reader(entry, pointer);
  AddedToken token;
  token.content = reader.text("content");
  const Json* id = reader.raw("id");
  token.special = reader.boolean("special", false);
  token.normalized = reader.boolean("normalized", false);
  token.takesBlanksBefore = reader.boolean("lstrip", false);
  token.takesBlanksAfter = reader.boolean("rstrip", false);
  if (reader.boolean("single_word", false)) {
    reader.problem("single_word", "tokens that are found only as single words are not supported",
                   "Pass token ids instead");
  }
  if (id == nullptr) reader.problem("id", "\"id\" is missing");
  if (token.content.empty()) reader.problem("content", "the token has no text");
  if (token.content.size() > kLongestToken) {
    reader.problem("content", "an added token has at most " + std::to_string(kLongestToken) +
                                  " bytes, found " + std::to_string(token.content.size()));
  }
  STAGELANE_CHECK(reader.finish());
  STAGELANE_TRY(number, readId(*id, pointer + "/id"));
  token.id = *number;
  return token;
}

}  // namespace

Result<std::vector<AddedToken>> readAddedTokens(const Json* list, const std::string& pointer) {
  std::vector<AddedToken> tokens;
  if (list == nullptr || list->is_null()) return tokens;
  if (!list->is_array()) return fail(ErrorCode::Invalid, "expected a list of tokens", pointer);
  for (const Json& entry : *list) {
    STAGELANE_TRY(token, readToken(entry, childPointer(pointer, tokens.size())));
    tokens.push_back(std::move(*token));
  }
  return tokens;
}

TokenFinder::TokenFinder(std::vector<AddedToken> tokens) : m_tokens(std::move(tokens)) {
  std::stable_sort(m_tokens.begin(), m_tokens.end(),
                   [](const AddedToken& a, const AddedToken& b) { return a.content < b.content; });
  const auto repeated =
      std::unique(m_tokens.begin(), m_tokens.end(),
                  [](const AddedToken& a, const AddedToken& b) { return a.content == b.content; });
  m_tokens.erase(repeated, m_tokens.end());
  for (const AddedToken& token : m_tokens) {
    m_begins.at(static_cast<unsigned char>(token.content.front())) = true;
  }
}

const AddedToken* TokenFinder::longestAt(std::string_view text, std::size_t at) const {
  if (!m_begins.at(static_cast<unsigned char>(text[at]))) return nullptr;
  // The tokens that begin with the first `length` bytes from here are neighbors.
  auto first = m_tokens.begin();
  auto last = m_tokens.end();
  const AddedToken* longest = nullptr;
  for (std::size_t length = 1; at + length <= text.size() && first != last; ++length) {
    const std::string_view begin = text.substr(at, length);
    const auto cut = [length](const AddedToken& token) {
      return std::string_view(token.content).substr(0, length);
    };
    first = std::partition_point(first, last, [&](const AddedToken& t) { return cut(t) < begin; });
    last = std::partition_point(first, last, [&](const AddedToken& t) { return cut(t) <= begin; });
    if (first != last && first->content.size() == length) longest = &*first;
  }
  return longest;
}

std::vector<TokenFinder::Part> TokenFinder::partsOf(std::string_view text) const {
  std::vector<Part> parts;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const AddedToken* token = longestAt(text, at);
    if (token == nullptr) {
      ++at;
      continue;
    }
    const std::size_t after = at + token->content.size();
    // Blanks may belong to the token before already.
    const std::size_t begin =
        token->takesBlanksBefore ? std::max(beginOfBlanks(text, at), done) : at;
    const std::size_t end = token->takesBlanksAfter ? endOfBlanks(text, after) : after;
    if (begin > done) parts.push_back({text.substr(done, begin - done), nullptr});
    parts.push_back({text.substr(begin, end - begin), token});
    done = end;
    at = after;
  }
  if (done < text.size()) parts.push_back({text.substr(done), nullptr});
  return parts;
}

}  // namespace stagelane::tokenizer
