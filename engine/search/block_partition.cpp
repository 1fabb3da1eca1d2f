// The balancing heuristic of torchgpipe, implemented from the paper.

#include <algorithm>
#include <numeric>

#include "engine/plan/stage_layout.h"
#include "engine/search/partition.h"

namespace stagelane::search {
namespace {

/// A partition whose boundaries move one block at a time.
class Partition {
 public:
  Partition(const std::vector<double>& weights, std::vector<std::size_t> firsts)
      : m_weights(weights), m_firsts(std::move(firsts)) {
    for (std::size_t part = 0; part < m_firsts.size(); ++part) m_sums.push_back(sumOf(part));
  }
  void run();
  [[nodiscard]] const std::vector<std::size_t>& firsts() const { return m_firsts; }

 private:
  [[nodiscard]] std::size_t end(std::size_t part) const {
    return part + 1 < m_firsts.size() ? m_firsts[part + 1] : m_weights.size();
  }
  [[nodiscard]] double sumOf(std::size_t part) const {
    const auto begin = m_weights.begin();
    return std::accumulate(begin + static_cast<std::ptrdiff_t>(m_firsts[part]),
                           begin + static_cast<std::ptrdiff_t>(end(part)), 0.0);
  }
  [[nodiscard]] std::size_t smallestNear(std::size_t largest) const;
  void give(std::size_t from, std::size_t to);

  const std::vector<double>& m_weights;
  std::vector<std::size_t> m_firsts;
  std::vector<double> m_sums;
};

/// The smallest part closest to the largest one.
std::size_t Partition::smallestNear(std::size_t largest) const {
  const auto distance = [&](std::size_t part) {
    return part > largest ? part - largest : largest - part;
  };
  std::size_t answer = largest;
  for (std::size_t part = 0; part < m_sums.size(); ++part) {
    const bool smaller = m_sums[part] < m_sums[answer];
    const bool nearer = m_sums[part] == m_sums[answer] && distance(part) < distance(answer);
    if (part != largest &&
        (answer == largest ? m_sums[part] <= m_sums[answer] : smaller || nearer)) {
      answer = part;
    }
  }
  return answer;
}

/// Moves the block at the boundary of two neighbors.
void Partition::give(std::size_t from, std::size_t to) {
  if (from < to) {
    --m_firsts[to];
  } else {
    ++m_firsts[from];
  }
  m_sums[from] = sumOf(from);
  m_sums[to] = sumOf(to);
}

void Partition::run() {
  const double heaviest = *std::max_element(m_weights.begin(), m_weights.end());
  // Each move takes a block from the largest part's side, so the number of moves is bounded; the
  // limit only guards against rounding.
  const std::size_t mostMoves = m_weights.size() * m_weights.size() * m_firsts.size();
  std::size_t largest = 0;
  bool chosen = false;
  for (std::size_t move = 0; move < mostMoves; ++move) {
    if (!chosen) {
      largest =
          static_cast<std::size_t>(std::max_element(m_sums.begin(), m_sums.end()) - m_sums.begin());
      chosen = true;
    }
    const std::size_t smallest = smallestNear(largest);
    if (m_sums[largest] <= m_sums[smallest] + heaviest) return;
    const std::size_t giver = smallest < largest ? smallest + 1 : smallest - 1;
    if (m_firsts[giver] == end(giver)) return;
    give(giver, smallest);
    chosen = giver != largest;
  }
}

}  // namespace

std::vector<std::size_t> blockPartition(const std::vector<double>& weights, std::size_t parts) {
  const std::size_t blocks = weights.size();
  std::vector<std::size_t> firsts = plan::uniformCut(blocks, parts);
  if (firsts.size() < 2) return firsts;
  Partition partition(weights, firsts);
  partition.run();
  firsts = partition.firsts();
  // Parts may be empty in the paper, but stages may not.
  for (std::size_t part = 1; part < firsts.size(); ++part) {
    firsts[part] = std::max(firsts[part], firsts[part - 1] + 1);
  }
  for (std::size_t part = firsts.size(); part > 1; --part) {
    const std::size_t next = part < firsts.size() ? firsts[part] : blocks;
    firsts[part - 1] = std::min(firsts[part - 1], next - 1);
  }
  return firsts;
}

}  // namespace stagelane::search
