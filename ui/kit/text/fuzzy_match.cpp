#include "ui/kit/text/fuzzy_match.h"

#include <algorithm>
#include <vector>

namespace stagelane::ui {
namespace {

constexpr int kStartOfWord = 8;
constexpr int kTogether = 6;
constexpr int kFound = 1;
constexpr int kImpossible = -1;

bool beginsWord(QStringView text, qsizetype at) {
  return at == 0 || !text[at - 1].isLetterOrNumber();
}

/// The best match of a word: best[i][j] scores the first i + 1 letters with the last one at j.
class WordSearch {
 public:
  WordSearch(QStringView word, QStringView text) : m_word(word), m_text(text) {}

  [[nodiscard]] std::optional<FuzzyMatch> find() {
    const auto columns = static_cast<std::size_t>(m_text.size());
    const auto rows = static_cast<std::size_t>(m_word.size());
    m_best.assign(rows, std::vector<int>(columns, kImpossible));
    m_from.assign(rows, std::vector<std::size_t>(columns, 0));
    for (std::size_t row = 0; row < rows; ++row) fill(row);
    const std::vector<int>& last = m_best.back();
    const auto end = std::max_element(last.begin(), last.end());
    if (end == last.end() || *end == kImpossible) return {};
    FuzzyMatch match{*end, {}};
    auto column = static_cast<std::size_t>(end - last.begin());
    for (std::size_t row = rows; row-- > 0;) {
      match.places.prepend(static_cast<qsizetype>(column));
      column = m_from[row][column];
    }
    return match;
  }

 private:
  void fill(std::size_t row) {
    const QChar letter = m_word[static_cast<qsizetype>(row)].toLower();
    int before = kImpossible;  // best end of the letters so far, left of the column
    std::size_t beforeAt = 0;
    for (std::size_t column = 0; column < m_best[row].size(); ++column) {
      if (row > 0 && column > 0 && m_best[row - 1][column - 1] > before) {
        before = m_best[row - 1][column - 1];
        beforeAt = column - 1;
      }
      const auto at = static_cast<qsizetype>(column);
      if (m_text[at].toLower() != letter || (row > 0 && before == kImpossible)) continue;
      const int own = kFound + (beginsWord(m_text, at) ? kStartOfWord : 0);
      m_best[row][column] = row == 0 ? own : before + own;
      m_from[row][column] = beforeAt;
      const bool together = row > 0 && column > 0 && m_best[row - 1][column - 1] != kImpossible;
      if (together && m_best[row - 1][column - 1] + kTogether + kFound >= m_best[row][column]) {
        m_best[row][column] = m_best[row - 1][column - 1] + kTogether + own;
        m_from[row][column] = column - 1;
      }
    }
  }

  QStringView m_word;
  QStringView m_text;
  std::vector<std::vector<int>> m_best;
  std::vector<std::vector<std::size_t>> m_from;
};

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(QStringView query, QStringView text) {
  FuzzyMatch all;
  for (const QStringView word : query.split(QChar(u' '), Qt::SkipEmptyParts)) {
    const auto found = text.isEmpty() ? std::nullopt : WordSearch(word, text).find();
    if (!found) return {};
    all.score += found->score;
    all.places += found->places;
  }
  std::sort(all.places.begin(), all.places.end());
  all.places.erase(std::unique(all.places.begin(), all.places.end()), all.places.end());
  return all;
}

}  // namespace stagelane::ui
