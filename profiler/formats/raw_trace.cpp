#include "profiler/formats/raw_trace.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace stagelane::formats::detail {
void RawArguments::take(std::string_view name, std::optional<std::int64_t> number,
                        std::uint32_t text) {
  if (name == "stage") {
    stage = number.value_or(kNoNumber);
  } else if (name == "micro_batch") {
    microBatch = number.value_or(kNoNumber);
  } else if (name == "repeat") {
    repeat = number.value_or(kNoNumber);
  } else if (name == "step") {
    step = number.value_or(kNoNumber);
  } else if (name == "bytes") {
    bytes = std::max<std::int64_t>(0, number.value_or(0));
  } else if (name == "correlation") {
    // A negative one joins nothing.
    correlation = static_cast<std::uint64_t>(std::max<std::int64_t>(0, number.value_or(0)));
  } else if (name == "device") {
    device = text;
  } else if (name == "peer") {
    peer = text;
  } else if (name == "action") {
    action = text;
  } else if (name == "extra") {
    extra = number.value_or(0) != 0;
  }
}

bool RawArguments::isKnown(std::string_view name) {
  constexpr std::string_view kNames[] = {"stage",       "micro_batch", "repeat", "step",   "bytes",
                                         "correlation", "device",      "peer",   "action", "extra"};
  for (const std::string_view known : kNames) {
    if (name == known) {
      return true;
    }
  }
  return false;
}

std::int32_t RawTrace::narrow(std::int64_t value) {
  const bool fits = value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
  return fits ? static_cast<std::int32_t>(value) : -1;
}

RawTrack& RawTrace::track(std::uint64_t uuid) {
  const auto [place, isNew] = m_tracks.try_emplace(uuid);
  if (isNew) {
    place->second.order = m_order.size();
    m_order.push_back(uuid);
  }
  return place->second;
}

std::size_t SliceKind::Hash::operator()(const SliceKind& kind) const {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
  std::uint64_t hash = 0;
  const auto mix = [&hash](std::uint64_t high, std::uint64_t low) {
    hash = (hash ^ (high << 32U) ^ low) * kFactor;
    hash ^= hash >> 29U;
  };
  const auto bits = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
  mix(kind.track, kind.category);
  mix(kind.device, kind.peer);
  mix(kind.action, kind.extra);
  mix(bits(kind.stage), bits(kind.microBatch));
  mix(bits(kind.repeat), bits(kind.step));
  return hash;
}

std::uint32_t RawTrace::kindOf(const RawSlice& slice) {
  const RawArguments& given = slice.arguments;
  SliceKind kind;
  kind.track = static_cast<std::uint32_t>(track(slice.track).order);
  kind.category = slice.category;
  kind.device = given.device;
  kind.peer = given.peer;
  kind.action = given.action;
  kind.stage = narrow(given.stage);
  kind.microBatch = narrow(given.microBatch);
  kind.repeat = narrow(given.repeat);
  kind.step = narrow(given.step);
  kind.extra = given.extra ? 1 : 0;
  const auto [place, isNew] =
      m_kindNumbers.try_emplace(kind, static_cast<std::uint32_t>(m_kinds.size()));
  if (isNew) {
    m_kinds.push_back(kind);
  }
  return place->second;
}

std::uint32_t RawTrace::keep(const RawSlice& slice, TimeNs endNs) {
  if (m_slices.size() >= kNoSlice) {
    lose(1, "more than " + std::to_string(kNoSlice) + " slices");
    return kNoSlice;
  }
  const auto number = static_cast<std::uint32_t>(m_slices.size());
  if (slice.arguments.bytes != 0) {
    m_bytes.emplace_back(number, slice.arguments.bytes);
  }
  const std::uint64_t correlation = slice.arguments.correlation;
  const bool fits = correlation <= std::numeric_limits<std::uint32_t>::max();
  if (!fits) {
    m_wideCorrelations.emplace_back(number, correlation);
  }
  m_slices.push_back({slice.startNs, endNs, slice.name, kindOf(slice),
                      fits ? static_cast<std::uint32_t>(correlation) : 0});
  return number;
}

void RawTrace::numberWideCorrelations() {
  if (m_wideCorrelations.empty()) {
    return;
  }
  std::unordered_set<std::uint32_t> taken;
  for (const Slice& slice : m_slices) {
    taken.insert(slice.correlation);
  }
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::uint32_t free = std::numeric_limits<std::uint32_t>::max();
  for (const auto& [slice, wide] : m_wideCorrelations) {
    const auto [place, isNew] = numbers.try_emplace(wide, 0);
    if (isNew) {
      while (taken.count(free) != 0) {
        --free;
      }
      place->second = free--;
    }
    m_slices[slice].correlation = place->second;
  }
}

std::uint32_t RawTrace::begin(const RawSlice& slice) {
  const std::uint32_t number = keep(slice, kOpen);
  if (number != kNoSlice) {
    m_open[slice.track].push_back(number);
  }
  return number;
}

std::uint32_t RawTrace::end(std::uint64_t track, TimeNs timeNs) {
  const auto found = m_open.find(track);
  if (found == m_open.end() || found->second.empty()) {
    return kNoSlice;
  }
  const std::uint32_t slice = found->second.back();
  m_slices[slice].endNs = timeNs;
  found->second.pop_back();
  return slice;
}

std::uint32_t RawTrace::complete(const RawSlice& slice) { return keep(slice, slice.endNs); }

void RawTrace::flowOnTrack(std::uint64_t uuid, const RawFlowPoint& point, bool next) {
  m_placedFlows.push_back({point, static_cast<std::uint32_t>(track(uuid).order), next});
}

void RawTrace::addToProblem(const std::string& text) {
  m_report.firstProblem += (m_report.firstProblem.empty() ? "" : "; ") + text;
}

void RawTrace::lose(std::uint64_t count, const std::string& problem) {
  m_report.lost += count;
  if (m_report.firstProblem.empty()) {
    m_report.firstProblem = problem;
  }
}

}  // namespace stagelane::formats::detail
