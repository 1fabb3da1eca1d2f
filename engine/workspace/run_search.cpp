#include "engine/workspace/run_search.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

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

/// "2026", "2026-11", "2026-11-19", "2026-11-19t10:44": a valid calendar date or a prefix of one.
bool isMoment(const std::string& text) {
  constexpr std::string_view kForm = "0000-00-00t00:00:00";
  if (text.size() < 4 || text.size() > kForm.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    if (kForm[i] == '0' ? !digit : text[i] != kForm[i]) return false;
  }
  const auto within = [&text](std::size_t at, int low, int high) {
    if (text.size() <= at) return true;
    const int value = std::atoi(text.substr(at, 2).c_str());
    return text.size() == at + 1 || (value >= low && value <= high);
  };
  return within(5, 1, 12) && within(8, 1, 31) && within(11, 0, 23) && within(14, 0, 59);
}

bool isState(const std::string& text) {
  return text == "running" || text == "done" || text == "failed" || text == "canceled";
}

/// Words with a colon that are not search keys but occur in runs.
bool isNameWithColon(const std::string& text) {
  for (const std::string_view device : {"cpu:", "cuda:", "sim:", "rank:"}) {
    if (text.rfind(device, 0) == 0) return true;
  }
  const std::size_t colon = text.find(':');
  return colon == std::string::npos || colon == 0 ||
         !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
                      [](unsigned char letter) { return std::isalpha(letter) != 0; });
}

std::string problemOf(const SearchTerm& term) {
  if (term.field == Field::Status && !isState(term.text)) {
    return "Unknown status " + term.text + ": use running, done, failed or canceled.";
  }
  if ((term.field == Field::Since || term.field == Field::Until) && !isMoment(term.text)) {
    return "\"" + term.text + "\" is not a date: use the form 2026-11-19.";
  }
  if (term.field == Field::Any && term.text.rfind("is:", 0) == 0) {
    return "Unknown filter " + term.text + ": use is:favorite or is:noisy.";
  }
  if (term.field == Field::Any && !isNameWithColon(term.text)) {
    return "Unknown filter \"" + term.text.substr(0, term.text.find(':') + 1) +
           "\": use tag:, status:, model:, device:, since:, until: or is:.";
  }
  return {};
}

SearchTerm bareTermOf(std::string_view word) {
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

SearchTerm termOf(std::string_view word) {
  SearchTerm term = bareTermOf(word);
  term.typed = word;
  term.problem = problemOf(term);
  return term;
}

/// Splits at blanks; a quoted phrase is one word, also after `tag:`.
std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char letter : text) {
    if (letter == '"') {
      quoted = !quoted;
    } else if (!quoted && std::isspace(static_cast<unsigned char>(letter)) != 0) {
      if (!word.empty()) words.push_back(word);
      word.clear();
    } else {
      word += letter;
    }
  }
  if (!word.empty()) words.push_back(word);
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
    if (contains(*text, part)) return true;
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
    // ISO times sort alphabetically; a date covers the whole day.
    case Field::Since: return lowered(entry.startedAt) >= term.text;
    case Field::Until: return lowered(entry.startedAt).substr(0, term.text.size()) <= term.text;
    case Field::Favourite: return entry.labels.favourite;
    case Field::Noisy: return entry.noisy;
  }
  return false;
}

}  // namespace

RunSearch::RunSearch(std::string_view text) {
  for (const std::string& word : wordsOf(text)) m_terms.push_back(termOf(word));
}

std::string RunSearch::problem() const {
  std::string sentences;
  for (const SearchTerm& term : m_terms) {
    if (!term.problem.empty()) sentences += (sentences.empty() ? "" : " ") + term.problem;
  }
  return sentences;
}

std::string RunSearch::without(std::size_t left) const {
  std::string text;
  for (std::size_t i = 0; i < m_terms.size(); ++i) {
    if (i == left) continue;
    const std::string& typed = m_terms[i].typed;
    const bool blank = typed.find_first_of(" \t") != std::string::npos;
    text += (text.empty() ? "" : " ") + (blank ? "\"" + typed + "\"" : typed);
  }
  return text;
}

bool RunSearch::matches(const RunEntry& entry) const {
  return std::all_of(m_terms.begin(), m_terms.end(), [&entry](const SearchTerm& term) {
    return holds(term, entry) != term.negated;
  });
}

}  // namespace stagelane::workspace
