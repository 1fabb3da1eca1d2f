#pragma once

/// What happened, or what is predicted to happen: events in columns on a tree of tracks, steps, and
/// counters. Immutable once built and shared by pointer between pages and threads; TraceBuilder
/// makes one. 36 bytes an event beside names. Predicted and measured traces are the same type.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/action_kind.h"
#include "engine/base/ids.h"

namespace stagelane::trace {

/// The first eleven are ActionKind's, in its order.
enum class Category : std::uint8_t {
  Forward,
  Backward,
  BackwardInput,
  BackwardWeight,
  Loss,
  SendForward,
  RecvForward,
  SendBackward,
  RecvBackward,
  Optimizer,
  Reduce,
  Operator,  ///< `op`
  Kernel,    ///< `kernel`
  Copy,      ///< `copy`
  Sync,      ///< `sync`
  Other,
};
[[nodiscard]] std::string_view word(Category category);
[[nodiscard]] Category categoryFromWord(std::string_view text);
[[nodiscard]] constexpr Category categoryOf(ActionKind kind) {
  return static_cast<Category>(static_cast<std::uint8_t>(kind));
}
[[nodiscard]] constexpr std::optional<ActionKind> actionKindOf(Category category) {
  return category <= Category::Reduce
             ? std::optional{static_cast<ActionKind>(static_cast<std::uint8_t>(category))}
             : std::nullopt;
}

enum class TrackKind : std::uint8_t { Device, Compute, Copy, Operators, Kernels, Counter, Other };

/// A row of the timeline. Device tracks are roots; the others have a device track as parent.
struct Track {
  std::string name;
  TrackKind kind = TrackKind::Other;
  std::int32_t parent = -1;
  std::int32_t device = -1;  ///< index into Trace::devices(), -1 for none
};

/// One training step inside the trace. design.md section 7: from its earliest start to the latest
/// OPT end over all devices.
struct Step {
  std::int32_t repeat = 0;
  std::int32_t step = 0;  ///< batch within the repeat
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  bool extra = false;  ///< the extra repeat that no time is taken from
};

/// What a transfer moved, and to or from which device.
struct Transfer {
  std::uint32_t event = 0;
  std::int32_t peer = -1;  ///< index into Trace::devices()
  Bytes bytes = 0;
};

struct CounterSeries {
  std::uint16_t track = 0;
  std::string unit;
  std::vector<TimeNs> timesNs;
  std::vector<double> values;
};

/// One event by value; for loops over many use the columns.
struct EventView {
  TimeNs startNs = 0;
  TimeNs durationNs = 0;
  std::string_view name;
  Category category = Category::Other;
  std::uint16_t track = 0;
  StageId stage;
  MicroBatchId microBatch;
  std::uint32_t correlation = 0;
  [[nodiscard]] TimeNs endNs() const { return startNs + durationNs; }
};

class Trace {
 public:
  [[nodiscard]] std::size_t size() const { return m_start.size(); }
  [[nodiscard]] EventView event(std::size_t index) const;

  /// Columns, sorted by (track, start, -duration).
  [[nodiscard]] std::span<const TimeNs> startsNs() const { return m_start; }
  [[nodiscard]] std::span<const TimeNs> durationsNs() const { return m_duration; }
  [[nodiscard]] std::span<const Category> categories() const { return m_category; }
  /// Equal names have equal numbers; `names` has the texts.
  [[nodiscard]] std::span<const std::uint32_t> nameNumbers() const { return m_name; }
  [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }
  [[nodiscard]] std::span<const std::int16_t> stages() const { return m_stage; }
  [[nodiscard]] std::span<const std::int32_t> microBatches() const { return m_microBatch; }
  /// Half-open index range of a track's events.
  [[nodiscard]] std::pair<std::size_t, std::size_t> rangeOfTrack(std::size_t track) const;

  [[nodiscard]] const std::vector<std::string>& devices() const { return m_devices; }
  [[nodiscard]] const std::vector<Track>& tracks() const { return m_tracks; }
  [[nodiscard]] const std::vector<Step>& steps() const { return m_steps; }
  [[nodiscard]] const std::vector<CounterSeries>& counters() const { return m_counters; }
  /// The transfer record of an event, null when it moved nothing.
  [[nodiscard]] const Transfer* transferOf(std::size_t event) const;
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const { return m_metadata; }
  /// [first start, last end) over all events; {0,0} when empty.
  [[nodiscard]] std::pair<TimeNs, TimeNs> rangeNs() const { return m_range; }
  [[nodiscard]] std::uint64_t droppedEvents() const { return m_dropped; }
  [[nodiscard]] bool predicted() const { return m_predicted; }

 private:
  friend class TraceBuilder;
  std::vector<TimeNs> m_start, m_duration;
  std::vector<std::uint32_t> m_name, m_correlation;
  std::vector<std::uint16_t> m_track;
  std::vector<Category> m_category;
  std::vector<std::int16_t> m_stage;
  std::vector<std::int32_t> m_microBatch;
  std::vector<std::size_t> m_trackBegin;  ///< size tracks + 1
  std::vector<std::string> m_names, m_devices;
  std::vector<Track> m_tracks;
  std::vector<Step> m_steps;
  std::vector<Transfer> m_transfers;  ///< sorted by event
  std::vector<CounterSeries> m_counters;
  std::map<std::string, std::string> m_metadata;
  std::pair<TimeNs, TimeNs> m_range{0, 0};
  std::uint64_t m_dropped = 0;
  bool m_predicted = false;
};
using TracePtr = std::shared_ptr<const Trace>;

/// The same devices, tracks, events, transfers, steps, counters, metadata and marks, by value; the
/// numbering of names does not matter.
[[nodiscard]] bool operator==(const Trace& left, const Trace& right);

/// Times beyond ± this are refused, so that differences and sums never overflow.
inline constexpr TimeNs kLargestTimeNs = TimeNs{1} << 61;

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
  };

  TraceBuilder();
  TraceBuilder(TraceBuilder&&) noexcept;
  TraceBuilder& operator=(TraceBuilder&&) noexcept;
  ~TraceBuilder();

  /// Adds (or finds) a device and its device track. Returns the device's index.
  std::int32_t device(const std::string& name);
  /// Adds (or finds) a track under a device (-1: none). When all 65 535 tracks are taken, the last
  /// one is answered.
  std::uint16_t track(std::int32_t device, TrackKind kind, const std::string& name);
  void add(const NewEvent& event);
  void addStep(const Step& step);
  void addCounter(std::uint16_t track, TimeNs timeNs, double value, const std::string& unit);
  void setMetadata(const std::string& key, const std::string& value);
  void addDropped(std::uint64_t count);
  void setPredicted(bool predicted);

  /// Sorts and freezes. Steps that were not given are found from events only by the analysis.
  [[nodiscard]] TracePtr build() &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::trace
