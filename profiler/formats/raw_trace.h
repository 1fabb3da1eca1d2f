#pragma once

/// Records what an importer reads: slices by the identifier of their track, in the order in which
/// they began, with the arguments of docs/reference/formats.md. Turned into a Trace once, at the
/// end. Internal to profiler/formats; shared by all importers.

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/formats/raw_records.h"

namespace stagelane::formats::detail {

class RawTrace {
 public:
  /// The track of this identifier, made when new. Order of first mention is order of display.
  RawTrack& track(std::uint64_t uuid) { return m_records.track(uuid); }
  [[nodiscard]] bool hasTrack(std::uint64_t uuid) const {
    return m_records.tracks.count(uuid) != 0;
  }
  [[nodiscard]] TextPool& texts() { return m_records.texts; }

  /// The slice's number, for flows; kNoSlice where no more slices are kept.
  std::uint32_t begin(const RawSlice& slice);
  /// The slice that ends; kNoSlice when nothing was open on that track.
  std::uint32_t end(std::uint64_t track, TimeNs timeNs);
  std::uint32_t complete(const RawSlice& slice);
  void point(const RawPoint& point) { m_records.points.push_back(point); }
  void flow(const RawFlowPoint& point) { m_records.flows.push_back(point); }
  /// An arrow's end on whatever slice of the track is there at this time (Chrome's flows); `next`:
  /// or begins first after it.
  void flowOnTrack(std::uint64_t track, const RawFlowPoint& point, bool next);
  /// Where details are kept: those of a slice, by the number that `begin` or `complete` answered.
  void keepDetails() { m_records.details = std::make_shared<EventDetails>(); }
  [[nodiscard]] EventDetails* details() { return m_records.details.get(); }
  void setMetadata(const std::string& key, const std::string& value) {
    m_records.metadata[key] = value;
  }
  void setPredicted(bool predicted) { m_records.predicted = predicted; }
  void addDropped(std::uint64_t dropped) { m_records.dropped += dropped; }
  /// Counts something unreadable; the first one is remembered.
  void lose(std::uint64_t count, const std::string& problem) { m_records.lose(count, problem); }
  /// Says more about what was counted.
  void addToProblem(const std::string& text);
  /// Numbers of arguments are kept in 32 bits; -1 for what does not fit.
  [[nodiscard]] static std::int32_t narrow(std::int64_t value);
  [[nodiscard]] const ReadReport& report() const { return m_records.report; }

  [[nodiscard]] bool empty() const {
    return m_records.slices.empty() && m_records.points.empty() && !m_marked;
  }
  /// The file says itself that it is a trace, even if it holds no slice.
  void markReadable() { m_marked = true; }

  /// Slices that are still open are lost. @pre called once
  [[nodiscard]] ReadTrace finish() &&;

 private:
  std::uint32_t keep(const RawSlice& slice, TimeNs endNs);
  [[nodiscard]] std::uint32_t kindOf(const RawSlice& slice);

  RawRecords m_records;
  std::unordered_map<SliceKind, std::uint32_t, SliceKind::Hash> m_kindNumbers;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> m_open;
  bool m_marked = false;
};

}  // namespace stagelane::formats::detail
