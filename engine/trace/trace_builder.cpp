#include "engine/trace/trace_builder.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "engine/trace/event_order.h"
#include "engine/trace/text_numbers.h"

namespace stagelane::trace {
namespace {

constexpr std::size_t kMostTracks = TraceBuilder::kNoTrack;

bool isTime(TimeNs timeNs) { return timeNs >= -kLargestTimeNs && timeNs <= kLargestTimeNs; }

std::int16_t narrowStage(StageId stage) {
  const bool fits = stage.value >= 0 && stage.value <= std::numeric_limits<std::int16_t>::max();
  return fits ? static_cast<std::int16_t>(stage.value) : std::int16_t{-1};
}

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
  TraceData data;
  TextNumbers names;
  std::unordered_map<std::string, std::int32_t> deviceIds;
  std::unordered_map<std::string, std::uint16_t> trackIds;
  std::vector<std::int32_t> deviceTracks;
  std::map<std::uint16_t, CounterSeries> counters;

  Impl() {
    for (std::size_t category = 0; category <= static_cast<std::size_t>(Category::Other);
         ++category) {
      data.categoryWords.emplace_back(word(static_cast<Category>(category)));
    }
  }

  std::uint16_t addTrack(Track track) {
    if (data.tracks.size() >= kMostTracks) return kNoTrack;
    data.tracks.push_back(std::move(track));
    return static_cast<std::uint16_t>(data.tracks.size() - 1);
  }

  [[nodiscard]] bool hasTrack(std::uint16_t track, bool counter) const {
    return track < data.tracks.size() && (data.tracks[track].kind == TrackKind::Counter) == counter;
  }

  /// Sorts the events and updates everything that refers to events by number.
  std::vector<std::uint32_t> sortEvents() {
    std::vector<std::uint32_t> order =
        detail::sortedOrder(data, data.tracks.size(), data.trackBegin);
    if (!data.flows.empty() || !data.transfers.empty()) {
      std::vector<std::uint32_t> places(order.size());
      for (std::size_t place = 0; place < order.size(); ++place) {
        places[order[place]] = static_cast<std::uint32_t>(place);
      }
      for (Flow& flow : data.flows) flow = {places[flow.from], places[flow.to]};
      for (Transfer& transfer : data.transfers) transfer.event = places[transfer.event];
      std::sort(
          data.transfers.begin(), data.transfers.end(),
          [](const Transfer& left, const Transfer& right) { return left.event < right.event; });
    }
    detail::applyOrder(data, order);
    detail::addCorrelated(data, data.flows);
    detail::finishFlows(data);
    return order;
  }

  void findRange() {
    if (data.startNs.empty()) return;
    data.rangeNs = {kLargestTimeNs, -kLargestTimeNs};
    for (std::size_t index = 0; index < data.startNs.size(); ++index) {
      const TimeNs startNs = data.startNs[index];
      data.rangeNs.first = std::min(data.rangeNs.first, startNs);
      data.rangeNs.second = std::max(data.rangeNs.second, startNs + data.durationNs[index]);
    }
  }
};

TraceBuilder::TraceBuilder() : m_impl(std::make_unique<Impl>()) {}
TraceBuilder::TraceBuilder(TraceBuilder&&) noexcept = default;
TraceBuilder& TraceBuilder::operator=(TraceBuilder&&) noexcept = default;
TraceBuilder::~TraceBuilder() = default;

std::int32_t TraceBuilder::device(const std::string& name) {
  Impl& impl = *m_impl;
  const auto [place, isNew] =
      impl.deviceIds.try_emplace(name, static_cast<std::int32_t>(impl.data.devices.size()));
  if (isNew) {
    impl.data.devices.push_back(name);
    impl.deviceTracks.push_back(impl.addTrack({name, TrackKind::Device, -1, place->second}));
  }
  return place->second;
}

std::uint16_t TraceBuilder::track(std::int32_t device, TrackKind kind, const std::string& name) {
  Impl& impl = *m_impl;
  const bool known = device >= 0 && static_cast<std::size_t>(device) < impl.data.devices.size();
  const std::int32_t owner = known ? device : -1;
  if (known && kind == TrackKind::Device) {
    return static_cast<std::uint16_t>(impl.deviceTracks[static_cast<std::size_t>(owner)]);
  }
  const std::string key =
      std::to_string(owner) + ' ' + std::to_string(static_cast<int>(kind)) + ' ' + name;
  const auto found = impl.trackIds.find(key);
  if (found != impl.trackIds.end()) return found->second;
  const std::int32_t parent = known ? impl.deviceTracks[static_cast<std::size_t>(owner)] : -1;
  const std::uint16_t index = impl.addTrack({name, kind, parent, owner});
  impl.trackIds.emplace(key, index);
  return index;
}

std::uint32_t TraceBuilder::add(const NewEvent& event) {
  return add(event, nameNumber(event.name), wordNumber(event.category, event.categoryWord));
}

std::uint32_t TraceBuilder::add(const NewEvent& event, std::uint32_t name,
                                std::uint8_t categoryWord) {
  Impl& impl = *m_impl;
  TraceData& data = impl.data;
  if (!impl.hasTrack(event.track, false) || !isTime(event.startNs) || event.durationNs < 0 ||
      !isTime(event.durationNs) || !isTime(event.startNs + event.durationNs) ||
      data.startNs.size() >= kNoEvent) {
    ++data.dropped;
    return kNoEvent;
  }
  const auto number = static_cast<std::uint32_t>(data.startNs.size());
  const bool peerKnown =
      event.peer >= 0 && static_cast<std::size_t>(event.peer) < data.devices.size();
  data.startNs.push_back(event.startNs);
  data.durationNs.push_back(event.durationNs);
  data.name.push_back(name);
  data.correlation.push_back(event.correlation);
  data.microBatch.push_back(event.microBatch.valid() ? event.microBatch.value : -1);
  data.track.push_back(event.track);
  data.stage.push_back(narrowStage(event.stage));
  data.category.push_back(event.category);
  data.categoryWord.push_back(categoryWord);
  if (event.bytes != 0 || peerKnown) {
    data.transfers.push_back({number, peerKnown ? event.peer : -1, event.bytes});
  }
  return number;
}

std::uint32_t TraceBuilder::nameNumber(std::string_view name) { return m_impl->names.number(name); }

std::uint8_t TraceBuilder::wordNumber(Category category, std::string_view word) {
  constexpr std::size_t kMostWords = 256;
  std::vector<std::string>& words = m_impl->data.categoryWords;
  const auto own = static_cast<std::uint8_t>(category);
  if (word.empty()) return own;
  const auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) return static_cast<std::uint8_t>(found - words.begin());
  if (words.size() >= kMostWords) return own;
  words.emplace_back(word);
  return static_cast<std::uint8_t>(words.size() - 1);
}

void TraceBuilder::reserve(std::size_t events) {
  TraceData& data = m_impl->data;
  data.startNs.reserve(events);
  data.durationNs.reserve(events);
  data.name.reserve(events);
  data.correlation.reserve(events);
  data.microBatch.reserve(events);
  data.track.reserve(events);
  data.stage.reserve(events);
  data.category.reserve(events);
  data.categoryWord.reserve(events);
}

void TraceBuilder::addFlow(std::uint32_t from, std::uint32_t to) {
  const std::size_t count = m_impl->data.startNs.size();
  if (from < count && to < count) m_impl->data.flows.push_back({from, to});
}

void TraceBuilder::addStep(const Step& step) {
  if (!isTime(step.startNs) || !isTime(step.endNs) || step.endNs < step.startNs) {
    ++m_impl->data.dropped;
    return;
  }
  m_impl->data.steps.push_back(step);
}

void TraceBuilder::addCounter(std::uint16_t track, TimeNs timeNs, double value,
                              const std::string& unit) {
  if (!m_impl->hasTrack(track, true) || !isTime(timeNs)) {
    ++m_impl->data.dropped;
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
  m_impl->data.metadata[key] = value;
}

void TraceBuilder::addDropped(std::uint64_t count) { m_impl->data.dropped += count; }

void TraceBuilder::setPredicted(bool predicted) { m_impl->data.predicted = predicted; }

TracePtr TraceBuilder::build() && {
  std::vector<std::uint32_t> order;
  return std::move(*this).build(order);
}

TracePtr TraceBuilder::build(std::vector<std::uint32_t>& order) && {
  Impl& impl = *m_impl;
  TraceData& data = impl.data;
  data.names = impl.names.texts();
  order = impl.sortEvents();
  impl.findRange();
  std::stable_sort(data.steps.begin(), data.steps.end(), [](const Step& left, const Step& right) {
    return std::tie(left.startNs, left.endNs) < std::tie(right.startNs, right.endNs);
  });
  for (auto& [track, series] : impl.counters) {
    sortSeries(series);
    data.counters.push_back(std::move(series));
  }
  auto trace = std::make_shared<const Trace>(std::move(data));
  m_impl = std::make_unique<Impl>();
  return trace;
}

}  // namespace stagelane::trace
