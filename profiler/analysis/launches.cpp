#include "profiler/analysis/launches.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace stagelane::analysis {

using trace::Category;

std::optional<std::size_t> launchOf(const trace::Trace& trace, std::size_t event) {
  std::optional<std::size_t> call;
  for (const std::uint32_t flow : trace.flowsInto(event)) {
    const std::size_t from = trace.flows()[flow].from;
    const Category category = trace.categories()[from];
    const bool host = category == Category::Operator || category == Category::Other;
    if (host && (!call || trace.startsNs()[from] > trace.startsNs()[*call])) call = from;
  }
  return call;
}

LaunchTable::LaunchTable(const trace::Trace& trace) : m_devices(trace.devices().size()) {
  for (std::size_t track = 0; track < trace.tracks().size() && !trace.flows().empty(); ++track) {
    const std::int32_t device = trace.tracks()[track].device;
    if (device < 0) continue;
    const auto [first, last] = trace.rangeOfTrack(track);
    for (std::size_t event = first; event < last; ++event) {
      const Category category = trace.categories()[event];
      if (category != Category::Kernel && category != Category::Copy) continue;
      if (const std::optional<std::size_t> call = launchOf(trace, event)) {
        const TimeNs callNs = trace.startsNs()[*call];
        m_devices[static_cast<std::size_t>(device)].push_back({trace.startsNs()[event], callNs,
                                                               callNs + trace.durationsNs()[*call],
                                                               static_cast<std::uint16_t>(track)});
      }
    }
  }
  for (std::vector<Launch>& launches : m_devices) {
    std::sort(launches.begin(), launches.end(), [](const Launch& left, const Launch& right) {
      return std::tie(left.startNs, left.callStartNs) < std::tie(right.startNs, right.callStartNs);
    });
  }
}

std::uint64_t LaunchTable::longestQueue(std::vector<Launch> launches) {
  struct Change {
    std::uint16_t track;
    TimeNs timeNs;
    int by;
  };
  std::vector<Change> changes;
  for (const Launch& launch : launches) {
    changes.push_back({launch.track, launch.callStartNs, 1});
    changes.push_back({launch.track, launch.startNs, -1});
  }
  std::sort(changes.begin(), changes.end(), [](const Change& left, const Change& right) {
    return std::tuple(left.track, left.timeNs, -left.by) <
           std::tuple(right.track, right.timeNs, -right.by);
  });
  std::int64_t longest = 0;
  std::int64_t length = 0;
  for (std::size_t index = 0; index < changes.size(); ++index) {
    const bool newTrack = index > 0 && changes[index].track != changes[index - 1].track;
    length = (newTrack ? 0 : length) + changes[index].by;
    longest = std::max(longest, length);
  }
  return static_cast<std::uint64_t>(longest);
}

Launches LaunchTable::of(const trace::Step& step, std::size_t device) const {
  const std::vector<Launch>& all = m_devices.at(device);
  const auto byStart = [](const Launch& launch, TimeNs timeNs) { return launch.startNs < timeNs; };
  const std::vector<Launch> inside(
      std::lower_bound(all.begin(), all.end(), step.startNs, byStart),
      std::lower_bound(all.begin(), all.end(), std::max(step.startNs, step.endNs), byStart));
  Launches launches;
  if (inside.empty()) return launches;
  std::vector<TimeNs> delays;
  for (const Launch& launch : inside) {
    delays.push_back(std::max<TimeNs>(0, launch.startNs - launch.callEndNs));
    launches.totalDelayNs += delays.back();
    launches.queuedNs += std::max<TimeNs>(0, launch.startNs - launch.callStartNs);
  }
  std::sort(delays.begin(), delays.end());
  launches.count = inside.size();
  launches.medianDelayNs = delays[(delays.size() - 1) / 2];
  launches.mostDelayNs = delays.back();
  launches.longestQueue = longestQueue(inside);
  return launches;
}

}  // namespace stagelane::analysis
