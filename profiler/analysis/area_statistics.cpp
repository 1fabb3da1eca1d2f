#include "profiler/analysis/area_statistics.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace stagelane::analysis {
namespace {

constexpr std::size_t kLooksBetweenCancels = 65'536;

void count(AreaRow& row, TimeNs insideNs) {
  row.shortestNs = row.count == 0 ? insideNs : std::min(row.shortestNs, insideNs);
  row.longestNs = std::max(row.longestNs, insideNs);
  row.totalNs += insideNs;
  ++row.count;
}

void longestFirst(std::vector<AreaRow>& rows) {
  std::sort(rows.begin(), rows.end(), [](const AreaRow& left, const AreaRow& right) {
    return std::tie(right.totalNs, right.count, left.name, left.category) <
           std::tie(left.totalNs, left.count, right.name, right.category);
  });
}

class Counter {
 public:
  Counter(const trace::Trace& trace, const Area& area) : m_trace(trace), m_area(area) {
    m_answer.fromNs = area.fromNs;
    m_answer.toNs = area.toNs;
    m_kinds.resize(trace::kCategoryCount);
  }

  /// False if canceled.
  bool addTrack(std::size_t track, const std::atomic<bool>* cancel) {
    const auto [first, last] = m_trace.rangeOfTrack(track);
    const auto starts = m_trace.startsNs();
    for (std::size_t event = first; event < last && starts[event] < m_area.toNs; ++event) {
      if (cancel != nullptr && event % kLooksBetweenCancels == 0 && *cancel) return false;
      add(event);
    }
    return true;
  }

  AreaStatistics take() {
    for (AreaRow& row : m_kinds) {
      if (row.count > 0) m_answer.kinds.push_back(std::move(row));
    }
    for (auto& [key, row] : m_names) m_answer.names.push_back(std::move(row));
    longestFirst(m_answer.kinds);
    longestFirst(m_answer.names);
    return std::move(m_answer);
  }

 private:
  void add(std::size_t event) {
    const TimeNs start = m_trace.startsNs()[event];
    const TimeNs end = start + m_trace.durationsNs()[event];
    const trace::Category category = m_trace.categories()[event];
    const bool inside = end > m_area.fromNs || (start == end && start >= m_area.fromNs);
    if (!inside || (m_area.shown & trace::maskOf(category)) == 0) return;
    const TimeNs length = std::min(end, m_area.toNs) - std::max(start, m_area.fromNs);
    if (start < m_area.fromNs || end > m_area.toNs) ++m_answer.cutOff;
    count(m_answer.all, length);
    AreaRow& kind = m_kinds[static_cast<std::size_t>(category)];
    if (kind.count == 0) {
      kind.name = trace::word(category);
      kind.category = category;
    }
    count(kind, length);
    count(rowOf(event, category), length);
  }

  AreaRow& rowOf(std::size_t event, trace::Category category) {
    const std::uint64_t name = m_trace.nameNumbers()[event];
    const auto [place, isNew] =
        m_names.try_emplace(name * trace::kCategoryCount + static_cast<std::uint64_t>(category));
    if (isNew) {
      place->second.name = m_trace.names()[name];
      place->second.category = category;
    }
    return place->second;
  }

  const trace::Trace& m_trace;
  const Area& m_area;
  AreaStatistics m_answer;
  std::vector<AreaRow> m_kinds;
  std::unordered_map<std::uint64_t, AreaRow> m_names;
};

}  // namespace

AreaStatistics areaStatistics(const trace::Trace& trace, const Area& area,
                              const std::atomic<bool>* cancel) {
  Counter counter(trace, area);
  for (const std::size_t track : area.tracks) {
    if (!counter.addTrack(track, cancel)) break;
  }
  return counter.take();
}

}  // namespace stagelane::analysis
