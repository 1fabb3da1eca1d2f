#include "profiler/analysis/median_step.h"

#include <map>

#include "engine/trace/middle_steps.h"

namespace stagelane::analysis {
namespace {

/// Halves of the parts, rounded so that they add up to half the total.
class Halves {
 public:
  TimeNs next(TimeNs sum) {
    m_seen += sum;
    const TimeNs part = m_seen / 2 - m_given;
    m_given += part;
    return part;
  }

 private:
  TimeNs m_seen = 0;
  TimeNs m_given = 0;
};

void takeStarvedBy(const DeviceStep& left, const DeviceStep& right, Halves halves,
                   DeviceStep& mean) {
  std::map<std::int32_t, TimeNs> sums;
  for (const DeviceStep* device : {&left, &right}) {
    for (const auto& [blamed, durationNs] : device->starvedBy) sums[blamed] += durationNs;
  }
  for (const auto& [blamed, sumNs] : sums) mean.starvedBy.emplace_back(blamed, halves.next(sumNs));
}

DeviceStep meanOf(const DeviceStep& left, const DeviceStep& right) {
  DeviceStep mean;
  mean.device = left.device;
  mean.host = left.host;
  Halves halves;
  for (std::size_t cause = 0; cause < kCauseCount; ++cause) {
    if (static_cast<Cause>(cause) == Cause::Starved) {
      // Round like the cause, so that its parts add up to it.
      takeStarvedBy(left, right, halves, mean);
    }
    mean.causeNs[cause] = halves.next(left.causeNs[cause] + right.causeNs[cause]);
  }
  return mean;
}

}  // namespace

StepBreakdown medianBreakdown(const trace::Trace& trace) {
  const std::vector<trace::Step> steps = stepsOf(trace);
  const std::vector<std::size_t> middle = trace::middleSteps(steps);
  if (middle.empty()) return {};
  StepBreakdown breakdown = breakDown(trace, steps[middle.front()]);
  if (middle.size() == 1) return breakdown;
  const StepBreakdown other = breakDown(trace, steps[middle.back()]);
  for (std::size_t i = 0; i < breakdown.devices.size(); ++i) {
    breakdown.devices[i] = meanOf(breakdown.devices[i], other.devices.at(i));
  }
  breakdown.step.endNs = breakdown.step.startNs + trace::medianDurationNs(steps);
  return breakdown;
}

}  // namespace stagelane::analysis
