#include <cmath>

#include "engine/base/text.h"
#include "profiler/analysis/idle.h"

namespace stagelane::analysis {

std::vector<IdlePart> idleParts(const trace::Trace& trace, const StepBreakdown& step,
                                std::size_t device) {
  std::vector<IdlePart> parts;
  if (device >= step.devices.size()) return parts;
  const DeviceStep& figures = step.devices[device];
  for (std::size_t index = 0; index < kCauseCount; ++index) {
    const auto cause = static_cast<Cause>(index);
    if (isBusy(cause)) continue;
    if (cause != Cause::Starved) {
      parts.push_back({cause, "", figures.causeNs[index]});
      continue;
    }
    for (const auto& [blamed, timeNs] : figures.starvedBy) {
      const bool known = blamed >= 0 && static_cast<std::size_t>(blamed) < trace.devices().size();
      const std::string by = known ? trace.devices()[static_cast<std::size_t>(blamed)] : "";
      parts.push_back({cause, by, timeNs});
    }
  }
  std::vector<TimeNs> times{figures.busyNs()};
  for (const IdlePart& part : parts) times.push_back(part.timeNs);
  const std::vector<double> percent = roundedPercentages(times, 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].percent = static_cast<int>(std::lround(percent[i + 1]));
  }
  return parts;
}

std::string idleSentence(const trace::Trace& trace, const StepBreakdown& step, std::size_t device) {
  if (device >= step.devices.size()) return {};
  const DeviceStep& figures = step.devices[device];
  std::string list;
  int idle = 0;
  for (const IdlePart& part : idleParts(trace, step, device)) {
    if (part.percent == 0) continue;
    list += (list.empty() ? ": " : ", ") + std::to_string(part.percent) + ' ' +
            stagelane::trace::idleWords(part.cause, part.by);
    idle += part.percent;
  }
  return trace.devices()[static_cast<std::size_t>(figures.device)] + " idle " +
         std::to_string(idle) + " %" + list;
}

}  // namespace stagelane::analysis
