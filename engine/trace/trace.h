#pragma once

/// Measured or predicted events in columns on a tree of tracks, with steps and counters; both kinds
/// use the same type. Immutable once built by TraceBuilder, and shared by pointer between pages and
/// threads. 34 bytes per event plus names, 12 per flow.

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

/// The first eleven match ActionKind, in its order.
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

/// One training step in the trace, from its earliest start to the latest OPT end over all devices
/// (docs/reference/analysis.md).
struct Step {
  std::int32_t repeat = 0;
  std::int32_t step = 0;  ///< batch within the repeat
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  bool extra = false;  ///< part of the extra repeat, which is not timed
};

/// The bytes that a transfer moved, and the device at the other end.
struct Transfer {
  std::uint32_t event = 0;
  std::int32_t peer = -1;  ///< index into Trace::devices()
  Bytes bytes = 0;
};

/// An arrow between two events: send → receive, launch → kernel, or a flow from another program.
struct Flow {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  friend auto operator<=>(const Flow&, const Flow&) = default;
};

struct CounterSeries {
  std::uint16_t track = 0;
  std::string unit;
  std::vector<TimeNs> timesNs;
  std::vector<double> values;
};

/// One event by value. Loops over many events use the columns.
struct EventView {
  TimeNs startNs = 0;
  TimeNs durationNs = 0;
  std::string_view name;
  Category category = Category::Other;
  std::uint16_t track = 0;
  StageId stage;
  MicroBatchId microBatch;
  std::uint32_t correlation = 0;
  /// The category as written in the file (`cuda_runtime`, where `category` is only Other).
  std::string_view categoryWord{};
  [[nodiscard]] TimeNs endNs() const { return startNs + durationNs; }
};

/// The contents of a Trace as plain columns, for TraceBuilder and for the column cache on disk.
/// Events are sorted by (track, start, -duration).
struct TraceData {
  std::vector<TimeNs> startNs, durationNs;
  std::vector<std::uint32_t> name, correlation;
  std::vector<std::int32_t> microBatch;
  std::vector<std::uint16_t> track;
  std::vector<std::int16_t> stage;
  std::vector<Category> category;
  std::vector<std::uint8_t> categoryWord;    ///< index into `categoryWords`
  std::vector<std::uint64_t> trackBegin{0};  ///< size tracks + 1
  std::vector<std::string> names, categoryWords, devices;
  std::vector<Track> tracks;
  std::vector<Step> steps;
  std::vector<Transfer> transfers;           ///< sorted by event
  std::vector<Flow> flows;                   ///< sorted
  std::vector<std::uint32_t> flowsByTarget;  ///< indices into `flows`, sorted by (to, from)
  std::vector<CounterSeries> counters;
  std::map<std::string, std::string> metadata;
  std::pair<TimeNs, TimeNs> rangeNs{0, 0};
  std::uint64_t dropped = 0;
  bool predicted = false;
};

class Trace {
 public:
  Trace() = default;
  /// @pre `data` is consistent: made by TraceBuilder, or checked with `isConsistent`
  explicit Trace(TraceData data) : m_data(std::move(data)) {}

  [[nodiscard]] std::size_t size() const { return m_data.startNs.size(); }
  [[nodiscard]] EventView event(std::size_t index) const;

  /// Columns, sorted by (track, start, -duration).
  [[nodiscard]] std::span<const TimeNs> startsNs() const { return m_data.startNs; }
  [[nodiscard]] std::span<const TimeNs> durationsNs() const { return m_data.durationNs; }
  [[nodiscard]] std::span<const Category> categories() const { return m_data.category; }
  [[nodiscard]] std::span<const std::int16_t> stages() const { return m_data.stage; }
  [[nodiscard]] std::span<const std::int32_t> microBatches() const { return m_data.microBatch; }
  /// Equal names have equal numbers; `names` holds the texts.
  [[nodiscard]] std::span<const std::uint32_t> nameNumbers() const { return m_data.name; }
  [[nodiscard]] const std::vector<std::string>& names() const { return m_data.names; }
  /// Half-open index range of a track's events.
  [[nodiscard]] std::pair<std::size_t, std::size_t> rangeOfTrack(std::size_t track) const;

  [[nodiscard]] const std::vector<std::string>& devices() const { return m_data.devices; }
  [[nodiscard]] const std::vector<Track>& tracks() const { return m_data.tracks; }
  [[nodiscard]] const std::vector<Step>& steps() const { return m_data.steps; }
  [[nodiscard]] const std::vector<CounterSeries>& counters() const { return m_data.counters; }
  /// The transfer record of an event, null if it moved nothing.
  [[nodiscard]] const Transfer* transferOf(std::size_t event) const;
  /// All flows by (from, to); those that start at an event; and those that end at one (as indices
  /// into `flows`).
  [[nodiscard]] std::span<const Flow> flows() const { return m_data.flows; }
  [[nodiscard]] std::span<const Flow> flowsFrom(std::size_t event) const;
  [[nodiscard]] std::span<const std::uint32_t> flowsInto(std::size_t event) const;
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const {
    return m_data.metadata;
  }
  /// [first start, last end) over all events; {0,0} when empty.
  [[nodiscard]] std::pair<TimeNs, TimeNs> rangeNs() const { return m_data.rangeNs; }
  [[nodiscard]] std::uint64_t droppedEvents() const { return m_data.dropped; }
  [[nodiscard]] bool predicted() const { return m_data.predicted; }
  [[nodiscard]] const TraceData& data() const { return m_data; }

 private:
  TraceData m_data;
};
using TracePtr = std::shared_ptr<const Trace>;

/// Compares devices, tracks, events, transfers, steps, counters, metadata and marks by value; the
/// numbering of names does not matter.
[[nodiscard]] bool operator==(const Trace& left, const Trace& right);

/// The flows implied by correlations alone (see TraceBuilder::build), sorted. A format with
/// correlations need not store them.
[[nodiscard]] std::vector<Flow> correlatedFlows(const Trace& trace);

/// Whether the columns are consistent (sizes, order, every index in range), so that a Trace made
/// from an untrusted file is safe to use.
[[nodiscard]] bool isConsistent(const TraceData& data);

/// Times beyond ± this are rejected, so that differences and sums never overflow.
inline constexpr TimeNs kLargestTimeNs = TimeNs{1} << 61;

}  // namespace stagelane::trace
