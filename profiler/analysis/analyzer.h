#pragma once

/// Analyzes a trace step by step. Sorts the trace only once, so the cost of a step depends on its
/// own events; for a single step, use the free functions of idle.h. Immutable.
/// @thread any; the trace must outlive the analyzer

#include <cstdint>
#include <memory>
#include <vector>

#include "profiler/analysis/idle.h"

namespace stagelane::analysis {

/// How much of a device's data movement its compute overlaps. Movement is the union of its sends,
/// receives, copies and collectives in the step.
/// @source the formula of HTA's overlap (docs/reference/analysis.md) and TraceLens' exposed
/// communication: exposed = |movement − compute|, hidden = |movement ∩ compute|
struct TransferOverlap {
  TimeNs exposedNs = 0;
  TimeNs hiddenNs = 0;
  [[nodiscard]] TimeNs totalNs() const { return exposedNs + hiddenNs; }
};

/// A piece of the critical path. The pieces cover the step without gaps, in order.
struct PathPiece {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  std::int32_t device = -1;
  Cause cause = Cause::Unattributed;
  std::int64_t event = -1;  ///< the action or the transfer; -1 if there is none
};

/// The device that others wait for most, by the sum of their `starved` time.
struct Straggler {
  std::int32_t device = -1;  ///< -1 if no device waited for another
  TimeNs waitedNs = 0;
};

class Analyzer {
 public:
  explicit Analyzer(const trace::Trace& trace);
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;
  ~Analyzer();

  /// True for a launching process: it has only host events (operators, calls) while other devices
  /// have actions or kernels, and computes nothing that a step waits for.
  [[nodiscard]] bool isHost(std::size_t device) const;

  /// The rules are in idle.h.
  [[nodiscard]] StepBreakdown breakDown(const trace::Step& step) const;

  /// Walks back from the last compute: from an action's end to its start, then to the tensor that
  /// it awaited and the producing device, or to the previous work on the same device if that ended
  /// later. Without a record of what was awaited, the path stays on the device. The pieces tile the
  /// step, so their times sum to it.
  [[nodiscard]] std::vector<PathPiece> criticalPath(const StepBreakdown& breakdown) const;

  [[nodiscard]] TransferOverlap transferOverlap(const StepBreakdown& breakdown,
                                                std::size_t device) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

[[nodiscard]] Straggler stragglerOf(const StepBreakdown& breakdown);

/// Exact busy time of a device in each of `bins` equal parts of its step (the last may be shorter).
/// @pre bins > 0
[[nodiscard]] std::vector<TimeNs> busyInBins(const StepBreakdown& breakdown, std::size_t device,
                                             std::size_t bins);
/// The width of a bin: the step's length / bins, rounded up; at least 1.
[[nodiscard]] TimeNs binNs(const StepBreakdown& breakdown, std::size_t bins);

}  // namespace stagelane::analysis
