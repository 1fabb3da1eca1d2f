#pragma once

/// The events of a trace, sorted once for the analysis of its steps, so that the cost of a step
/// does not depend on the size of the trace. Internal to profiler/analysis.

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

/// Intervals of one device without those that an earlier one covers completely (by start; at equal
/// starts an empty one, then the longest). Starts and ends both increase; an empty one may share
/// its start with the next. Covered intervals never determine the result.
class Cover {
 public:
  /// Adds intervals in track order: by start, the longest first.
  void addSorted(const Span& span);
  /// Call after adding all tracks.
  void merge();

  [[nodiscard]] const std::vector<Span>& spans() const { return m_spans; }
  /// The first that ends after `timeNs`, or is empty and at `timeNs`.
  [[nodiscard]] std::size_t firstAfter(TimeNs timeNs) const;
  /// The first interval for [startNs, endNs): of those that started before it, the one that reaches
  /// furthest into it (of those that reach its end, the one that started first); else the first
  /// that starts in it.
  [[nodiscard]] std::size_t firstIn(TimeNs startNs, TimeNs endNs) const;
  /// Whether any interval overlaps or ends in [startNs, endNs].
  [[nodiscard]] bool touches(TimeNs startNs, TimeNs endNs) const;
  /// Starts a new track.
  void beginTrack();

 private:
  std::vector<Span> m_spans;
  std::size_t m_trackBegin = 0;
  bool m_mixed = false;
};

struct DeviceCovers {
  Cover actions;    ///< F LOSS B I W OPT
  Cover kernels;    ///< used without actions
  Cover operators;  ///< used without actions and kernels
  Cover reduces;    ///< REDUCE
  Cover copies;     ///< RECV_F, RECV_B, copies and REDUCE, which explain waits
  Cover transfers;  ///< the same and SEND_F, SEND_B
  Cover syncs;
  bool anyStage = false;  ///< some action has a stage
  /// Not a device, see idle.h.
  bool host = false;
};

/// A tensor between stages of one micro-batch: an activation (`forward`) or a gradient.
struct Tensor {
  bool forward = false;
  std::int32_t stage = 0;
  std::int32_t microBatch = 0;
};

/// The events of one tensor on one device, by their end.
struct Candidates {
  std::int32_t device = -1;
  std::span<const Span> spans;
  std::span<const TimeNs> leastStart;  ///< of both children, as a heap; leaves are the spans
  /// Of the spans that reach into [startNs, endNs], the last that ended by `beforeNs`, else the one
  /// that ends first; null if there is none.
  [[nodiscard]] const Span* choose(TimeNs beforeNs, TimeNs startNs, TimeNs endNs) const;

 private:
  [[nodiscard]] std::size_t firstStartingBy(std::size_t from, TimeNs limitNs) const;
};

/// Maps tensors to events in a few arrays, because a step has thousands of tensors with mostly one
/// event.
class TensorTable {
 public:
  TensorTable() = default;
  TensorTable(const TensorTable&) = delete;  // results of of() point into the arrays
  TensorTable& operator=(const TensorTable&) = delete;
  /// @pre the stage is not negative
  void add(const Tensor& tensor, std::int32_t device, const Span& span);
  /// Call after the last add().
  void freeze();
  /// One per device with events of the tensor; empty before freeze(). Valid as long as this object.
  [[nodiscard]] std::span<const Candidates> of(const Tensor& tensor) const;

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::int32_t device = -1;
    Span span;
  };
  [[nodiscard]] static std::uint64_t keyOf(const Tensor& tensor);
  /// Builds the tree over m_spans[first, last) at the end of m_leastStart.
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
  /// RECV_F or RECV_B, by the receiving stage.
  [[nodiscard]] std::span<const Candidates> receives(const Tensor& tensor) const {
    return m_receives.of(tensor);
  }
  /// Whether any forward runs at `stage`, so that a gradient can come from it.
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
  /// By name: the category in which it is a collective.
  std::vector<std::optional<trace::Category>> m_collectives;
  std::vector<std::vector<Span>> m_peerCopies;  ///< by the destination device
  TensorTable m_producers;
  TensorTable m_receives;
  std::set<std::int32_t> m_stages;
};

}  // namespace stagelane::analysis::detail
