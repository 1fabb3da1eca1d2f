#include "engine/predict/shared_work.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace stagelane::predict {
namespace {

double weightedSum(const std::vector<std::vector<double>>& times,
                   const std::vector<double>& weights) {
  double sum = 0.0;
  for (std::size_t piece = 0; piece < times.front().size(); ++piece) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t device = 0; device < times.size(); ++device) {
      least = std::min(least, weights[device] * times[device][piece]);
    }
    sum += least;
  }
  return sum;
}

}  // namespace

double leastShare(const std::vector<std::vector<double>>& times) {
  const std::size_t devices = times.size();
  const std::vector<double> equal(devices, 1.0 / static_cast<double>(devices));
  std::vector<double> bySpeed;
  for (const std::vector<double>& device : times) {
    const double all = std::accumulate(device.begin(), device.end(), 0.0);
    if (all <= 0.0) return weightedSum(times, equal);  // a device that takes no time does all work
    bySpeed.push_back(1.0 / all);
  }
  const double sum = std::accumulate(bySpeed.begin(), bySpeed.end(), 0.0);
  for (double& weight : bySpeed) weight /= sum;
  return std::max(weightedSum(times, equal), weightedSum(times, bySpeed));
}

}  // namespace stagelane::predict
