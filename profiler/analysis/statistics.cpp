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
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  Summary summary;
  summary.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
  summary.std = std::sqrt(squares / count);
  summary.median = medianOf(values);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  summary.min = *least;
  summary.max = *most;
  return summary;
}

namespace {

/// The continued fraction of the incomplete beta function, DLMF 8.17.22, by Lentz's method.
double betaFraction(double a, double b, double x) {
  constexpr int kMostTerms = 500;
  constexpr double kEnough = 1e-15;
  constexpr double kTiny = 1e-300;
  const auto awayFromZero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1.0;
  double d = 1.0 / awayFromZero(1.0 - (a + b) * x / (a + 1.0));
  double fraction = d;
  for (int term = 1; term <= kMostTerms; ++term) {
    const double m = term;
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    d = 1.0 / awayFromZero(1.0 + even * d);
    c = awayFromZero(1.0 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    d = 1.0 / awayFromZero(1.0 + odd * d);
    c = awayFromZero(1.0 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1.0) < kEnough) break;
  }
  return fraction;
}

/// Regularized I_x(a, b), from the side on which the fraction converges quickly.
double incompleteBeta(double a, double b, double x) {
  if (x <= 0.0 || x >= 1.0) return x <= 0.0 ? 0.0 : 1.0;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1.0) / (a + b + 2.0) ? front * betaFraction(a, b, x) / a
                                       : 1.0 - front * betaFraction(b, a, 1.0 - x) / b;
}

/// Variance of the mean: the values' variance with n - 1, over n.
double varianceOfMean(const std::vector<double>& values, double mean) {
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(values.size());
  return squares / (count - 1.0) / count;
}

}  // namespace

std::optional<WelchTest> welchTest(const std::vector<double>& left,
                                   const std::vector<double>& right) {
  if (left.size() < 2 || right.size() < 2) return std::nullopt;
  const double leftMean = summarize(left).mean;
  const double rightMean = summarize(right).mean;
  const double a = varianceOfMean(left, leftMean);
  const double b = varianceOfMean(right, rightMean);
  WelchTest test;
  if (a + b <= 0.0) {
    test.degreesOfFreedom = static_cast<double>(left.size() + right.size() - 2);
    test.p = leftMean == rightMean ? 1.0 : 0.0;
    return test;
  }
  test.t = (rightMean - leftMean) / std::sqrt(a + b);
  test.degreesOfFreedom = (a + b) * (a + b) /
                          (a * a / static_cast<double>(left.size() - 1) +
                           b * b / static_cast<double>(right.size() - 1));
  test.p = incompleteBeta(test.degreesOfFreedom / 2.0, 0.5,
                          test.degreesOfFreedom / (test.degreesOfFreedom + test.t * test.t));
  return test;
}

}  // namespace stagelane::analysis
