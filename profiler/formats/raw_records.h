#pragma once

/// What an importer has read, before tracks are resolved: slices by the number of their common
/// properties, tracks by their identifier in the file. RawTrace fills it, and buildTrace converts
/// it to a Trace. Internal to profiler/formats.

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

/// Texts by number; 0 is the empty text.
class TextPool {
 public:
  TextPool() { static_cast<void>(m_texts.number("")); }
  [[nodiscard]] std::uint32_t id(std::string_view text) {
    const std::uint32_t number = m_texts.number(text);
    if (number >= m_counted) {
      m_counted = number + 1;
      m_bytes += text.size();
    }
    return number;
  }
  [[nodiscard]] const std::string& text(std::uint32_t id) const { return m_texts.text(id); }
  [[nodiscard]] std::size_t size() const { return m_texts.size(); }
  /// Length of all texts together.
  [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

 private:
  trace::TextNumbers m_texts;
  std::uint32_t m_counted = 0;  ///< texts whose length is in m_bytes
  std::uint64_t m_bytes = 0;
};

inline constexpr std::int64_t kNoNumber = -1;

/// The arguments of one slice; -1 or the empty text if absent.
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

  /// Sets an argument by its name in docs/reference/formats.md, as a number and as a text of the
  /// pool. Ignores unknown names; an invalid number counts as absent.
  void take(std::string_view name, std::optional<std::int64_t> number, std::uint32_t text);
  /// Whether `take` uses an argument of this name.
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
  std::string process;       ///< process id of a process track, else ""
  std::uint64_t parent = 0;  ///< 0 if there is none
  trace::TrackKind kind = trace::TrackKind::Other;
  bool ownKind = false;  ///< the kind was written by Stagelane
  bool counter = false;
  bool hidden = false;   ///< has only steps
  bool isNamed = false;  ///< the file has the name, which may be empty
  std::string unit;
  std::size_t order = 0;  ///< of first mention
};

struct RawPoint {
  std::uint64_t track = 0;
  TimeNs timeNs = 0;
  double value = 0.0;
};

/// An end point of an arrow on a slice. Points of one `id` are joined in time order.
struct RawFlowPoint {
  std::uint64_t id = 0;
  TimeNs timeNs = 0;
  std::uint32_t slice = 0;  ///< number returned by `begin` or `complete`
  bool ends = false;        ///< the next point of this id starts another arrow
};

/// Common properties of slices; millions of slices share a few.
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

/// Placeholder for a slice when no more slices are kept.
inline constexpr std::uint32_t kNoSlice = trace::TraceBuilder::kNoEvent;

struct RawRecords {
  struct Slice {
    TimeNs startNs = 0;
    TimeNs endNs = 0;
    std::uint32_t name = 0;
    std::uint32_t kind = 0;
    std::uint32_t correlation = 0;
  };
  /// End of an open slice.
  static constexpr TimeNs kOpen = std::numeric_limits<TimeNs>::min();
  struct PlacedFlow {
    RawFlowPoint point;
    std::uint32_t track = 0;
    bool next = false;
  };

  /// The track of this identifier, created if new. Tracks are shown in order of first mention.
  RawTrack& track(std::uint64_t uuid);
  /// Counts unreadable items and keeps the first problem.
  void lose(std::uint64_t count, const std::string& problem);
  /// Estimate of the most memory that the records take until they are a trace.
  [[nodiscard]] std::uint64_t memoryBytes() const;

  TextPool texts;
  std::unordered_map<std::uint64_t, RawTrack> tracks;
  std::vector<std::uint64_t> order;
  std::vector<Slice> slices;
  std::vector<SliceKind> kinds;
  std::vector<std::pair<std::uint32_t, std::int64_t>> bytes;              ///< slice, bytes
  std::vector<std::pair<std::uint32_t, std::uint64_t>> wideCorrelations;  ///< slice, its own
  std::vector<RawPoint> points;
  std::vector<RawFlowPoint> flows;
  std::vector<PlacedFlow> placedFlows;
  std::map<std::string, std::string> metadata;
  std::shared_ptr<EventDetails> details;  ///< null unless they are kept
  std::uint64_t dropped = 0;
  ReadReport report;
  bool predicted = false;
};

}  // namespace stagelane::formats::detail
