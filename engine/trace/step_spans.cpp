#include "engine/trace/step_spans.h"

#include <algorithm>

namespace stagelane::trace {
namespace {

void growTo(std::optional<TimeNs>& latest, TimeNs timeNs) {
  latest = latest ? std::max(*latest, timeNs) : timeNs;
}

}  // namespace

void StepSpans::grow(Number number, std::optional<ActionKind> kind, TimeNs startNs, TimeNs endNs) {
  const auto [place, isNew] = m_spans.try_emplace(number);
  Span& span = place->second;
  span.startNs = isNew ? startNs : std::min(span.startNs, startNs);
  span.anyEndNs = isNew ? endNs : std::max(span.anyEndNs, endNs);
  if (kind == ActionKind::Optimizer) growTo(span.optimizerEndNs, endNs);
  if (kind && isCompute(*kind)) growTo(span.computeEndNs, endNs);
}

std::vector<Step> StepSpans::steps(std::int32_t extraRepeat) const {
  std::vector<Step> steps;
  for (const auto& [number, span] : m_spans) {
    const TimeNs endNs = span.optimizerEndNs.value_or(span.computeEndNs.value_or(span.anyEndNs));
    steps.push_back({number.repeat, number.step, span.startNs, std::max(endNs, span.startNs),
                     number.repeat == extraRepeat});
  }
  return steps;
}

}  // namespace stagelane::trace
