#pragma once

/// Parts of `analyze --json` other than the causes: transfers, launches, critical path, details of
/// the median step. Internal to profiler/analysis.

#include <map>
#include <optional>
#include <string>

#include "profiler/analysis/analyzer.h"
#include "profiler/analysis/launches.h"
#include "profiler/analysis/layers.h"

namespace stagelane::analysis::detail {

/// A sum that saturates at 64 bits, because a file may have any values.
[[nodiscard]] TimeNs plus(TimeNs left, TimeNs right);

/// Time of the critical path by device, cause and stage.
struct PathShares {
  TimeNs wallNs = 0;
  std::map<std::string, TimeNs> devices;
  std::map<std::string, TimeNs> causes;
  std::map<std::int32_t, TimeNs> stages;  ///< of busy pieces; -1 without a stage

  void add(const trace::Trace& trace, const std::vector<PathPiece>& path);
  void add(const PathShares& other);
  [[nodiscard]] Json json() const;
};

[[nodiscard]] Json transfersJson(const TransferOverlap& overlap);
[[nodiscard]] Json launchesJson(const Launches& launches);
/// Null if no device waited for another.
[[nodiscard]] Json stragglerJson(const trace::Trace& trace, const Straggler& straggler);

/// Time by layer, in the order of LayerTimes; null without layers.
[[nodiscard]] Json layersJson(const trace::Trace& trace, const std::optional<LayerTimes>& times);

/// Details of one step: each device's busy time in 100 bins, and the pieces of the critical path.
[[nodiscard]] Json stepDetailJson(const trace::Trace& trace, const Analyzer& analyzer,
                                  const StepBreakdown& breakdown);

}  // namespace stagelane::analysis::detail
