#include "engine/base/apportion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stagelane {
namespace {

TimeNs sumOf(const std::vector<TimeNs>& parts) {
  return std::accumulate(parts.begin(), parts.end(), TimeNs{0});
}

}  // namespace

std::vector<std::int64_t> apportioned(const std::vector<TimeNs>& parts, std::int64_t units) {
  std::vector<std::int64_t> answer(parts.size(), 0);
  const TimeNs total = sumOf(parts);
  if (total <= 0) return answer;
  std::vector<std::pair<double, std::size_t>> remainders(parts.size());
  std::int64_t left = units;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double exact =
        static_cast<double>(units) * static_cast<double>(parts[i]) / static_cast<double>(total);
    answer[i] = static_cast<std::int64_t>(std::floor(exact));
    remainders[i] = {exact - static_cast<double>(answer[i]), i};
    left -= answer[i];
  }
  std::stable_sort(remainders.begin(), remainders.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; left > 0 && !remainders.empty(); i = (i + 1) % remainders.size()) {
    ++answer[remainders[i].second];
    --left;
  }
  return answer;
}

std::vector<double> roundedBusyAndIdle(const std::vector<TimeNs>& busy,
                                       const std::vector<TimeNs>& idle, int decimals) {
  const double scale = std::pow(10.0, decimals);
  const auto totals = apportioned({sumOf(busy), sumOf(idle)}, std::llround(100.0 * scale));
  std::vector<double> answer;
  const auto add = [&](const std::vector<TimeNs>& parts, std::int64_t units) {
    for (const std::int64_t part : apportioned(parts, units)) {
      answer.push_back(static_cast<double>(part) / scale);
    }
  };
  add(busy, totals[0]);
  add(idle, totals[1]);
  return answer;
}

}  // namespace stagelane
