#include "profiler/analysis/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stagelane::analysis {
namespace {

/// numpy's median: the mean of the two middle values of an even count.
double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

}  // namespace

Summary summarize(const std::vector<double>& values) {
  if (values.empty()) {
    return {};
  }
  const auto count = static_cast<double>(values.size());
  Summary summary;
  summary.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : values) {
    squares += (value - summary.mean) * (value - summary.mean);
  }
  summary.std = std::sqrt(squares / count);
  summary.median = medianOf(values);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  summary.min = *least;
  summary.max = *most;
  return summary;
}

}  // namespace stagelane::analysis
