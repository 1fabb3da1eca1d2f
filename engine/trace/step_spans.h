#pragma once

/// Finds the steps from actions that have a repeat and step number: from the earliest start to the
/// latest OPT end over all devices; without OPT to the last compute, without compute to the last
/// end (docs/reference/analysis.md).

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/action_kind.h"
#include "engine/base/ids.h"
#include "engine/trace/trace.h"

namespace stagelane::trace {

class StepSpans {
 public:
  struct Number {
    std::int32_t repeat = 0;
    std::int32_t step = 0;
    friend auto operator<=>(const Number&, const Number&) = default;
  };
  /// `kind`: empty for events that are not actions (operators, kernels).
  void grow(Number number, std::optional<ActionKind> kind, TimeNs startNs, TimeNs endNs);
  /// By repeat and step; the steps of `extraRepeat` are marked.
  [[nodiscard]] std::vector<Step> steps(std::int32_t extraRepeat) const;

 private:
  struct Span {
    TimeNs startNs = 0;
    TimeNs anyEndNs = 0;
    std::optional<TimeNs> optimizerEndNs;
    std::optional<TimeNs> computeEndNs;
  };
  std::map<Number, Span> m_spans;
};

}  // namespace stagelane::trace
