// The plain form of conformance/pipeline: devices with events of seven kinds and a wall. It has
// simpler definitions: an inner wait is `transfer` during one of the device's receives, else
// `starved`. Half-open intervals, 64-bit integers.

#include <algorithm>
#include <array>
#include <optional>

#include "engine/base/find.h"
#include "profiler/analysis/idle.h"

namespace stagelane::analysis {
namespace {

struct Interval {
  TimeNs start = 0;
  TimeNs end = 0;
};

struct PlainDevice {
  std::string name;
  std::vector<Interval> compute;  ///< cut to the wall, merged, sorted
  std::vector<Interval> receive;
};

struct PlainTimeline {
  Interval wall;
  std::vector<PlainDevice> devices;
};

struct Sums {
  TimeNs busy = 0;
  TimeNs warmup = 0;
  TimeNs drain = 0;
  TimeNs transfer = 0;
  TimeNs starved = 0;
  TimeNs tail = 0;

  Sums& operator+=(const Sums& other) {
    busy += other.busy;
    warmup += other.warmup;
    drain += other.drain;
    transfer += other.transfer;
    starved += other.starved;
    tail += other.tail;
    return *this;
  }
  [[nodiscard]] TimeNs idle() const { return warmup + drain + transfer + starved + tail; }
};

constexpr std::array<std::string_view, 5> kComputeWords = {"forward", "backward", "backward_input",
                                                           "backward_weight", "optimizer"};

/// Limits the wall so that sums over devices fit 64 bits.
constexpr TimeNs kLongestWallNs = TimeNs{1} << 53;

tl::unexpected<Error> wrong(std::string message, std::string pointer) {
  return fail(ErrorCode::Invalid, std::move(message), std::move(pointer),
              "see docs/reference/analysis.md, \"Plain pipeline form\"");
}

/// Limits integers to ± 2^61, so that differences and sums do not overflow.
std::optional<TimeNs> timeOf(const Json& value) {
  if (!value.is_number_integer() ||
      (value.is_number_unsigned() &&
       value.get<std::uint64_t>() > static_cast<std::uint64_t>(trace::kLargestTimeNs))) {
    return std::nullopt;
  }
  const auto timeNs = value.get<TimeNs>();
  const bool fits = timeNs >= -trace::kLargestTimeNs && timeNs <= trace::kLargestTimeNs;
  return fits ? std::optional(timeNs) : std::nullopt;
}

std::optional<TimeNs> timeAt(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? std::nullopt : timeOf(*found);
}

Result<Interval> readWall(const Json& timeline) {
  const auto found = timeline.find("wall");
  if (found == timeline.end() || !found->is_array() || found->size() != 2) {
    return wrong("The wall must be [start, end] in integer nanoseconds", "/wall");
  }
  const std::optional<TimeNs> start = timeOf((*found)[0]);
  const std::optional<TimeNs> end = timeOf((*found)[1]);
  if (!start || !end || *end < *start) {
    return wrong("The wall must be two integers, the end not before the start", "/wall");
  }
  if (*end - *start > kLongestWallNs) {
    return wrong("The wall is longer than 104 days (2^53 ns)", "/wall");
  }
  return Interval{*start, *end};
}

Status readEvent(const Json& event, const Interval& wall, const std::string& pointer,
                 PlainDevice& device) {
  if (!event.is_object()) return wrong("An event must be an object", pointer);
  const auto kind = event.find("kind");
  if (kind == event.end() || !kind->is_string()) {
    return wrong("An event needs a kind", pointer + "/kind");
  }
  const auto& text = kind->get_ref<const std::string&>();
  const bool compute = contains(kComputeWords, text);
  if (!compute && text != "send" && text != "recv") {
    return wrong("Unknown kind \"" + text +
                     "\"; use forward, backward, backward_input, backward_weight, "
                     "optimizer, send or recv",
                 pointer + "/kind");
  }
  const std::optional<TimeNs> start = timeAt(event, "start_ns");
  const std::optional<TimeNs> end = timeAt(event, "end_ns");
  if (!start || !end || *end < *start) {
    return wrong("start_ns and end_ns must be integers, the end not before the start", pointer);
  }
  const Interval cut{std::max(*start, wall.start), std::min(*end, wall.end)};
  if (cut.start < cut.end && text != "send") {
    (compute ? device.compute : device.receive).push_back(cut);
  }
  return {};
}

void mergeIntervals(std::vector<Interval>& intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& left, const Interval& right) { return left.start < right.start; });
  std::vector<Interval> merged;
  for (const Interval& interval : intervals) {
    if (!merged.empty() && interval.start <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, interval.end);
    } else {
      merged.push_back(interval);
    }
  }
  intervals = std::move(merged);
}

Result<PlainDevice> readDevice(const Json& object, const Interval& wall,
                               const std::string& pointer) {
  if (!object.is_object() || !object.contains("name") || !object.at("name").is_string()) {
    return wrong("A device needs a name", pointer + "/name");
  }
  PlainDevice device;
  device.name = object.at("name").get<std::string>();
  const auto events = object.find("events");
  if (events == object.end() || !events->is_array()) {
    return wrong("A device needs a list of events", pointer + "/events");
  }
  for (std::size_t index = 0; index < events->size(); ++index) {
    STAGELANE_CHECK(
        readEvent((*events)[index], wall, pointer + "/events/" + std::to_string(index), device));
  }
  mergeIntervals(device.compute);
  mergeIntervals(device.receive);
  return device;
}

Result<PlainTimeline> readTimeline(const Json& document) {
  if (!document.is_object()) return wrong("A timeline must be an object", "");
  STAGELANE_TRY(wall, readWall(document));
  const auto devices = document.find("devices");
  if (devices == document.end() || !devices->is_array()) {
    return wrong("A timeline needs a list of devices", "/devices");
  }
  PlainTimeline timeline{*wall, {}};
  for (std::size_t index = 0; index < devices->size(); ++index) {
    Result<PlainDevice> device =
        readDevice((*devices)[index], *wall, "/devices/" + std::to_string(index));
    STAGELANE_CHECK(device);
    timeline.devices.push_back(std::move(*device));
  }
  return timeline;
}

/// Length of [start, end) inside merged intervals.
TimeNs lengthInside(const std::vector<Interval>& intervals, TimeNs start, TimeNs end) {
  TimeNs length = 0;
  auto interval = std::lower_bound(
      intervals.begin(), intervals.end(), start,
      [](const Interval& candidate, TimeNs timeNs) { return candidate.end <= timeNs; });
  for (; interval != intervals.end() && interval->start < end; ++interval) {
    length += std::min(interval->end, end) - std::max(interval->start, start);
  }
  return length;
}

Sums sumsOf(const PlainDevice& device, const Interval& wall, TimeNs lastCompute) {
  Sums sums;
  if (device.compute.empty()) {
    sums.warmup = lastCompute - wall.start;
    sums.tail = wall.end - lastCompute;
    return sums;
  }
  sums.warmup = device.compute.front().start - wall.start;
  sums.drain = lastCompute - device.compute.back().end;
  sums.tail = wall.end - lastCompute;
  TimeNs cursor = device.compute.front().start;
  for (const Interval& busy : device.compute) {
    const TimeNs transfer = lengthInside(device.receive, cursor, busy.start);
    sums.transfer += transfer;
    sums.starved += busy.start - cursor - transfer;
    sums.busy += busy.end - busy.start;
    cursor = busy.end;
  }
  return sums;
}

void putSums(Json& object, const Sums& sums) {
  object["busy_ns"] = sums.busy;
  object["idle_ns"] = sums.idle();
}

void putClasses(Json& object, const Sums& sums) {
  object["warmup_ns"] = sums.warmup;
  object["drain_ns"] = sums.drain;
  object["transfer_ns"] = sums.transfer;
  object["starved_ns"] = sums.starved;
  object["tail_ns"] = sums.tail;
}

Json percent(TimeNs busy, double wall) {
  return wall > 0.0 ? Json(100.0 * static_cast<double>(busy) / wall) : Json(nullptr);
}

}  // namespace

Result<Json> analyzePipelineForm(const Json& document) {
  STAGELANE_TRY(timeline, readTimeline(document));
  const Interval wall = timeline->wall;
  TimeNs lastCompute = wall.start;
  for (const PlainDevice& device : timeline->devices) {
    lastCompute =
        device.compute.empty() ? lastCompute : std::max(lastCompute, device.compute.back().end);
  }
  const auto wallLength = static_cast<double>(wall.end - wall.start);
  Json answer = {{"wall_ns", wall.end - wall.start}, {"devices", Json::array()}};
  Sums total;
  for (const PlainDevice& device : timeline->devices) {
    const Sums sums = sumsOf(device, wall, lastCompute);
    Json entry = {{"name", device.name}};
    putSums(entry, sums);
    entry["utilisation_pct"] = percent(sums.busy, wallLength);
    putClasses(entry, sums);
    answer["devices"].push_back(std::move(entry));
    total += sums;
  }
  Json sum = Json::object();
  putSums(sum, total);
  putClasses(sum, total);
  sum["utilisation_pct"] =
      percent(total.busy, wallLength * static_cast<double>(timeline->devices.size()));
  answer["total"] = std::move(sum);
  return answer;
}

}  // namespace stagelane::analysis
