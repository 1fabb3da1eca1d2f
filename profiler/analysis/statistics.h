#pragma once

/// Statistics of repeated measurements. Standard deviations use ddof 0, like the tutorial's numpy.

#include <optional>
#include <vector>

namespace stagelane::analysis {

struct Summary {
  double mean = 0.0;
  double std = 0.0;
  double median = 0.0;
  double min = 0.0;
  double max = 0.0;
};
/// All zero without values.
[[nodiscard]] Summary summarize(const std::vector<double>& values);

/// Welch's t-test: whether two sets of repeats have different means.
struct WelchTest {
  double t = 0.0;
  double degreesOfFreedom = 0.0;
  double p = 1.0;  ///< two-sided
};
/// Empty with fewer than two values on a side. Without spread on both sides, p is 1 for equal
/// means, else 0.
/// @source B. L. Welch, The generalization of "Student's" problem when several different population
/// variances are involved, Biometrika 34, 1947; the distribution by the incomplete beta function,
/// https://dlmf.nist.gov/8.17
[[nodiscard]] std::optional<WelchTest> welchTest(const std::vector<double>& left,
                                                 const std::vector<double>& right);

}  // namespace stagelane::analysis
