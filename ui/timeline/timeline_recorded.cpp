#include "ui/timeline/timeline_recorded.h"

namespace stagelane::ui {
namespace {

/// Events of a track are sorted by start.
bool startsWithin(const trace::Trace& trace, std::size_t track, const trace::Step& step) {
  auto [low, high] = trace.rangeOfTrack(track);
  const std::size_t end = high;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (trace.event(middle).startNs < step.startNs) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < end && trace.event(low).startNs < step.endNs;
}

bool hasOperators(const trace::Trace& trace, const trace::Step& step) {
  for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
    const trace::TrackKind kind = trace.tracks()[track].kind;
    const bool detailed = kind == trace::TrackKind::Operators || kind == trace::TrackKind::Kernels;
    if (detailed && startsWithin(trace, track, step)) return true;
  }
  return false;
}

}  // namespace

std::optional<std::size_t> stepWithOperators(const trace::Trace& trace,
                                             const std::vector<trace::Step>& steps,
                                             std::size_t shown) {
  if (steps.size() < 2 || hasOperators(trace, steps[shown])) return {};
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!hasOperators(trace, steps[i])) continue;
    if (steps[i].step == steps[shown].step) return i;
    if (!first) first = i;
  }
  return first;
}

}  // namespace stagelane::ui
