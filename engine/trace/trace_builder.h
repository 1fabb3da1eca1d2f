#pragma once

/// Makes a Trace from events in any order.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/trace.h"

namespace stagelane::trace {

/// Collects events in any order and sorts them into a Trace. One thread. What cannot be kept (an
/// unknown track, a negative duration, a time beyond kLargestTimeNs, a slice on a counter track or
/// a value on another one) is counted as dropped, never silently ignored.
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
    /// The file's own word for the category; "" for Stagelane's.
    std::string_view categoryWord{};
  };
  /// What `add` answers for an event that was dropped.
  static constexpr std::uint32_t kNoEvent = 0xFFFFFFFFU;
  /// What `track` answers when all 65 535 tracks are taken; what is added to it is dropped.
  static constexpr std::uint16_t kNoTrack = 0xFFFFU;

  TraceBuilder();
  TraceBuilder(TraceBuilder&&) noexcept;
  TraceBuilder& operator=(TraceBuilder&&) noexcept;
  ~TraceBuilder();

  /// Adds (or finds) a device and its device track, if there is one left. Returns the device's
  /// index.
  std::int32_t device(const std::string& name);
  /// Adds (or finds) a track under a device (-1: none), or answers kNoTrack.
  std::uint16_t track(std::int32_t device, TrackKind kind, const std::string& name);
  /// The event's number for `addFlow`, counted in the order of adding.
  std::uint32_t add(const NewEvent& event);
  /// The same with a name (and the word of a category) that was numbered before, for importers of
  /// millions: the texts in `event` are ignored.
  std::uint32_t add(const NewEvent& event, std::uint32_t name, std::uint8_t categoryWord);
  [[nodiscard]] std::uint32_t nameNumber(std::string_view name);
  /// 256 words are kept; further ones count as the category's own.
  [[nodiscard]] std::uint8_t wordNumber(Category category, std::string_view word);
  void reserve(std::size_t events);
  /// From one added event to another. Equal correlations make flows by themselves (see `build`).
  void addFlow(std::uint32_t from, std::uint32_t to);
  void addStep(const Step& step);
  void addCounter(std::uint16_t track, TimeNs timeNs, double value, const std::string& unit);
  void setMetadata(const std::string& key, const std::string& value);
  void addDropped(std::uint64_t count);
  void setPredicted(bool predicted);

  /// Sorts and freezes. A receive is joined by a flow to the send of its direction and correlation
  /// that began last before it, and so is a kernel, copy or synchronisation to the host event
  /// (operator or other) of its correlation. Steps that were not given are found from events only
  /// by the analysis.
  [[nodiscard]] TracePtr build() &&;
  /// `order` becomes, for each event of the trace, the number that `add` answered.
  [[nodiscard]] TracePtr build(std::vector<std::uint32_t>& order) &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::trace
