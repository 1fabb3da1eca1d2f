#include "profiler/formats/raw_trace.h"

#include <limits>

#include "profiler/formats/raw_trace_builder.h"

namespace stagelane::formats::detail {

std::int32_t RawTrace::narrow(std::int64_t value) {
  const bool fits = value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
  return fits ? static_cast<std::int32_t>(value) : -1;
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
      m_kindNumbers.try_emplace(kind, static_cast<std::uint32_t>(m_records.kinds.size()));
  if (isNew) m_records.kinds.push_back(kind);
  return place->second;
}

std::uint32_t RawTrace::keep(const RawSlice& slice, TimeNs endNs) {
  if (m_records.slices.size() >= kNoSlice) {
    lose(1, "more than " + std::to_string(kNoSlice) + " slices");
    return kNoSlice;
  }
  const auto number = static_cast<std::uint32_t>(m_records.slices.size());
  if (slice.arguments.bytes != 0) m_records.bytes.emplace_back(number, slice.arguments.bytes);
  const std::uint64_t correlation = slice.arguments.correlation;
  const bool fits = correlation <= std::numeric_limits<std::uint32_t>::max();
  if (!fits) m_records.wideCorrelations.emplace_back(number, correlation);
  m_records.slices.push_back({slice.startNs, endNs, slice.name, kindOf(slice),
                              fits ? static_cast<std::uint32_t>(correlation) : 0});
  return number;
}

std::uint32_t RawTrace::begin(const RawSlice& slice) {
  const std::uint32_t number = keep(slice, RawRecords::kOpen);
  if (number != kNoSlice) m_open[slice.track].push_back(number);
  return number;
}

std::uint32_t RawTrace::end(std::uint64_t track, TimeNs timeNs) {
  const auto found = m_open.find(track);
  if (found == m_open.end() || found->second.empty()) return kNoSlice;
  const std::uint32_t slice = found->second.back();
  m_records.slices[slice].endNs = timeNs;
  found->second.pop_back();
  return slice;
}

std::uint32_t RawTrace::complete(const RawSlice& slice) { return keep(slice, slice.endNs); }

void RawTrace::flowOnTrack(std::uint64_t uuid, const RawFlowPoint& point, bool next) {
  m_records.placedFlows.push_back({point, static_cast<std::uint32_t>(track(uuid).order), next});
}

void RawTrace::addToProblem(const std::string& text) {
  m_records.report.firstProblem += (m_records.report.firstProblem.empty() ? "" : "; ") + text;
}

ReadTrace RawTrace::finish() && { return buildTrace(m_records); }

}  // namespace stagelane::formats::detail
