#include <algorithm>
#include <tuple>

#include "engine/trace/trace_builder.h"

namespace stagelane::trace {
namespace {

bool isTime(TimeNs timeNs) { return timeNs >= -kLargestTimeNs && timeNs <= kLargestTimeNs; }

template <class T>
bool allBelow(const std::vector<T>& column, std::size_t limit) {
  return std::all_of(column.begin(), column.end(), [limit](T value) { return value < limit; });
}

bool sizesFit(const TraceData& data) {
  const std::size_t count = data.startNs.size();
  return count < TraceBuilder::kNoEvent && data.durationNs.size() == count &&
         data.name.size() == count && data.correlation.size() == count &&
         data.microBatch.size() == count && data.track.size() == count &&
         data.stage.size() == count && data.category.size() == count &&
         data.categoryWord.size() == count && data.trackBegin.size() == data.tracks.size() + 1 &&
         data.trackBegin.front() == 0 && data.trackBegin.back() == count &&
         std::is_sorted(data.trackBegin.begin(), data.trackBegin.end());
}

bool tracksFit(const TraceData& data) {
  const auto devices = static_cast<std::int64_t>(data.devices.size());
  for (std::size_t index = 0; index < data.tracks.size(); ++index) {
    const Track& track = data.tracks[index];
    const bool parentFits = track.parent < static_cast<std::int64_t>(index) && track.parent >= -1;
    if (!parentFits || track.device < -1 || track.device >= devices ||
        track.kind > TrackKind::Other) {
      return false;
    }
    for (std::uint64_t event = data.trackBegin[index]; event < data.trackBegin[index + 1];
         ++event) {
      if (data.track[event] != index) return false;
    }
  }
  return true;
}

bool timesFit(const TraceData& data) {
  for (std::size_t index = 0; index < data.startNs.size(); ++index) {
    const TimeNs startNs = data.startNs[index];
    const TimeNs durationNs = data.durationNs[index];
    if (!isTime(startNs) || durationNs < 0 || !isTime(durationNs) ||
        !isTime(startNs + durationNs)) {
      return false;
    }
    const bool sameTrack = index > 0 && data.track[index - 1] == data.track[index];
    if (sameTrack && std::tie(startNs, data.durationNs[index - 1]) <
                         std::tie(data.startNs[index - 1], durationNs)) {
      return false;
    }
  }
  return isTime(data.rangeNs.first) && isTime(data.rangeNs.second);
}

bool tablesFit(const TraceData& data) {
  return allBelow(data.name, data.names.size()) &&
         allBelow(data.categoryWord, data.categoryWords.size()) &&
         std::all_of(data.category.begin(), data.category.end(),
                     [](Category category) { return category <= Category::Other; });
}

bool flowsFit(const TraceData& data) {
  const std::size_t count = data.startNs.size();
  const auto known = [count](const Flow& flow) { return flow.from < count && flow.to < count; };
  const auto byTarget = [&data](std::uint32_t left, std::uint32_t right) {
    return std::tie(data.flows[left].to, data.flows[left].from) <
           std::tie(data.flows[right].to, data.flows[right].from);
  };
  return std::all_of(data.flows.begin(), data.flows.end(), known) &&
         std::is_sorted(data.flows.begin(), data.flows.end()) &&
         data.flowsByTarget.size() == data.flows.size() &&
         allBelow(data.flowsByTarget, data.flows.size()) &&
         std::is_sorted(data.flowsByTarget.begin(), data.flowsByTarget.end(), byTarget);
}

bool smallPartsFit(const TraceData& data) {
  const auto devices = static_cast<std::int64_t>(data.devices.size());
  const bool steps = std::all_of(data.steps.begin(), data.steps.end(), [](const Step& step) {
    return isTime(step.startNs) && isTime(step.endNs) && step.startNs <= step.endNs;
  });
  const auto transferFits = [&](const Transfer& transfer) {
    return transfer.event < data.startNs.size() && transfer.peer >= -1 && transfer.peer < devices;
  };
  const auto seriesFits = [&](const CounterSeries& series) {
    return series.track < data.tracks.size() && series.timesNs.size() == series.values.size() &&
           std::is_sorted(series.timesNs.begin(), series.timesNs.end()) &&
           std::all_of(series.timesNs.begin(), series.timesNs.end(), isTime);
  };
  return steps && std::all_of(data.transfers.begin(), data.transfers.end(), transferFits) &&
         std::is_sorted(data.transfers.begin(), data.transfers.end(),
                        [](const Transfer& left, const Transfer& right) {
                          return left.event < right.event;
                        }) &&
         std::all_of(data.counters.begin(), data.counters.end(), seriesFits);
}

}  // namespace

bool isConsistent(const TraceData& data) {
  return sizesFit(data) && tracksFit(data) && timesFit(data) && tablesFit(data) && flowsFit(data) &&
         smallPartsFit(data);
}

}  // namespace stagelane::trace
