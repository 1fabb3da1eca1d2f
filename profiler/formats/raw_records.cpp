#include "profiler/formats/raw_records.h"

#include <algorithm>
#include <iterator>

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
    // A negative correlation joins nothing.
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
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
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

RawTrack& RawRecords::track(std::uint64_t uuid) {
  const auto [place, isNew] = tracks.try_emplace(uuid);
  if (isNew) {
    place->second.order = order.size();
    order.push_back(uuid);
  }
  return place->second;
}

std::uint64_t RawRecords::memoryBytes() const {
  // A growing list is copied, so for a moment it takes twice its size. While the trace is built,
  // its columns, their order, and the records are there at once.
  constexpr std::uint64_t kPerSlice = 112;
  constexpr std::uint64_t kPerSliceBesideWide = 48;  ///< the set of numbers that are in use
  constexpr std::uint64_t kPerPoint = 96;            ///< also of flows
  constexpr std::uint64_t kPerKind = 384;            ///< with its step, and what is made of it
  constexpr std::uint64_t kPerText = 256;
  constexpr std::uint64_t kCopiesOfText = 3;  ///< in the pool, in the builder, in the trace
  constexpr std::uint64_t kPerTrack = 512;
  const std::uint64_t perSlice = kPerSlice + (wideCorrelations.empty() ? 0 : kPerSliceBesideWide);
  const std::uint64_t parts =
      points.size() + flows.size() + placedFlows.size() + bytes.size() + wideCorrelations.size();
  return slices.size() * perSlice + parts * kPerPoint + kinds.size() * kPerKind +
         texts.size() * kPerText + texts.bytes() * kCopiesOfText + tracks.size() * kPerTrack +
         (details ? details->memoryBytes() : 0);
}

void RawRecords::lose(std::uint64_t count, const std::string& problem) {
  report.lost += count;
  if (report.firstProblem.empty()) report.firstProblem = problem;
}

}  // namespace stagelane::formats::detail
