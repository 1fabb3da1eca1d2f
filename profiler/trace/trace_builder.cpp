#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "profiler/trace/trace.h"

namespace stagelane::trace {
namespace {

constexpr std::size_t kMostTracks = std::numeric_limits<std::uint16_t>::max();

bool isTime(TimeNs timeNs) { return timeNs >= -kLargestTimeNs && timeNs <= kLargestTimeNs; }

std::int16_t narrowStage(StageId stage) {
  const bool fits = stage.value >= 0 && stage.value <= std::numeric_limits<std::int16_t>::max();
  return fits ? static_cast<std::int16_t>(stage.value) : std::int16_t{-1};
}

/// An event with its name as an id: what the builder keeps until it sorts.
struct StoredEvent {
  TimeNs startNs;
  TimeNs durationNs;
  Bytes bytes;
  std::uint32_t name;
  std::uint32_t correlation;
  std::int32_t microBatch;
  std::int32_t peer;
  std::int16_t stage;
  std::uint16_t track;
  Category category;
};

void sortSeries(CounterSeries& series) {
  std::vector<std::size_t> order(series.timesNs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&series](std::size_t left, std::size_t right) {
    return series.timesNs[left] < series.timesNs[right];
  });
  std::vector<TimeNs> times;
  std::vector<double> values;
  for (const std::size_t index : order) {
    times.push_back(series.timesNs[index]);
    values.push_back(series.values[index]);
  }
  series.timesNs = std::move(times);
  series.values = std::move(values);
}

}  // namespace

struct TraceBuilder::Impl {
  std::vector<StoredEvent> events;
  std::unordered_map<std::string, std::uint32_t> nameIds;
  std::vector<std::string> names;
  std::vector<std::string> devices;
  std::vector<Track> tracks;
  std::unordered_map<std::string, std::int32_t> deviceIds;
  std::unordered_map<std::string, std::uint16_t> trackIds;
  std::vector<std::int32_t> deviceTracks;
  std::vector<Step> steps;
  std::map<std::uint16_t, CounterSeries> counters;
  std::map<std::string, std::string> metadata;
  std::uint64_t dropped = 0;
  bool predicted = false;

  std::uint32_t nameId(std::string_view name) {
    const auto [place, isNew] =
        nameIds.try_emplace(std::string(name), static_cast<std::uint32_t>(names.size()));
    if (isNew) {
      names.emplace_back(name);
    }
    return place->second;
  }

  std::uint16_t addTrack(Track track) {
    if (tracks.size() >= kMostTracks) {
      return static_cast<std::uint16_t>(kMostTracks - 1);
    }
    tracks.push_back(std::move(track));
    return static_cast<std::uint16_t>(tracks.size() - 1);
  }

  [[nodiscard]] bool hasTrack(std::uint16_t track, bool counter) const {
    return track < tracks.size() && (tracks[track].kind == TrackKind::Counter) == counter;
  }
};

TraceBuilder::TraceBuilder() : m_impl(std::make_unique<Impl>()) {}
TraceBuilder::TraceBuilder(TraceBuilder&&) noexcept = default;
TraceBuilder& TraceBuilder::operator=(TraceBuilder&&) noexcept = default;
TraceBuilder::~TraceBuilder() = default;

std::int32_t TraceBuilder::device(const std::string& name) {
  Impl& impl = *m_impl;
  const auto [place, isNew] =
      impl.deviceIds.try_emplace(name, static_cast<std::int32_t>(impl.devices.size()));
  if (isNew) {
    impl.devices.push_back(name);
    impl.deviceTracks.push_back(impl.addTrack({name, TrackKind::Device, -1, place->second}));
  }
  return place->second;
}

std::uint16_t TraceBuilder::track(std::int32_t device, TrackKind kind, const std::string& name) {
  Impl& impl = *m_impl;
  const bool known = device >= 0 && static_cast<std::size_t>(device) < impl.devices.size();
  const std::int32_t owner = known ? device : -1;
  if (known && kind == TrackKind::Device) {
    return static_cast<std::uint16_t>(impl.deviceTracks[static_cast<std::size_t>(owner)]);
  }
  const std::string key =
      std::to_string(owner) + ' ' + std::to_string(static_cast<int>(kind)) + ' ' + name;
  const auto found = impl.trackIds.find(key);
  if (found != impl.trackIds.end()) {
    return found->second;
  }
  const std::int32_t parent = known ? impl.deviceTracks[static_cast<std::size_t>(owner)] : -1;
  const std::uint16_t index = impl.addTrack({name, kind, parent, owner});
  impl.trackIds.emplace(key, index);
  return index;
}

void TraceBuilder::add(const NewEvent& event) {
  Impl& impl = *m_impl;
  if (!impl.hasTrack(event.track, false) || !isTime(event.startNs) || event.durationNs < 0 ||
      !isTime(event.durationNs) || !isTime(event.startNs + event.durationNs)) {
    ++impl.dropped;
    return;
  }
  const bool peerKnown =
      event.peer >= 0 && static_cast<std::size_t>(event.peer) < impl.devices.size();
  impl.events.push_back({event.startNs, event.durationNs, event.bytes, impl.nameId(event.name),
                         event.correlation, event.microBatch.valid() ? event.microBatch.value : -1,
                         peerKnown ? event.peer : -1, narrowStage(event.stage), event.track,
                         event.category});
}

void TraceBuilder::addStep(const Step& step) {
  if (!isTime(step.startNs) || !isTime(step.endNs) || step.endNs < step.startNs) {
    ++m_impl->dropped;
    return;
  }
  m_impl->steps.push_back(step);
}

void TraceBuilder::addCounter(std::uint16_t track, TimeNs timeNs, double value,
                              const std::string& unit) {
  if (!m_impl->hasTrack(track, true) || !isTime(timeNs)) {
    ++m_impl->dropped;
    return;
  }
  CounterSeries& series = m_impl->counters[track];
  if (series.timesNs.empty()) {
    series.track = track;
    series.unit = unit;
  }
  series.timesNs.push_back(timeNs);
  series.values.push_back(value);
}

void TraceBuilder::setMetadata(const std::string& key, const std::string& value) {
  m_impl->metadata[key] = value;
}

void TraceBuilder::addDropped(std::uint64_t count) { m_impl->dropped += count; }

void TraceBuilder::setPredicted(bool predicted) { m_impl->predicted = predicted; }

TracePtr TraceBuilder::build() && {
  Impl& impl = *m_impl;
  std::stable_sort(impl.events.begin(), impl.events.end(),
                   [](const StoredEvent& left, const StoredEvent& right) {
                     return std::tie(left.track, left.startNs, right.durationNs) <
                            std::tie(right.track, right.startNs, left.durationNs);
                   });
  auto trace = std::make_shared<Trace>();
  const std::size_t count = impl.events.size();
  trace->m_start.reserve(count);
  trace->m_duration.reserve(count);
  trace->m_name.reserve(count);
  trace->m_correlation.reserve(count);
  trace->m_track.reserve(count);
  trace->m_category.reserve(count);
  trace->m_stage.reserve(count);
  trace->m_microBatch.reserve(count);
  trace->m_trackBegin.assign(impl.tracks.size() + 1, 0);
  if (count > 0) {
    trace->m_range = {kLargestTimeNs, -kLargestTimeNs};
  }
  for (const StoredEvent& event : impl.events) {
    const auto index = static_cast<std::uint32_t>(trace->m_start.size());
    trace->m_start.push_back(event.startNs);
    trace->m_duration.push_back(event.durationNs);
    trace->m_name.push_back(event.name);
    trace->m_correlation.push_back(event.correlation);
    trace->m_track.push_back(event.track);
    trace->m_category.push_back(event.category);
    trace->m_stage.push_back(event.stage);
    trace->m_microBatch.push_back(event.microBatch);
    ++trace->m_trackBegin[event.track + std::size_t{1}];
    if (event.bytes != 0 || event.peer >= 0) {
      trace->m_transfers.push_back({index, event.peer, event.bytes});
    }
    trace->m_range.first = std::min(trace->m_range.first, event.startNs);
    trace->m_range.second = std::max(trace->m_range.second, event.startNs + event.durationNs);
  }
  std::partial_sum(trace->m_trackBegin.begin(), trace->m_trackBegin.end(),
                   trace->m_trackBegin.begin());
  std::stable_sort(impl.steps.begin(), impl.steps.end(), [](const Step& left, const Step& right) {
    return std::tie(left.startNs, left.endNs) < std::tie(right.startNs, right.endNs);
  });
  for (auto& [track, series] : impl.counters) {
    sortSeries(series);
    trace->m_counters.push_back(std::move(series));
  }
  trace->m_names = std::move(impl.names);
  trace->m_devices = std::move(impl.devices);
  trace->m_tracks = std::move(impl.tracks);
  trace->m_steps = std::move(impl.steps);
  trace->m_metadata = std::move(impl.metadata);
  trace->m_dropped = impl.dropped;
  trace->m_predicted = impl.predicted;
  m_impl = std::make_unique<Impl>();
  return trace;
}

}  // namespace stagelane::trace
