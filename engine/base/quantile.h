#pragma once

/// Order statistics of small samples.

#include <vector>

namespace stagelane {

/// The quantile at `share` (0 … 1), interpolated linearly between order statistics as
/// `numpy.percentile` does; 0 for no values. 0.5 is the median.
[[nodiscard]] double quantile(std::vector<double> values, double share);

}  // namespace stagelane
