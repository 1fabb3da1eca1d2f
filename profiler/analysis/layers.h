#pragma once

/// Time by layer, from the events around layers that the recording of operators leaves
/// (engine/trace/layer_events.h). They are the host's times. Where the trace joins the host's
/// calls to the kernels and copies that they launched, as on a GPU whose kernels were recorded, a
/// layer has the time of those: what was launched inside its events, whenever it ran.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "profiler/analysis/analyzer.h"

namespace stagelane::analysis {

/// A layer on a device in one step. A moment of nested layers belongs to the innermost one, a
/// moment of several kernels to that which began first.
struct LayerTime {
  std::string_view name;  ///< dotted path; of the trace
  std::int32_t device = -1;
  std::uint64_t events = 0;  ///< a forward is one; a backward one for each autograd node
  TimeNs forwardNs = 0;      ///< inside F and LOSS
  TimeNs backwardNs =
      0;  ///< inside all other compute: B, I, W, and the second forward of a recompute
  TimeNs criticalNs = 0;  ///< of both, what lies on the critical path
  [[nodiscard]] TimeNs totalNs() const { return forwardNs + backwardNs; }
};

struct LayerTimes {
  trace::Step step;
  std::vector<LayerTime> rows;  ///< in the order in which they ran, device by device
  TimeNs busyNs = 0;            ///< of all devices: the rows, and what is in no layer
  TimeNs criticalBusyNs = 0;    ///< the compute of the critical path, likewise
};

/// Of the median one of the steps in which layers were recorded; nothing where there is none.
/// @pre the analyzer is of this trace
[[nodiscard]] std::optional<LayerTimes> layerTimes(const trace::Trace& trace,
                                                   const Analyzer& analyzer);

}  // namespace stagelane::analysis
