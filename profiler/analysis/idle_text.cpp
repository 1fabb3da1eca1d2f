#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "profiler/analysis/idle.h"

namespace stagelane::analysis {
namespace {

/// One part of the sentence; the first is the busy time, which is not said.
struct Part {
  std::string words;
  TimeNs timeNs = 0;
};

std::string words(Cause cause) {
  return cause == Cause::Warmup ? "warm-up" : std::string(word(cause));
}

std::string starvedWords(const trace::Trace& trace, std::int32_t device) {
  const bool known = device >= 0 && static_cast<std::size_t>(device) < trace.devices().size();
  return known ? "starved by " + trace.devices()[static_cast<std::size_t>(device)] : "starved";
}

std::vector<Part> partsOf(const trace::Trace& trace, const DeviceStep& device) {
  std::vector<Part> parts = {{"busy", device.busyNs()}};
  for (std::size_t index = 0; index < kCauseCount; ++index) {
    const auto cause = static_cast<Cause>(index);
    if (isBusy(cause)) {
      continue;
    }
    if (cause != Cause::Starved) {
      parts.push_back({words(cause), device.causeNs[index]});
      continue;
    }
    for (const auto& [blamed, timeNs] : device.starvedBy) {
      parts.push_back({starvedWords(trace, blamed), timeNs});
    }
  }
  return parts;
}

}  // namespace

std::string idleSentence(const trace::Trace& trace, const StepBreakdown& step, std::size_t device) {
  if (device >= step.devices.size()) {
    return {};
  }
  const DeviceStep& figures = step.devices[device];
  const std::vector<Part> parts = partsOf(trace, figures);
  std::vector<TimeNs> times;
  for (const Part& part : parts) {
    times.push_back(part.timeNs);
  }
  const std::vector<double> percent = roundedPercentages(times, 0);
  std::string list;
  long idle = 0;
  for (std::size_t index = 1; index < parts.size() && index < percent.size(); ++index) {
    const long whole = std::lround(percent[index]);
    if (whole > 0) {
      list += (list.empty() ? ": " : ", ") + std::to_string(whole) + ' ' + parts[index].words;
      idle += whole;
    }
  }
  return trace.devices()[static_cast<std::size_t>(figures.device)] + " idle " +
         std::to_string(idle) + " %" + list;
}

}  // namespace stagelane::analysis
