#pragma once

/// Records what an importer reads: slices by the identifier of their track, in the order of their
/// starts, with the arguments of docs/reference/formats.md. Converted to a Trace at the end.
/// Internal to profiler/formats; shared by all importers.

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/formats/raw_records.h"

namespace stagelane::formats::detail {

class RawTrace {
 public:
  /// The track of this identifier, created if new. Tracks are shown in order of first mention.
  RawTrack& track(std::uint64_t uuid) { return m_records.track(uuid); }
  [[nodiscard]] bool hasTrack(std::uint64_t uuid) const {
    return m_records.tracks.count(uuid) != 0;
  }
  [[nodiscard]] TextPool& texts() { return m_records.texts; }

  /// The slice's number, for flows; kNoSlice if no more slices are kept.
  std::uint32_t begin(const RawSlice& slice);
  /// The slice that ends; kNoSlice if none was open on the track.
  std::uint32_t end(std::uint64_t track, TimeNs timeNs);
  std::uint32_t complete(const RawSlice& slice);
  void point(const RawPoint& point) { m_records.points.push_back(point); }
  void flow(const RawFlowPoint& point) { m_records.flows.push_back(point); }
  /// An arrow's end on the track's slice at this time (Chrome's flows), or, with `next`, on the
  /// first slice that starts after it.
  void flowOnTrack(std::uint64_t track, const RawFlowPoint& point, bool next);
  /// Details of a slice by its number from `begin` or `complete`, if details are kept.
  void keepDetails() { m_records.details = std::make_shared<EventDetails>(); }
  [[nodiscard]] EventDetails* details() { return m_records.details.get(); }
  void setMetadata(const std::string& key, const std::string& value) {
    m_records.metadata[key] = value;
  }
  void setPredicted(bool predicted) { m_records.predicted = predicted; }
  void addDropped(std::uint64_t dropped) { m_records.dropped += dropped; }
  /// Counts unreadable items and keeps the first problem.
  void lose(std::uint64_t count, const std::string& problem) { m_records.lose(count, problem); }
  /// Adds to the description of the problem.
  void addToProblem(const std::string& text);
  /// Converts a number of an argument to 32 bits; -1 if it does not fit.
  [[nodiscard]] static std::int32_t narrow(std::int64_t value);
  [[nodiscard]] const ReadReport& report() const { return m_records.report; }
  /// Estimate of the most memory that the records take until they are a trace.
  [[nodiscard]] std::uint64_t memoryBytes() const { return m_records.memoryBytes(); }

  [[nodiscard]] bool empty() const {
    return m_records.slices.empty() && m_records.points.empty() && !m_marked;
  }
  /// Marks the file as a trace, even without slices.
  void markReadable() { m_marked = true; }

  /// Open slices are lost. @pre called once
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
