#pragma once

/// Analyses a trace step by step. Sorting the trace is done once, so that a step costs what it
/// holds; free functions of idle.h are for a single step. Immutable after construction.
/// @thread any; the trace must outlive the analyzer

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analysis/idle.h"

namespace stagelane::analysis {

/// How much of a device's data movement its compute hides. Movement is the union of its sends,
/// receives, copies and collectives in the step.
/// @source the formula of HTA's overlap (docs/reference/analysis.md) and TraceLens' exposed
/// communication: exposed = |movement − compute|, hidden = |movement ∩ compute|
struct TransferOverlap {
  TimeNs exposedNs = 0;
  TimeNs hiddenNs = 0;
  [[nodiscard]] TimeNs totalNs() const { return exposedNs + hiddenNs; }
};

/// A piece of the critical path; pieces follow one another from the step's start to its end.
struct PathPiece {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  std::int32_t device = -1;
  Cause cause = Cause::Unattributed;
  std::int64_t event = -1;  ///< the action, or the transfer; -1 for none
};

/// The device whose work the others wait for most: the sum of `starved` that names it.
struct Straggler {
  std::int32_t device = -1;  ///< -1: no device waited for another
  TimeNs waitedNs = 0;
};

class Analyzer {
 public:
  explicit Analyzer(const trace::Trace& trace);
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer&&) noexcept;
  ~Analyzer();

  /// A device that has only host events (operators, calls) while others have actions or kernels:
  /// the process that launches. It computes nothing that a step waits for.
  [[nodiscard]] bool isHost(std::size_t device) const;

  /// The rules are in idle.h.
  [[nodiscard]] StepBreakdown breakDown(const trace::Step& step) const;

  /// Back from the last compute: through an action to its start; from there to what it waited for
  /// (the tensor, then the device that made it), or to the work before it on its own device if that
  /// ended later. Where no record says what was awaited, the path stays on the device. The pieces
  /// tile the step, so their times sum to it.
  [[nodiscard]] std::vector<PathPiece> criticalPath(const StepBreakdown& breakdown) const;

  [[nodiscard]] TransferOverlap transferOverlap(const StepBreakdown& breakdown,
                                                std::size_t device) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

[[nodiscard]] Straggler stragglerOf(const StepBreakdown& breakdown);

/// Busy time of a device in each of `bins` equal parts of its step (the last may be shorter),
/// exact.
/// @pre bins > 0
[[nodiscard]] std::vector<TimeNs> busyInBins(const StepBreakdown& breakdown, std::size_t device,
                                             std::size_t bins);
/// The width of such a part: the step's length / bins, rounded up; at least 1.
[[nodiscard]] TimeNs binNs(const StepBreakdown& breakdown, std::size_t bins);

}  // namespace stagelane::analysis
