#include "engine/tokenizer/word_encoder.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "engine/tokenizer/utf8.h"

namespace stagelane::tokenizer {
namespace {

constexpr std::int32_t kNoMerge = std::numeric_limits<std::int32_t>::max();

/// Up to this many tokens, looking at all pairs for each merge is faster than a heap.
constexpr std::size_t kFew = 64;

/// The first place after `begin` where a visible blank follows another character.
std::size_t endOfPart(std::string_view word, std::size_t begin) {
  std::size_t end = begin;
  while (word.substr(end, kVisibleBlank.size()) == kVisibleBlank) end += kVisibleBlank.size();
  return end < word.size() ? std::min(word.find(kVisibleBlank, end), word.size()) : end;
}

}  // namespace

void WordEncoder::encode(std::string_view word, std::vector<TokenId>& ids) {
  if (word.empty()) return;
  if (m_model.rules().wholeWordsFirst) {
    if (const auto id = m_model.vocabulary().find(word)) {
      ids.push_back(*id);
      return;
    }
  }
  std::size_t begin = 0;
  while (begin < word.size()) {
    const std::size_t end = m_model.cutsBeforeBlanks() ? endOfPart(word, begin) : word.size();
    encodePart(word.substr(begin, end - begin), ids);
    begin = end;
  }
}

void WordEncoder::encodePart(std::string_view part, std::vector<TokenId>& ids) {
  fill(part);
  if (m_tokens.size() <= kFew) {
    mergeFew();
  } else {
    mergeMany();
  }
  ids.insert(ids.end(), m_tokens.begin(), m_tokens.end());
}

void WordEncoder::fill(std::string_view word) {
  m_tokens.clear();
  m_unknownPending = false;
  for (std::size_t at = 0; at < word.size();) {
    const std::string_view character = word.substr(at, utf8Length(word[at]));
    at += character.size();
    if (const auto id = m_model.tokenOf(character)) {
      flushUnknown();
      m_tokens.push_back(*id);
      continue;
    }
    if (m_model.rules().byteFallback) {
      if (const auto bytes = m_model.bytesOf(character)) {
        // The pending unknown token comes after them, as in the package `tokenizers`.
        m_tokens.insert(m_tokens.end(), bytes->begin(), bytes->end());
        continue;
      }
    }
    addUnknown();
  }
  flushUnknown();
}

void WordEncoder::addUnknown() {
  if (!m_model.rules().unknown) return;
  if (!m_model.rules().fuseUnknown) flushUnknown();
  m_unknownPending = true;
}

void WordEncoder::flushUnknown() {
  if (m_unknownPending) m_tokens.push_back(*m_model.rules().unknown);
  m_unknownPending = false;
}

std::int32_t WordEncoder::rankAt(TokenId left, TokenId right) const {
  const Merge* merge = m_model.merges().find(left, right);
  return merge == nullptr ? kNoMerge : merge->rank;
}

void WordEncoder::mergeFew() {
  if (m_tokens.size() < 2) return;
  m_ranks.clear();
  for (std::size_t i = 0; i + 1 < m_tokens.size(); ++i) {
    m_ranks.push_back(rankAt(m_tokens[i], m_tokens[i + 1]));
  }
  while (!m_ranks.empty()) {
    const auto best = std::min_element(m_ranks.begin(), m_ranks.end());
    if (*best == kNoMerge) return;
    const auto at = static_cast<std::size_t>(best - m_ranks.begin());
    m_tokens[at] = m_model.merges().find(m_tokens[at], m_tokens[at + 1])->result;
    m_tokens.erase(m_tokens.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    m_ranks.erase(best);
    if (at > 0) m_ranks[at - 1] = rankAt(m_tokens[at - 1], m_tokens[at]);
    if (at < m_ranks.size()) m_ranks[at] = rankAt(m_tokens[at], m_tokens[at + 1]);
  }
}

void WordEncoder::rankPair(std::int32_t place) {
  Symbol& symbol = m_symbols[static_cast<std::size_t>(place)];
  symbol.rank = symbol.next < 0
                    ? kNoMerge
                    : rankAt(symbol.id, m_symbols[static_cast<std::size_t>(symbol.next)].id);
}

void WordEncoder::mergeWithNext(std::int32_t place) {
  Symbol& symbol = m_symbols[static_cast<std::size_t>(place)];
  Symbol& right = m_symbols[static_cast<std::size_t>(symbol.next)];
  symbol.id = m_model.merges().find(symbol.id, right.id)->result;
  symbol.next = right.next;
  right.rank = kNoMerge;  // it is no longer a symbol: candidates for it are stale
  if (symbol.next >= 0) m_symbols[static_cast<std::size_t>(symbol.next)].previous = place;
}

void WordEncoder::mergeMany() {
  const auto worse = [](const Candidate& a, const Candidate& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.place > b.place;
  };
  const auto count = static_cast<std::int32_t>(m_tokens.size());
  m_symbols.clear();
  m_candidates.clear();
  for (std::int32_t i = 0; i < count; ++i) {
    m_symbols.push_back(
        {m_tokens[static_cast<std::size_t>(i)], kNoMerge, i - 1, i + 1 < count ? i + 1 : -1});
  }
  const auto consider = [&](std::int32_t place) {
    rankPair(place);
    const std::int32_t rank = m_symbols[static_cast<std::size_t>(place)].rank;
    if (rank != kNoMerge) m_candidates.push_back({rank, place});
    return rank != kNoMerge;
  };
  for (std::int32_t i = 0; i < count; ++i) consider(i);
  std::make_heap(m_candidates.begin(), m_candidates.end(), worse);
  while (!m_candidates.empty()) {
    std::pop_heap(m_candidates.begin(), m_candidates.end(), worse);
    const Candidate best = m_candidates.back();
    m_candidates.pop_back();
    if (m_symbols[static_cast<std::size_t>(best.place)].rank != best.rank) continue;  // stale
    mergeWithNext(best.place);
    for (const std::int32_t place :
         {m_symbols[static_cast<std::size_t>(best.place)].previous, best.place}) {
      if (place >= 0 && consider(place)) {
        std::push_heap(m_candidates.begin(), m_candidates.end(), worse);
      }
    }
  }
  m_tokens.clear();
  for (std::int32_t i = count == 0 ? -1 : 0; i >= 0;) {
    const Symbol& symbol = m_symbols[static_cast<std::size_t>(i)];
    m_tokens.push_back(symbol.id);
    i = symbol.next;
  }
}

}  // namespace stagelane::tokenizer
