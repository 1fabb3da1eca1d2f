#include "engine/trace/middle_steps.h"

#include <algorithm>
#include <charconv>

namespace stagelane::trace {

std::vector<std::size_t> middleSteps(const std::vector<Step>& steps) {
  const bool anyTimed =
      std::any_of(steps.begin(), steps.end(), [](const Step& step) { return !step.extra; });
  std::vector<std::size_t> order;
  for (std::size_t index = 0; index < steps.size(); ++index) {
    if (!anyTimed || !steps[index].extra) order.push_back(index);
  }
  if (order.empty()) return {};
  std::stable_sort(order.begin(), order.end(), [&steps](std::size_t left, std::size_t right) {
    return steps[left].endNs - steps[left].startNs < steps[right].endNs - steps[right].startNs;
  });
  const std::size_t upper = order.size() / 2;
  return order.size() % 2 == 1 ? std::vector{order[upper]}
                               : std::vector{order[upper - 1], order[upper]};
}

TimeNs medianDurationNs(const std::vector<Step>& steps) {
  const std::vector<std::size_t> middle = middleSteps(steps);
  TimeNs sum = 0;
  for (const std::size_t index : middle) sum += steps[index].endNs - steps[index].startNs;
  return middle.empty() ? 0 : sum / static_cast<TimeNs>(middle.size());
}

TimeNs statedMedianNs(const Trace& trace) {
  const auto found = trace.metadata().find(kMedianStepKey);
  TimeNs medianNs = 0;
  if (found != trace.metadata().end()) {
    const std::string& text = found->second;
    std::from_chars(text.data(), text.data() + text.size(), medianNs);
  }
  return medianNs;
}

}  // namespace stagelane::trace
