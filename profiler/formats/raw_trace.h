#pragma once

/// What an importer has read before it knows the tracks: slices by the identifier of their track,
/// in the order in which they began, with the arguments of docs/reference/formats.md. Turned into a
/// Trace once, at the end. Internal to profiler/formats; shared by all importers.

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/trace/text_numbers.h"
#include "engine/trace/trace_builder.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::formats::detail {

/// Texts by number; 0 is the empty one.
class TextPool {
 public:
  TextPool() { static_cast<void>(m_texts.number("")); }
  [[nodiscard]] std::uint32_t id(std::string_view text) { return m_texts.number(text); }
  [[nodiscard]] const std::string& text(std::uint32_t id) const { return m_texts.text(id); }
  [[nodiscard]] std::size_t size() const { return m_texts.size(); }

 private:
  trace::TextNumbers m_texts;
};

inline constexpr std::int64_t kNoNumber = -1;

/// The arguments of one slice; what is absent is -1 or the empty text.
struct RawArguments {
  std::int64_t stage = kNoNumber;
  std::int64_t microBatch = kNoNumber;
  std::int64_t repeat = kNoNumber;
  std::int64_t step = kNoNumber;
  std::int64_t bytes = 0;
  std::uint64_t correlation = 0;
  std::uint32_t device = 0;  ///< text
  std::uint32_t peer = 0;    ///< text
  std::uint32_t action = 0;  ///< text
  bool extra = false;

  /// One argument by its name in docs/reference/formats.md, as a number and as a text of the pool;
  /// others are ignored. An argument that should be a number and is not counts as absent.
  void take(std::string_view name, std::optional<std::int64_t> number, std::uint32_t text);
  /// Whether `take` takes an argument of this name.
  [[nodiscard]] static bool isKnown(std::string_view name);
};

struct RawSlice {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  std::uint64_t track = 0;
  std::uint32_t name = 0;      ///< text
  std::uint32_t category = 0;  ///< text
  RawArguments arguments;
};

struct RawTrack {
  std::string name;
  std::string process;       ///< the number of the process that the track is; "": it is none
  std::uint64_t parent = 0;  ///< 0: none
  trace::TrackKind kind = trace::TrackKind::Other;
  bool ownKind = false;  ///< the kind was written by Stagelane
  bool counter = false;
  bool hidden = false;   ///< holds steps only
  bool isNamed = false;  ///< the file gives the name, which may be empty
  std::string unit;
  std::size_t order = 0;  ///< of first mention
};

struct RawPoint {
  std::uint64_t track = 0;
  TimeNs timeNs = 0;
  double value = 0.0;
};

/// Where an arrow touches a slice. Points of one `id` are joined in the order of their times.
struct RawFlowPoint {
  std::uint64_t id = 0;
  TimeNs timeNs = 0;
  std::uint32_t slice = 0;  ///< number answered by `begin` or `complete`
  bool ends = false;        ///< the next point of this id begins another arrow
};

/// What slices have in common besides name and times; millions share a few.
struct SliceKind {
  std::uint32_t track = 0;     ///< by order of first mention
  std::uint32_t category = 0;  ///< text
  std::uint32_t device = 0;    ///< text
  std::uint32_t peer = 0;      ///< text
  std::uint32_t action = 0;    ///< text
  std::int32_t stage = -1;
  std::int32_t microBatch = -1;
  std::int32_t repeat = -1;
  std::int32_t step = -1;
  std::uint32_t extra = 0;
  friend bool operator==(const SliceKind&, const SliceKind&) = default;
  struct Hash {
    std::size_t operator()(const SliceKind& kind) const;
  };
};

class RawTrace {
 public:
  /// What `begin` and `complete` answer where no more slices are kept.
  static constexpr std::uint32_t kNoSlice = trace::TraceBuilder::kNoEvent;

  /// The track of this identifier, made when new. Order of first mention is order of display.
  RawTrack& track(std::uint64_t uuid);
  [[nodiscard]] bool hasTrack(std::uint64_t uuid) const { return m_tracks.count(uuid) != 0; }
  [[nodiscard]] TextPool& texts() { return m_texts; }

  /// The slice's number, for flows.
  std::uint32_t begin(const RawSlice& slice);
  /// The slice that ends; kNoSlice when nothing was open on that track.
  std::uint32_t end(std::uint64_t track, TimeNs timeNs);
  std::uint32_t complete(const RawSlice& slice);
  void point(const RawPoint& point) { m_points.push_back(point); }
  void flow(const RawFlowPoint& point) { m_flows.push_back(point); }
  /// An arrow's end on whatever slice of the track is there at this time (Chrome's flows); `next`:
  /// or begins first after it.
  void flowOnTrack(std::uint64_t track, const RawFlowPoint& point, bool next);
  /// Where details are kept: those of a slice, by the number that `begin` or `complete` answered.
  void keepDetails() { m_details = std::make_shared<EventDetails>(); }
  [[nodiscard]] EventDetails* details() { return m_details.get(); }
  void setMetadata(const std::string& key, const std::string& value) { m_metadata[key] = value; }
  void setPredicted(bool predicted) { m_predicted = predicted; }
  void addDropped(std::uint64_t dropped) { m_dropped += dropped; }
  /// Counts something unreadable; the first one is remembered.
  void lose(std::uint64_t count, const std::string& problem);
  /// Says more about what was counted.
  void addToProblem(const std::string& text);
  /// Numbers of arguments are kept in 32 bits; -1 for what does not fit.
  [[nodiscard]] static std::int32_t narrow(std::int64_t value);
  [[nodiscard]] const ReadReport& report() const { return m_report; }

  [[nodiscard]] bool empty() const { return m_slices.empty() && m_points.empty() && !m_marked; }
  /// The file says itself that it is a trace, even if it holds no slice.
  void markReadable() { m_marked = true; }

  /// Slices that are still open are lost. @pre called once
  [[nodiscard]] ReadTrace finish() &&;

 private:
  friend class RawTraceBuilder;
  friend class FlowResolver;

  struct Slice {
    TimeNs startNs = 0;
    TimeNs endNs = 0;
    std::uint32_t name = 0;
    std::uint32_t kind = 0;
    std::uint32_t correlation = 0;
  };
  /// End of a slice whose end has not been seen.
  static constexpr TimeNs kOpen = std::numeric_limits<TimeNs>::min();
  struct PlacedFlow {
    RawFlowPoint point;
    std::uint32_t track = 0;
    bool next = false;
  };

  std::uint32_t keep(const RawSlice& slice, TimeNs endNs);
  /// Gives correlations that do not fit numbers of 32 bits that no slice has.
  void numberWideCorrelations();
  [[nodiscard]] std::uint32_t kindOf(const RawSlice& slice);

  TextPool m_texts;
  std::unordered_map<std::uint64_t, RawTrack> m_tracks;
  std::vector<std::uint64_t> m_order;
  std::vector<Slice> m_slices;
  std::vector<SliceKind> m_kinds;
  std::unordered_map<SliceKind, std::uint32_t, SliceKind::Hash> m_kindNumbers;
  std::vector<std::pair<std::uint32_t, std::int64_t>> m_bytes;              ///< slice, bytes
  std::vector<std::pair<std::uint32_t, std::uint64_t>> m_wideCorrelations;  ///< slice, its own
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> m_open;
  std::vector<RawPoint> m_points;
  std::vector<RawFlowPoint> m_flows;
  std::vector<PlacedFlow> m_placedFlows;
  std::map<std::string, std::string> m_metadata;
  std::shared_ptr<EventDetails> m_details;  ///< null unless they are kept
  std::uint64_t m_dropped = 0;
  ReadReport m_report;
  bool m_predicted = false;
  bool m_marked = false;
};

}  // namespace stagelane::formats::detail
