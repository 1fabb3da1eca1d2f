#include "engine/tokenizer/vocabulary.h"

#include <algorithm>

namespace stagelane::tokenizer {

Result<TokenId> readId(const Json& value, const std::string& pointer) {
  if (!value.is_number_integer()) {
    return fail(ErrorCode::Invalid, "expected a token id (an integer)", pointer);
  }
  const bool large = value.is_number_unsigned() &&
                     value.get<std::uint64_t>() > static_cast<std::uint64_t>(kLargestId);
  if (large || value.get<std::int64_t>() < 0) {
    return fail(ErrorCode::Invalid, "the token id " + value.dump() + " is out of range", pointer,
                "Use 0 to " + std::to_string(kLargestId));
  }
  return value.get<TokenId>();
}

void Vocabulary::reserve(std::size_t tokens) {
  m_ids.reserve(tokens);
  m_texts.reserve(tokens);
}

Status Vocabulary::add(const std::string& text, TokenId id, const std::string& pointer) {
  if (const std::string* other = textOf(id)) {
    return fail(
        ErrorCode::Invalid,
        "the tokens \"" + *other + "\" and \"" + text + "\" have the same id " + std::to_string(id),
        pointer);
  }
  const auto [place, isNew] = m_ids.emplace(text, id);
  if (!isNew) {
    return fail(ErrorCode::Invalid,
                "the token \"" + text + "\" has two ids, " + std::to_string(place->second) +
                    " and " + std::to_string(id),
                pointer);
  }
  m_texts.emplace(id, &place->first);
  m_endOfIds = std::max(m_endOfIds, id + 1);
  return {};
}

std::optional<TokenId> Vocabulary::find(std::string_view text) const {
  const auto place = m_ids.find(text);
  return place == m_ids.end() ? std::nullopt : std::optional(place->second);
}

const std::string* Vocabulary::textOf(TokenId id) const {
  const auto place = m_texts.find(id);
  return place == m_texts.end() ? nullptr : place->second;
}

}  // namespace stagelane::tokenizer
