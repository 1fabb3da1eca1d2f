#include "engine/plan/partition.h"

#include <algorithm>
#include <limits>

namespace stagelane::plan {
namespace {

using Table = std::vector<std::vector<double>>;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// prefix[d][b]: cost of the blocks before b on device d.
Table prefixSums(const Table& costOn, std::size_t parts) {
  Table prefix(parts);
  for (std::size_t d = 0; d < parts; ++d) {
    prefix[d].assign(costOn[d].size() + 1, 0.0);
    for (std::size_t b = 0; b < costOn[d].size(); ++b) {
      prefix[d][b + 1] = prefix[d][b] + costOn[d][b];
    }
  }
  return prefix;
}

/// best[b]: the smallest largest part of a cut of the blocks before b into the parts so far.
double smallestBottleneck(const Table& prefix, std::size_t blocks) {
  std::vector<double> best(blocks + 1, kNever);
  best[0] = 0.0;
  for (const std::vector<double>& sums : prefix) {
    std::vector<double> next(blocks + 1, kNever);
    for (std::size_t end = 1; end <= blocks; ++end) {
      for (std::size_t begin = 0; begin < end; ++begin) {
        next[end] = std::min(next[end], std::max(best[begin], sums[end] - sums[begin]));
      }
    }
    best = std::move(next);
  }
  return best[blocks];
}

}  // namespace

std::vector<std::size_t> minBottleneckCut(const std::vector<std::vector<double>>& costOn) {
  const std::size_t blocks = costOn.empty() ? 0 : costOn.front().size();
  const std::size_t parts = std::min(costOn.size(), blocks);
  const Table prefix = prefixSums(costOn, parts);
  const double limit = parts == 0 ? 0.0 : smallestBottleneck(prefix, blocks);

  Table squares(parts + 1, std::vector<double>(blocks + 1, kNever));
  std::vector<std::vector<std::size_t>> from(parts + 1, std::vector<std::size_t>(blocks + 1, 0));
  squares[0][0] = 0.0;
  for (std::size_t part = 1; part <= parts; ++part) {
    for (std::size_t end = part; end <= blocks; ++end) {
      for (std::size_t begin = part - 1; begin < end; ++begin) {
        const double cost = prefix[part - 1][end] - prefix[part - 1][begin];
        const double sum = squares[part - 1][begin] + cost * cost;
        if (cost > limit || sum >= squares[part][end]) continue;
        squares[part][end] = sum;
        from[part][end] = begin;
      }
    }
  }
  std::vector<std::size_t> firsts(parts);
  std::size_t end = blocks;
  for (std::size_t part = parts; part > 0; --part) {
    end = from[part][end];
    firsts[part - 1] = end;
  }
  return firsts;
}

}  // namespace stagelane::plan
