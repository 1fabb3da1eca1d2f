#pragma once

/// The events of a trace sorted once into what the analysis of any of its steps asks for, so that a
/// step costs what it holds and not what the trace holds. Internal to profiler/analysis.

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "profiler/trace/trace.h"

namespace stagelane::analysis::detail {

/// One event. Events have 32-bit numbers in a Trace.
struct Span {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  std::uint32_t event = 0;
  [[nodiscard]] bool empty() const { return startNs >= endNs; }
};

/// Intervals of one device without those that an earlier one (by start; at one start an empty one,
/// then the longest) covers wholly: starts and ends both increase, an empty one may share its start
/// with the next. Covered intervals never own a moment nor begin after one, so nothing is lost.
class Cover {
 public:
  /// In the order of a track: by start, the longest first.
  void addSorted(const Span& span);
  /// After tracks were added one after another.
  void merge();

  [[nodiscard]] const std::vector<Span>& spans() const { return m_spans; }
  /// The first that ends after `timeNs`, or at it and is empty.
  [[nodiscard]] std::size_t firstAfter(TimeNs timeNs) const;
  /// Where [startNs, endNs) begins: of those that began before it, the one that reaches furthest
  /// into it, and of those that reach its end the one that began first; else the first that begins
  /// there.
  [[nodiscard]] std::size_t firstIn(TimeNs startNs, TimeNs endNs) const;
  /// Whether any of them has a moment, or an end, in [startNs, endNs].
  [[nodiscard]] bool touches(TimeNs startNs, TimeNs endNs) const;
  /// A new track begins.
  void beginTrack();

 private:
  std::vector<Span> m_spans;
  std::size_t m_trackBegin = 0;
  bool m_mixed = false;
};

struct DeviceCovers {
  Cover actions;    ///< F LOSS B I W OPT
  Cover kernels;    ///< count where there are no actions
  Cover operators;  ///< count where there are neither
  Cover reduces;    ///< REDUCE
  Cover copies;     ///< RECV_F, RECV_B, copies and REDUCE: what explains a wait
  Cover transfers;  ///< the same and SEND_F, SEND_B: all that moves data
  Cover syncs;
  bool anyStage = false;  ///< some action has a stage
  /// No device of its own: only host events where other devices have actions or kernels, or
  /// nothing that works at all (a profiler's own marks) where others have operators.
  bool host = false;
};

/// (forward?, stage, micro-batch)
using TensorKey = std::tuple<bool, std::int32_t, std::int32_t>;

/// The events of one tensor on one device, by their end.
class Candidates {
 public:
  void add(const Span& span) { m_spans.push_back(span); }
  void freeze();
  /// The one that ended last by `beforeNs` and reaches into [startNs, endNs], else the one of those
  /// that ends first; null for none.
  [[nodiscard]] const Span* choose(TimeNs beforeNs, TimeNs startNs, TimeNs endNs) const;

 private:
  [[nodiscard]] std::size_t firstStartingBy(std::size_t from, TimeNs limitNs) const;

  std::vector<Span> m_spans;
  std::vector<TimeNs> m_leastStart;  ///< of the two children, in a heap; leaves are the spans
};
using ByDevice = std::map<std::int32_t, Candidates>;

class TraceIndex {
 public:
  explicit TraceIndex(const trace::Trace& trace);

  [[nodiscard]] const trace::Trace& trace() const { return m_trace; }
  [[nodiscard]] const DeviceCovers& device(std::size_t index) const { return m_devices[index]; }
  [[nodiscard]] std::size_t deviceCount() const { return m_devices.size(); }
  /// F (by its stage), or B and I. Null when there are none.
  [[nodiscard]] const ByDevice* producers(const TensorKey& key) const;
  /// RECV_F or RECV_B, by the stage that takes it. Null when there are none.
  [[nodiscard]] const ByDevice* receives(const TensorKey& key) const;
  /// Whether any forward works at `stage`, so that a gradient from there can be expected.
  [[nodiscard]] bool stageExists(std::int32_t stage) const { return m_stages.count(stage) != 0; }

 private:
  void add(std::size_t device, std::size_t event);
  void addTensor(std::size_t device, const Span& span);
  void findHosts();
  void addCopiesOfPeers();
  void addCollectivesOfHosts();
  [[nodiscard]] bool isCollective(std::size_t event) const;
  [[nodiscard]] std::vector<bool> idleDevices() const;

  const trace::Trace& m_trace;
  std::vector<DeviceCovers> m_devices;
  /// By name: where it is a collective.
  std::vector<std::optional<trace::Category>> m_collectives;
  std::vector<std::vector<Span>> m_peerCopies;  ///< by the device that they reach
  std::map<TensorKey, ByDevice> m_producers;
  std::map<TensorKey, ByDevice> m_receives;
  std::set<std::int32_t> m_stages;
};

}  // namespace stagelane::analysis::detail
