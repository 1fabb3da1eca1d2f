#pragma once

/// Time by layer, from the layer events of recorded operators (engine/trace/layer_events.h), which
/// have host times. If the trace joins host calls to the kernels and copies they launched, as on a
/// GPU with recorded kernels, a layer has the time of what was launched inside its events.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "profiler/analysis/analyzer.h"

namespace stagelane::analysis {

/// A layer on a device in one step. In nested layers, time counts for the innermost one; in
/// overlapping kernels, for the one that started first.
struct LayerTime {
  std::string_view name;  ///< dotted path; of the trace
  std::int32_t device = -1;
  std::uint64_t events = 0;  ///< one per forward, one per autograd node of a backward
  TimeNs forwardNs = 0;      ///< inside F and LOSS
  TimeNs backwardNs =
      0;  ///< inside all other compute: B, I, W, and the second forward of a recompute
  TimeNs criticalNs = 0;  ///< part of both on the critical path
  [[nodiscard]] TimeNs totalNs() const { return forwardNs + backwardNs; }
};

struct LayerTimes {
  trace::Step step;
  std::vector<LayerTime> rows;  ///< in the order of execution, device by device
  TimeNs busyNs = 0;            ///< of all devices, including work outside layers
  TimeNs criticalBusyNs = 0;    ///< the compute of the critical path, likewise
};

/// The layers of the median step with recorded layers; empty if there is none.
/// @pre the analyzer is of this trace
[[nodiscard]] std::optional<LayerTimes> layerTimes(const trace::Trace& trace,
                                                   const Analyzer& analyzer);

}  // namespace stagelane::analysis
