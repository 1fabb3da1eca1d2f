#pragma once

/// What an importer has read before it knows the tracks: slices by the identifier of their track,
/// in the order in which they began, with the arguments of docs/formats.md. Turned into a Trace
/// once, at the end. Internal to profiler/formats; shared by all importers.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profiler/formats/perfetto.h"
#include "profiler/trace/trace.h"

namespace stagelane::formats::detail {

/// Texts by number; 0 is the empty one. Keeps pointers to its own nodes, so it stays where it is.
class TextPool {
 public:
  TextPool() = default;
  TextPool(const TextPool&) = delete;
  TextPool& operator=(const TextPool&) = delete;
  [[nodiscard]] std::uint32_t id(std::string_view text);
  [[nodiscard]] const std::string& text(std::uint32_t id) const { return *m_texts[id]; }

 private:
  std::unordered_map<std::string, std::uint32_t> m_ids{{"", 0}};
  std::vector<const std::string*> m_texts{&m_ids.begin()->first};
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

  /// One argument by its name in docs/formats.md, as a number or as a text of the pool; others are
  /// ignored.
  void take(std::string_view name, std::int64_t number, std::uint32_t text);
};

struct RawSlice {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  std::uint64_t track = 0;
  std::uint32_t name = 0;      ///< text
  std::uint32_t category = 0;  ///< text
  bool open = false;           ///< its end has not been seen
  RawArguments arguments;
};

struct RawTrack {
  std::string name;
  std::uint64_t parent = 0;  ///< 0: none
  trace::TrackKind kind = trace::TrackKind::Other;
  bool ownKind = false;  ///< the kind was written by Stagelane
  bool counter = false;
  bool hidden = false;  ///< holds steps only
  std::string unit;
  std::size_t order = 0;  ///< of first mention
};

struct RawPoint {
  std::uint64_t track = 0;
  TimeNs timeNs = 0;
  double value = 0.0;
};

class RawTrace {
 public:
  /// The track of this identifier, made when new. Order of first mention is order of display.
  RawTrack& track(std::uint64_t uuid);
  [[nodiscard]] bool hasTrack(std::uint64_t uuid) const { return m_tracks.count(uuid) != 0; }
  [[nodiscard]] TextPool& texts() { return m_texts; }

  void begin(RawSlice slice);
  /// False when nothing was open on that track.
  bool end(std::uint64_t track, TimeNs timeNs);
  void complete(RawSlice slice);
  void point(const RawPoint& point) { m_points.push_back(point); }
  void setMetadata(const std::string& key, const std::string& value) { m_metadata[key] = value; }
  void setPredicted(bool predicted) { m_predicted = predicted; }
  void addDropped(std::uint64_t dropped) { m_dropped += dropped; }
  /// Counts something unreadable; the first one is remembered.
  void lose(std::uint64_t count, const std::string& problem);

  [[nodiscard]] bool empty() const { return m_slices.empty() && m_points.empty() && !m_marked; }
  /// The file says itself that it is a trace, even if it holds no slice.
  void markReadable() { m_marked = true; }

  /// Slices that are still open are lost. @pre called once
  [[nodiscard]] ReadTrace finish() &&;

 private:
  friend class RawTraceBuilder;
  TextPool m_texts;
  std::unordered_map<std::uint64_t, RawTrack> m_tracks;
  std::vector<std::uint64_t> m_order;
  std::vector<RawSlice> m_slices;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> m_open;
  std::vector<RawPoint> m_points;
  std::map<std::string, std::string> m_metadata;
  std::uint64_t m_dropped = 0;
  ReadReport m_report;
  bool m_predicted = false;
  bool m_marked = false;
};

}  // namespace stagelane::formats::detail
