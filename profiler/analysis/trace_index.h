#pragma once

/// The events of a trace sorted once into what the analysis of any of its steps asks for, so that a
/// step costs what it holds and not what the trace holds. Internal to profiler/analysis.

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/trace/trace.h"

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

/// What a stage makes or takes of one micro-batch: an activation (`forward`) or a gradient.
struct Tensor {
  bool forward = false;
  std::int32_t stage = 0;
  std::int32_t microBatch = 0;
};

/// The events of one tensor on one device, by their end.
struct Candidates {
  std::int32_t device = -1;
  std::span<const Span> spans;
  std::span<const TimeNs> leastStart;  ///< of the two children, in a heap; leaves are the spans
  /// The one that ended last by `beforeNs` and reaches into [startNs, endNs], else the one of those
  /// that ends first; null for none.
  [[nodiscard]] const Span* choose(TimeNs beforeNs, TimeNs startNs, TimeNs endNs) const;

 private:
  [[nodiscard]] std::size_t firstStartingBy(std::size_t from, TimeNs limitNs) const;
};

/// Which events are of which tensor, in a few arrays: a step has thousands of tensors, and most
/// have one event.
class TensorTable {
 public:
  TensorTable() = default;
  TensorTable(const TensorTable&) = delete;  // what of() gives points into the arrays
  TensorTable& operator=(const TensorTable&) = delete;
  /// Of a stage that is not negative.
  void add(const Tensor& tensor, std::int32_t device, const Span& span);
  /// After the last of them.
  void freeze();
  /// One for each device that has events of it, none before freeze(). They live as long as this.
  [[nodiscard]] std::span<const Candidates> of(const Tensor& tensor) const;

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::int32_t device = -1;
    Span span;
  };
  [[nodiscard]] static std::uint64_t keyOf(const Tensor& tensor);
  /// Of the tree over m_spans[first, last): fills the tail of m_leastStart.
  void addTree(std::size_t first, std::size_t last);

  std::vector<Entry> m_entries;  ///< until freeze()
  std::vector<Span> m_spans;
  std::vector<TimeNs> m_leastStart;
  std::vector<std::uint64_t> m_keys;  ///< of m_candidates, increasing
  std::vector<Candidates> m_candidates;
};

class TraceIndex {
 public:
  explicit TraceIndex(const trace::Trace& trace);

  [[nodiscard]] const trace::Trace& trace() const { return m_trace; }
  [[nodiscard]] const DeviceCovers& device(std::size_t index) const { return m_devices[index]; }
  [[nodiscard]] std::size_t deviceCount() const { return m_devices.size(); }
  /// F (by its stage), or B and I.
  [[nodiscard]] std::span<const Candidates> producers(const Tensor& tensor) const {
    return m_producers.of(tensor);
  }
  /// RECV_F or RECV_B, by the stage that takes it.
  [[nodiscard]] std::span<const Candidates> receives(const Tensor& tensor) const {
    return m_receives.of(tensor);
  }
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
  TensorTable m_producers;
  TensorTable m_receives;
  std::set<std::int32_t> m_stages;
};

}  // namespace stagelane::analysis::detail
