#include <algorithm>
#include <optional>

#include "engine/trace/middle_steps.h"
#include "profiler/analysis/idle.h"

namespace stagelane::analysis {
namespace {

using trace::Category;

/// A trace without steps spans the first of these kinds of events that occurs.
enum class Evidence { None, Operators, Device, Actions };

Evidence evidenceOf(Category category) {
  if (category == Category::Reduce || category == Category::Kernel || category == Category::Copy) {
    return Evidence::Device;
  }
  if (trace::actionKindOf(category)) return Evidence::Actions;
  return category == Category::Operator ? Evidence::Operators : Evidence::None;
}

void grow(std::optional<TimeNs>& latest, TimeNs timeNs) {
  latest = latest ? std::max(*latest, timeNs) : timeNs;
}

std::optional<trace::Step> spanOf(const trace::Trace& trace, Evidence evidence) {
  std::optional<TimeNs> start;
  std::optional<TimeNs> optimizerEnd;
  std::optional<TimeNs> computeEnd;
  std::optional<TimeNs> anyEnd;
  const auto categories = trace.categories();
  for (std::size_t index = 0; index < trace.size(); ++index) {
    const Category category = categories[index];
    if (evidenceOf(category) != evidence) continue;
    const TimeNs startNs = trace.startsNs()[index];
    const TimeNs endNs = startNs + trace.durationsNs()[index];
    start = start ? std::min(*start, startNs) : startNs;
    grow(anyEnd, endNs);
    const std::optional<ActionKind> kind = trace::actionKindOf(category);
    if (kind && isCompute(*kind)) grow(computeEnd, endNs);
    if (category == Category::Optimizer) grow(optimizerEnd, endNs);
  }
  if (!start) return std::nullopt;
  trace::Step step;
  step.startNs = *start;
  step.endNs = std::max(*start, optimizerEnd.value_or(computeEnd.value_or(*anyEnd)));
  return step;
}

}  // namespace

std::vector<trace::Step> stepsOf(const trace::Trace& trace) {
  if (!trace.steps().empty()) return trace.steps();
  for (const Evidence evidence : {Evidence::Actions, Evidence::Device, Evidence::Operators}) {
    if (const std::optional<trace::Step> step = spanOf(trace, evidence)) return {*step};
  }
  return {};
}

std::size_t medianStep(const std::vector<trace::Step>& steps) {
  const std::vector<std::size_t> middle = trace::middleSteps(steps);
  return middle.empty() ? 0 : middle.front();
}

}  // namespace stagelane::analysis
