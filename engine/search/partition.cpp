#include "engine/search/partition.h"

#include <algorithm>
#include <limits>

namespace stagelane::search {
namespace {

using Table = std::vector<std::vector<double>>;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// Costs and memory needs of parts, from prefix sums.
class Parts {
 public:
  explicit Parts(const CutProblem& problem);

  [[nodiscard]] std::size_t blocks() const { return m_blocks; }
  [[nodiscard]] std::size_t count() const { return m_count; }
  /// Time of the blocks; increases with every block.
  [[nodiscard]] double work(std::size_t part, std::size_t begin, std::size_t end) const {
    return m_time[part][end] - m_time[part][begin];
  }
  /// Time of the part with its links, as counted for the bottleneck.
  [[nodiscard]] double cost(std::size_t part, std::size_t begin, std::size_t end) const;
  /// Walks from a part's end to its beginning and checks whether it still fits.
  class Filling {
   public:
    Filling(const Parts& parts, std::size_t part) : m_parts(parts), m_part(part) {}
    [[nodiscard]] bool takes(std::size_t block);

   private:
    const Parts& m_parts;
    std::size_t m_part;
    Bytes m_kept = 0;
    Bytes m_temporary = 0;
  };

 private:
  [[nodiscard]] double link(std::size_t part, std::size_t begin) const {
    if (m_problem.linkBefore.empty() || part == 0 || part >= m_count) return 0.0;
    return m_problem.linkBefore[part][begin];
  }

  const CutProblem& m_problem;
  std::size_t m_blocks = 0;
  std::size_t m_count = 0;
  Table m_time;  ///< [part][b]: time of the blocks before b
};

Parts::Parts(const CutProblem& problem)
    : m_problem(problem),
      m_blocks(problem.timeOn.empty() ? 0 : problem.timeOn.front().size()),
      m_count(std::min(problem.timeOn.size(), m_blocks)),
      m_time(m_count) {
  for (std::size_t part = 0; part < m_count; ++part) {
    m_time[part].assign(m_blocks + 1, 0.0);
    for (std::size_t b = 0; b < m_blocks; ++b) {
      m_time[part][b + 1] = m_time[part][b] + problem.timeOn[part][b];
    }
  }
}

double Parts::cost(std::size_t part, std::size_t begin, std::size_t end) const {
  const double before = link(part, begin);
  if (!m_problem.linksBlock) return std::max(work(part, begin, end), before);
  return work(part, begin, end) + before + (end < m_blocks ? link(part + 1, end) : 0.0);
}

bool Parts::Filling::takes(std::size_t block) {
  if (!m_parts.m_problem.memory) return true;
  const CutMemory& memory = *m_parts.m_problem.memory;
  if (!memory.room[m_part]) return true;
  const std::int64_t live = memory.live[m_part];
  m_kept += memory.resident[block] + live * memory.saved[block];
  m_temporary = std::max(m_temporary, memory.temporary[block]);
  return m_kept + m_temporary + live * memory.stageInput[block] <= *memory.room[m_part];
}

/// best[b]: the smallest bottleneck of the blocks before b in the parts so far.
double smallestBottleneck(const Parts& parts) {
  const std::size_t blocks = parts.blocks();
  std::vector<double> best(blocks + 1, kNever);
  best[0] = 0.0;
  for (std::size_t part = 0; part < parts.count(); ++part) {
    std::vector<double> next(blocks + 1, kNever);
    for (std::size_t end = part + 1; end <= blocks; ++end) {
      Parts::Filling filling(parts, part);
      for (std::size_t begin = end; begin > part; --begin) {
        if (parts.work(part, begin - 1, end) > next[end]) break;
        if (!filling.takes(begin - 1)) continue;
        next[end] =
            std::min(next[end], std::max(best[begin - 1], parts.cost(part, begin - 1, end)));
      }
    }
    best = std::move(next);
  }
  return best[blocks];
}

/// The cut with the smallest sum of squares among those with a bottleneck of at most `limit`.
Cut evenestCut(const Parts& parts, double limit) {
  const std::size_t blocks = parts.blocks();
  Table squares(parts.count() + 1, std::vector<double>(blocks + 1, kNever));
  std::vector<std::vector<std::size_t>> from(parts.count() + 1,
                                             std::vector<std::size_t>(blocks + 1, 0));
  squares[0][0] = 0.0;
  for (std::size_t part = 0; part < parts.count(); ++part) {
    for (std::size_t end = part + 1; end <= blocks; ++end) {
      Parts::Filling filling(parts, part);
      for (std::size_t begin = end; begin > part; --begin) {
        if (parts.work(part, begin - 1, end) > limit) break;
        if (!filling.takes(begin - 1)) continue;
        const double cost = parts.cost(part, begin - 1, end);
        const double sum = squares[part][begin - 1] + cost * cost;
        if (cost > limit || sum >= squares[part + 1][end]) continue;
        squares[part + 1][end] = sum;
        from[part + 1][end] = begin - 1;
      }
    }
  }
  Cut cut{std::vector<std::size_t>(parts.count()), limit};
  std::size_t end = blocks;
  for (std::size_t part = parts.count(); part > 0; --part) {
    end = from[part][end];
    cut.firsts[part - 1] = end;
  }
  return cut;
}

/// The `count` cuts with the smallest bottlenecks; each prefix keeps its own best `count`.
class Ranking {
 public:
  Ranking(const Parts& parts, std::size_t count) : m_parts(parts), m_count(count) {}
  std::vector<Cut> run();

 private:
  /// A way to cut a prefix: the start of its last part, and the previous way that it extends.
  struct Way {
    double bottleneck = 0.0;
    double squares = 0.0;
    std::size_t begin = 0;
    std::size_t rank = 0;
    friend bool operator<(const Way& a, const Way& b) {
      return a.bottleneck != b.bottleneck ? a.bottleneck < b.bottleneck : a.squares < b.squares;
    }
  };
  using Ways = std::vector<Way>;

  void extend(const std::vector<Ways>& before, std::size_t part, std::size_t end, Ways& ways) const;
  void keep(Ways& ways, const Way& way) const;

  const Parts& m_parts;
  std::size_t m_count;
};

void Ranking::keep(Ways& ways, const Way& way) const {
  if (ways.size() == m_count && !(way < ways.back())) return;
  ways.insert(std::upper_bound(ways.begin(), ways.end(), way), way);
  if (ways.size() > m_count) ways.pop_back();
}

void Ranking::extend(const std::vector<Ways>& before, std::size_t part, std::size_t end,
                     Ways& ways) const {
  Parts::Filling filling(m_parts, part);
  for (std::size_t begin = end; begin > part; --begin) {
    const double work = m_parts.work(part, begin - 1, end);
    if (ways.size() == m_count && work > ways.back().bottleneck) return;
    if (!filling.takes(begin - 1)) continue;
    const double cost = m_parts.cost(part, begin - 1, end);
    const Ways& known = before[begin - 1];
    for (std::size_t rank = 0; rank < known.size(); ++rank) {
      const double bottleneck = std::max(known[rank].bottleneck, cost);
      if (ways.size() == m_count && bottleneck > ways.back().bottleneck) break;
      keep(ways, {bottleneck, known[rank].squares + cost * cost, begin - 1, rank});
    }
  }
}

std::vector<Cut> Ranking::run() {
  const std::size_t blocks = m_parts.blocks();
  std::vector<std::vector<Ways>> ways(m_parts.count() + 1, std::vector<Ways>(blocks + 1));
  ways[0][0].push_back({});
  for (std::size_t part = 0; part < m_parts.count(); ++part) {
    for (std::size_t end = part + 1; end <= blocks; ++end) {
      extend(ways[part], part, end, ways[part + 1][end]);
    }
  }
  std::vector<Cut> cuts;
  for (const Way& last : ways[m_parts.count()][blocks]) {
    Cut cut{std::vector<std::size_t>(m_parts.count()), last.bottleneck};
    Way way = last;
    for (std::size_t part = m_parts.count(); part > 0; --part) {
      cut.firsts[part - 1] = way.begin;
      if (part > 1) way = ways[part - 1][way.begin][way.rank];
    }
    cuts.push_back(std::move(cut));
  }
  return cuts;
}

}  // namespace

std::vector<Cut> bestCuts(const CutProblem& problem, std::size_t count) {
  const Parts parts(problem);
  if (parts.count() == 0 || count == 0) return {};
  const double limit = smallestBottleneck(parts);
  if (limit == kNever) return {};
  std::vector<Cut> cuts{evenestCut(parts, limit)};
  if (count == 1) return cuts;
  for (Cut& cut : Ranking(parts, count).run()) {
    if (cut.firsts != cuts.front().firsts && cuts.size() < count) cuts.push_back(std::move(cut));
  }
  return cuts;
}

double bottleneckOf(const CutProblem& problem, const std::vector<std::size_t>& firsts) {
  const Parts parts(problem);
  double worst = 0.0;
  for (std::size_t part = 0; part < firsts.size(); ++part) {
    const std::size_t end = part + 1 < firsts.size() ? firsts[part + 1] : parts.blocks();
    worst = std::max(worst, parts.cost(part, firsts[part], end));
  }
  return worst;
}

std::vector<std::size_t> minBottleneckCut(const std::vector<std::vector<double>>& costOn) {
  CutProblem problem;
  problem.timeOn = costOn;
  const std::vector<Cut> cuts = bestCuts(problem);
  return cuts.empty() ? std::vector<std::size_t>{} : cuts.front().firsts;
}

std::vector<std::size_t> balancedCut(const std::vector<double>& weights, std::size_t parts) {
  return minBottleneckCut(std::vector<std::vector<double>>(parts, weights));
}

}  // namespace stagelane::search
