#pragma once

/// Builds a Trace from events in any order.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/trace.h"

namespace stagelane::trace {

/// Collects events in any order and sorts them into a Trace. Single-threaded. Invalid input (an
/// unknown track, a negative duration, a time beyond kLargestTimeNs, a slice on a counter track or
/// a value on another track) is counted as dropped, never silently ignored.
class TraceBuilder {
 public:
  struct NewEvent {
    TimeNs startNs = 0;
    TimeNs durationNs = 0;
    std::string_view name;
    Category category = Category::Other;
    std::uint16_t track = 0;
    StageId stage;
    MicroBatchId microBatch;
    std::uint32_t correlation = 0;
    Bytes bytes = 0;         ///< transfers
    std::int32_t peer = -1;  ///< transfers: device index
    /// The category as written in the file; "" for Stagelane's.
    std::string_view categoryWord{};
  };
  /// Returned by `add` for a dropped event.
  static constexpr std::uint32_t kNoEvent = 0xFFFFFFFFU;
  /// Returned by `track` when all 65 535 tracks are taken; events added to it are dropped.
  static constexpr std::uint16_t kNoTrack = 0xFFFFU;

  TraceBuilder();
  TraceBuilder(TraceBuilder&&) noexcept;
  TraceBuilder& operator=(TraceBuilder&&) noexcept;
  ~TraceBuilder();

  /// Adds (or finds) a device and its device track, if a track is left. Returns the device's index.
  std::int32_t device(const std::string& name);
  /// Adds (or finds) a track under a device (-1: none), or returns kNoTrack.
  std::uint16_t track(std::int32_t device, TrackKind kind, const std::string& name);
  /// The event's number for `addFlow`, counted in the order of adding.
  std::uint32_t add(const NewEvent& event);
  /// The same with a name (and a category word) that is already numbered, for importers of millions
  /// of events; ignores the texts in `event`.
  std::uint32_t add(const NewEvent& event, std::uint32_t name, std::uint8_t categoryWord);
  [[nodiscard]] std::uint32_t nameNumber(std::string_view name);
  /// Keeps 256 words; further ones map to the category's own.
  [[nodiscard]] std::uint8_t wordNumber(Category category, std::string_view word);
  void reserve(std::size_t events);
  /// Adds a flow between two added events. `build` adds flows for equal correlations.
  void addFlow(std::uint32_t from, std::uint32_t to);
  void addStep(const Step& step);
  void addCounter(std::uint16_t track, TimeNs timeNs, double value, const std::string& unit);
  void setMetadata(const std::string& key, const std::string& value);
  void addDropped(std::uint64_t count);
  void setPredicted(bool predicted);

  /// Sorts and freezes. Adds a flow to each receive from the send of its direction and correlation
  /// that began last before it, and to each kernel, copy or synchronization from the host event
  /// (operator or other) of its correlation. Steps that were not added are derived only by the
  /// analysis.
  [[nodiscard]] TracePtr build() &&;
  /// `order` receives, for each event of the trace, the number that `add` returned.
  [[nodiscard]] TracePtr build(std::vector<std::uint32_t>& order) &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::trace
