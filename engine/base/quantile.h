#pragma once

/// Order statistics of small samples.

#include <vector>

namespace stagelane {

/// The value below which a share (0 … 1) of the values lies, interpolated linearly between order
/// statistics as `numpy.percentile` does; 0 for none. 0.5 is the median.
[[nodiscard]] double quantile(std::vector<double> values, double share);

}  // namespace stagelane
