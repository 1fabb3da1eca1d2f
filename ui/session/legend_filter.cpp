#include "ui/session/legend_filter.h"

#include <algorithm>

#include "engine/trace/lane_index.h"

namespace stagelane::ui {
namespace {

template <class T>
void setPresent(std::vector<T>& values, T value, bool present) {
  values.erase(std::remove(values.begin(), values.end(), value), values.end());
  if (present) values.push_back(value);
}

}  // namespace

trace::Category legendCategory(trace::Category category) {
  if (category == trace::Category::Loss) return trace::Category::Forward;
  const auto action = trace::actionKindOf(category);
  return action && isTransfer(*action) ? trace::Category::Copy : category;
}

trace::Category categoryOf(analysis::Cause cause) {
  switch (cause) {
    case analysis::Cause::Backward: return trace::Category::Backward;
    case analysis::Cause::BackwardInput: return trace::Category::BackwardInput;
    case analysis::Cause::BackwardWeight: return trace::Category::BackwardWeight;
    case analysis::Cause::Optimizer: return trace::Category::Optimizer;
    default: return trace::Category::Forward;
  }
}

bool isHidden(const LegendFilter& filter, analysis::Cause cause) {
  if (cause == analysis::Cause::Compute) return false;
  return analysis::isBusy(cause) ? hides(filter, categoryOf(cause)) : hides(filter, cause);
}

void setSwitchedOff(LegendFilter& filter, trace::Category entry, bool hidden) {
  for (std::size_t index = 0; index < trace::kCategoryCount; ++index) {
    const auto member = static_cast<trace::Category>(index);
    if (legendCategory(member) == entry) setPresent(filter.hiddenCategories, member, hidden);
  }
}

void setSwitchedOff(LegendFilter& filter, analysis::Cause cause, bool hidden) {
  if (analysis::isBusy(cause)) return setSwitchedOff(filter, categoryOf(cause), hidden);
  setPresent(filter.hiddenCauses, cause, hidden);
}

void toggle(LegendFilter& filter, analysis::Cause cause) {
  setSwitchedOff(filter, cause, !isHidden(filter, cause));
}

std::vector<analysis::Cause> hiddenCauses(const LegendFilter& filter) {
  std::vector<analysis::Cause> hidden;
  for (std::size_t index = 0; index < analysis::kCauseCount; ++index) {
    const auto cause = static_cast<analysis::Cause>(index);
    if (isHidden(filter, cause)) hidden.push_back(cause);
  }
  return hidden;
}

}  // namespace stagelane::ui
