#include "ui/timeline/timeline_search.h"

#include <QObject>
#include <algorithm>
#include <array>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

/// Words are separated by spaces; quotes keep spaces in a word.
std::vector<QString> wordsOf(const QString& text) {
  std::vector<QString> words;
  QString word;
  bool quoted = false;
  for (const QChar letter : text) {
    if (letter == QChar(u'"')) {
      quoted = !quoted;
    } else if (letter.isSpace() && !quoted) {
      if (!word.isEmpty()) words.push_back(word);
      word.clear();
    } else {
      word += letter;
    }
  }
  if (!word.isEmpty()) words.push_back(word);
  return words;
}

/// The words of a search, prepared so that each event takes few comparisons.
class Query {
 public:
  Query(const TimelineData& data, const QString& text) : m_trace(data.trace()) {
    for (const QString& word : wordsOf(text)) {
      if (word.startsWith(u"stage:"_s, Qt::CaseInsensitive)) {
        m_stage = numberAfter(word);
      } else if (word.startsWith(u"mb:"_s, Qt::CaseInsensitive)) {
        m_microBatch = numberAfter(word);
      } else if (word.startsWith(u"on:"_s, Qt::CaseInsensitive)) {
        m_device = word.mid(3);
      } else {
        m_words.push_back(word);
      }
    }
    m_any = !m_words.empty() || m_stage || m_microBatch || !m_device.isEmpty();
    prepareNames();
  }

  /// Why the search is invalid; empty if it is valid.
  [[nodiscard]] const QString& problem() const { return m_problem; }
  [[nodiscard]] bool any() const { return m_any; }

  [[nodiscard]] bool wantsTrack(const trace::Track& track) const {
    if (m_device.isEmpty()) return true;
    return track.device >= 0 && qstring(m_trace.devices()[static_cast<std::size_t>(track.device)])
                                    .contains(m_device, Qt::CaseInsensitive);
  }

  [[nodiscard]] bool matches(std::size_t event) const {
    if (m_stage && m_trace.stages()[event] != *m_stage) return false;
    if (m_microBatch && m_trace.microBatches()[event] != *m_microBatch) return false;
    const auto words =
        static_cast<std::uint32_t>(m_ofName[m_trace.nameNumbers()[event]] |
                                   m_ofKind[static_cast<std::size_t>(m_trace.categories()[event])]);
    return words == m_all;
  }

 private:
  /// A number ≥ 0; otherwise sets the problem.
  std::optional<std::int32_t> numberAfter(const QString& word) {
    bool isNumber = false;
    const int number = word.section(QChar(u':'), 1).toInt(&isNumber);
    if (isNumber && number >= 0) return number;
    const QString prefix = word.section(QChar(u':'), 0, 0).toLower();
    m_problem = QObject::tr("%1: expected a number ≥ 0, such as %1:1").arg(prefix);
    return std::nullopt;
  }

  /// Which words each name and each kind matches, one bit per word.
  void prepareNames() {
    constexpr std::size_t kMostWords = 32;
    if (m_words.size() > kMostWords) m_words.resize(kMostWords);
    m_all = m_words.size() == kMostWords
                ? ~std::uint32_t{0}
                : (std::uint32_t{1} << static_cast<unsigned>(m_words.size())) - 1U;
    m_ofName.reserve(m_trace.names().size());
    for (const std::string& name : m_trace.names()) m_ofName.push_back(bitsOf(qstring(name)));
    for (std::size_t kind = 0; kind < trace::kCategoryCount; ++kind) {
      m_ofKind.push_back(bitsOf(categoryText(static_cast<trace::Category>(kind))));
    }
  }

  [[nodiscard]] std::uint32_t bitsOf(const QString& text) const {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < m_words.size(); ++i) {
      if (text.contains(m_words[i], Qt::CaseInsensitive)) bits |= std::uint32_t{1} << i;
    }
    return bits;
  }

  const trace::Trace& m_trace;
  std::vector<QString> m_words;
  std::optional<std::int32_t> m_stage, m_microBatch;
  QString m_device, m_problem;
  bool m_any = false;
  std::uint32_t m_all = 0;
  std::vector<std::uint32_t> m_ofName, m_ofKind;
};

}  // namespace

SearchResult findEvents(const TimelineData& data, const QString& text, const LegendFilter& filter) {
  SearchResult result;
  result.text = text.trimmed();
  const Query query(data, result.text);
  result.problem = query.problem();
  if (!query.any() || !result.problem.isEmpty()) return result;
  std::array<bool, trace::kCategoryCount> hidden{};
  for (const trace::Category kind : filter.hiddenCategories) {
    hidden[static_cast<std::size_t>(kind)] = true;
  }
  const trace::Trace& trace = data.trace();
  const TimeNs from = data.startNs(), to = from + data.wallNs();
  for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
    if (!query.wantsTrack(trace.tracks()[track])) continue;
    const auto [first, last] = trace.rangeOfTrack(track);
    for (std::size_t event = first; event < last && trace.startsNs()[event] < to; ++event) {
      const TimeNs start = trace.startsNs()[event];
      if (start < from && start + trace.durationsNs()[event] <= from) continue;
      if (!query.matches(event)) continue;
      if (hidden[static_cast<std::size_t>(trace.categories()[event])]) {
        ++result.hidden;
      } else {
        result.events.push_back(static_cast<std::uint32_t>(event));
      }
    }
  }
  result.byStart = result.events;
  std::stable_sort(result.byStart.begin(), result.byStart.end(),
                   [&](std::uint32_t left, std::uint32_t right) {
                     return trace.startsNs()[left] < trace.startsNs()[right];
                   });
  return result;
}

std::int64_t nextMatch(const TimelineData& data, const SearchResult& result, const SearchFrom& from,
                       int direction) {
  const auto count = static_cast<std::int64_t>(result.byStart.size());
  if (count == 0) return -1;
  const auto starts = data.trace().startsNs();
  const auto begin = result.byStart.begin();
  if (from.event >= 0) {
    const TimeNs start = starts[static_cast<std::size_t>(from.event)];
    const auto first =
        std::lower_bound(begin, result.byStart.end(), start,
                         [&](std::uint32_t event, TimeNs value) { return starts[event] < value; });
    auto found = std::find_if(first, result.byStart.end(), [&](std::uint32_t event) {
      return event == static_cast<std::uint32_t>(from.event) || starts[event] != start;
    });
    if (found != result.byStart.end() && *found == static_cast<std::uint32_t>(from.event)) {
      return (found - begin + direction + count) % count;
    }
    const std::int64_t place = first - begin;
    return ((direction > 0 ? place : place - 1) + count) % count;
  }
  const auto after = std::partition_point(begin, result.byStart.end(), [&](std::uint32_t event) {
    return static_cast<double>(starts[event] - data.startNs()) < from.timeNs;
  });
  return (after - begin + (direction > 0 ? 0 : -1) + count) % count;
}

}  // namespace stagelane::ui
