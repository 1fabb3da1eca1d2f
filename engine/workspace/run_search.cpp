#include "engine/workspace/run_search.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace stagelane::workspace {
namespace {

using Field = SearchTerm::Field;

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return lower;
}

struct Prefix {
  std::string_view text;
  Field field;
};
constexpr std::array kPrefixes{Prefix{"tag:", Field::Tag},     Prefix{"status:", Field::Status},
                               Prefix{"model:", Field::Model}, Prefix{"device:", Field::Device},
                               Prefix{"since:", Field::Since}, Prefix{"until:", Field::Until}};

SearchTerm termOf(std::string_view word) {
  SearchTerm term;
  if (word.size() > 1 && word.front() == '-') {
    term.negated = true;
    word.remove_prefix(1);
  }
  term.text = lowered(word);
  if (term.text == "is:favourite" || term.text == "is:favorite") {
    term.field = Field::Favourite;
    return term;
  }
  if (term.text == "is:noisy") {
    term.field = Field::Noisy;
    return term;
  }
  for (const Prefix& prefix : kPrefixes) {
    if (term.text.size() > prefix.text.size() && term.text.rfind(prefix.text, 0) == 0) {
      term.field = prefix.field;
      term.text.erase(0, prefix.text.size());
      break;
    }
  }
  return term;
}

/// Words by blanks; what stands between quotes is one word, also behind `tag:`.
std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char letter : text) {
    if (letter == '"') {
      quoted = !quoted;
    } else if (!quoted && std::isspace(static_cast<unsigned char>(letter)) != 0) {
      if (!word.empty()) {
        words.push_back(word);
      }
      word.clear();
    } else {
      word += letter;
    }
  }
  if (!word.empty()) {
    words.push_back(word);
  }
  return words;
}

bool contains(std::string_view text, const std::string& part) {
  return lowered(text).find(part) != std::string::npos;
}

bool hasTag(const RunEntry& entry, const std::string& tag) {
  return std::any_of(entry.labels.tags.begin(), entry.labels.tags.end(),
                     [&tag](const std::string& known) { return lowered(known) == tag; });
}

bool containsAnywhere(const RunEntry& entry, const std::string& part) {
  for (const std::string* text :
       {&entry.name, &entry.folder, &entry.model, &entry.devices, &entry.words, &entry.reason,
        &entry.status, &entry.labels.note, &entry.startedAt}) {
    if (contains(*text, part)) {
      return true;
    }
  }
  return std::any_of(entry.labels.tags.begin(), entry.labels.tags.end(),
                     [&part](const std::string& tag) { return contains(tag, part); }) ||
         "run " + std::to_string(entry.number) == part;
}

bool holds(const SearchTerm& term, const RunEntry& entry) {
  switch (term.field) {
    case Field::Any: return containsAnywhere(entry, term.text);
    case Field::Tag: return hasTag(entry, term.text);
    case Field::Status: return lowered(entry.status) == term.text;
    case Field::Model: return contains(entry.model, term.text);
    case Field::Device: return contains(entry.devices, term.text);
    // ISO times are in the order of their letters; a day stands for all of it.
    case Field::Since: return lowered(entry.startedAt) >= term.text;
    case Field::Until: return lowered(entry.startedAt).substr(0, term.text.size()) <= term.text;
    case Field::Favourite: return entry.labels.favourite;
    case Field::Noisy: return entry.noisy;
  }
  return false;
}

}  // namespace

RunSearch::RunSearch(std::string_view text) {
  for (const std::string& word : wordsOf(text)) {
    m_terms.push_back(termOf(word));
  }
}

bool RunSearch::matches(const RunEntry& entry) const {
  return std::all_of(m_terms.begin(), m_terms.end(), [&entry](const SearchTerm& term) {
    return holds(term, entry) != term.negated;
  });
}

}  // namespace stagelane::workspace
