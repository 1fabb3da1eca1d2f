#pragma once

/// Figures of repeated measurements. Standard deviations have ddof 0 (the tutorial's numpy).

#include <vector>

namespace stagelane::analysis {

struct Summary {
  double mean = 0.0;
  double std = 0.0;
  double median = 0.0;
  double min = 0.0;
  double max = 0.0;
};
/// All zero for no values.
[[nodiscard]] Summary summarize(const std::vector<double>& values);

}  // namespace stagelane::analysis
