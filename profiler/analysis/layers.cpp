#include "profiler/analysis/layers.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/trace/layer_events.h"
#include "profiler/analysis/launches.h"

namespace stagelane::analysis {
namespace {

/// An interval in which one layer is the innermost.
struct LayerSpan {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  std::size_t row = 0;
};

/// Disjoint spans of one device, by start.
using Spans = std::vector<LayerSpan>;

/// The layer events of a trace, device by device.
std::vector<std::vector<trace::EventView>> layersByDevice(const trace::Trace& trace) {
  std::vector<std::vector<trace::EventView>> layers(trace.devices().size());
  for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
    const std::int32_t device = trace.tracks()[track].device;
    if (device < 0) continue;
    const auto [first, last] = trace.rangeOfTrack(track);
    for (std::size_t index = first; index < last; ++index) {
      const trace::EventView view = trace.event(index);
      if (trace::isLayer(view)) layers[static_cast<std::size_t>(device)].push_back(view);
    }
  }
  for (std::vector<trace::EventView>& some : layers) {
    std::stable_sort(some.begin(), some.end(),
                     [](const trace::EventView& left, const trace::EventView& right) {
                       return std::pair(left.startNs, -left.durationNs) <
                              std::pair(right.startNs, -right.durationNs);
                     });
  }
  return layers;
}

/// Cuts nested events into disjoint spans of the innermost one.
class Innermost {
 public:
  void open(TimeNs startNs, TimeNs endNs, std::size_t row) {
    closeUntil(startNs);
    cut(startNs);
    // Cut an event at the end of its parent.
    m_open.push_back({startNs, m_open.empty() ? endNs : std::min(endNs, m_open.back().endNs), row});
  }
  Spans finish() {
    while (!m_open.empty()) closeLast();
    return std::move(m_spans);
  }

 private:
  void closeUntil(TimeNs timeNs) {
    while (!m_open.empty() && m_open.back().endNs <= timeNs) closeLast();
  }
  void closeLast() {
    const LayerSpan last = m_open.back();
    cut(last.endNs);
    m_open.pop_back();
  }
  /// Adds the time since the last cut to the innermost open event.
  void cut(TimeNs timeNs) {
    if (!m_open.empty()) {
      const TimeNs startNs = std::max(m_cutNs, m_open.back().startNs);
      if (startNs < timeNs) m_spans.push_back({startNs, timeNs, m_open.back().row});
    }
    m_cutNs = timeNs;
  }

  std::vector<LayerSpan> m_open;
  Spans m_spans;
  TimeNs m_cutNs = 0;
};

/// Calls `visit(row, ns)` for each layer's part of [startNs, endNs).
template <class Visit>
void overlaps(const Spans& spans, TimeNs startNs, TimeNs endNs, Visit visit) {
  auto span = std::partition_point(spans.begin(), spans.end(),
                                   [&](const LayerSpan& some) { return some.endNs <= startNs; });
  for (; span != spans.end() && span->startNs < endNs; ++span) {
    visit(span->row, std::min(endNs, span->endNs) - std::max(startNs, span->startNs));
  }
}

/// The span at a given time.
const LayerSpan* spanAt(const Spans& spans, TimeNs timeNs) {
  const auto span = std::partition_point(
      spans.begin(), spans.end(), [&](const LayerSpan& some) { return some.endNs <= timeNs; });
  return span != spans.end() && span->startNs <= timeNs ? &*span : nullptr;
}

/// Where spans overlap, the one that started first counts.
Spans madeDisjoint(Spans spans) {
  std::stable_sort(spans.begin(), spans.end(), [](const LayerSpan& left, const LayerSpan& right) {
    return left.startNs < right.startNs;
  });
  Spans disjoint;
  for (LayerSpan span : spans) {
    span.startNs = disjoint.empty() ? span.startNs : std::max(span.startNs, disjoint.back().endNs);
    if (span.startNs < span.endNs) disjoint.push_back(span);
  }
  return disjoint;
}

/// Layers of a GPU's work: the layer in whose event the host launched it. Empty without known
/// launches, as for a CPU, which works during the event.
std::optional<Spans> launchedSpans(const trace::Trace& trace, std::int32_t device,
                                   const Spans& host) {
  bool launches = false;
  Spans spans;
  for (std::size_t track = 0; track < trace.tracks().size() && !trace.flows().empty(); ++track) {
    if (trace.tracks()[track].device != device) continue;
    const auto [first, last] = trace.rangeOfTrack(track);
    for (std::size_t event = first; event < last; ++event) {
      const trace::Category category = trace.categories()[event];
      if (category != trace::Category::Kernel && category != trace::Category::Copy) continue;
      const std::optional<std::size_t> call = launchOf(trace, event);
      launches = launches || call;
      if (const LayerSpan* span = call ? spanAt(host, trace.startsNs()[*call]) : nullptr) {
        const trace::EventView view = trace.event(event);
        spans.push_back({view.startNs, view.endNs(), span->row});
      }
    }
  }
  return launches ? std::optional(madeDisjoint(std::move(spans))) : std::nullopt;
}

bool touches(const trace::EventView& event, const trace::Step& step) {
  return event.startNs < step.endNs && event.endNs() > step.startNs;
}

/// The median of the steps with layers.
std::optional<trace::Step> stepWithLayers(
    const trace::Trace& trace, const std::vector<std::vector<trace::EventView>>& layers) {
  std::vector<trace::Step> steps = stepsOf(trace);
  const auto without = [&](const trace::Step& step) {
    return std::none_of(layers.begin(), layers.end(), [&](const auto& some) {
      return std::any_of(some.begin(), some.end(),
                         [&](const trace::EventView& event) { return touches(event, step); });
    });
  };
  steps.erase(std::remove_if(steps.begin(), steps.end(), without), steps.end());
  if (steps.empty()) return std::nullopt;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>((steps.size() - 1) / 2);
  std::nth_element(steps.begin(), middle, steps.end(),
                   [](const trace::Step& left, const trace::Step& right) {
                     return left.endNs - left.startNs < right.endNs - right.startNs;
                   });
  return *middle;
}

/// Creates the rows of one device and maps each time to its row.
Spans addRows(const std::vector<trace::EventView>& layers, std::int32_t device, LayerTimes& times) {
  std::map<std::string_view, std::size_t> rows;
  Innermost innermost;
  for (const trace::EventView& event : layers) {
    if (!touches(event, times.step)) continue;
    const auto [place, isNew] = rows.try_emplace(event.name, times.rows.size());
    if (isNew) times.rows.push_back({event.name, device});
    ++times.rows[place->second].events;
    innermost.open(event.startNs, event.endNs(), place->second);
  }
  return innermost.finish();
}

void addCompute(const DeviceStep& device, const Spans& spans, LayerTimes& times) {
  for (const Piece& piece : device.pieces) {
    if (!isBusy(piece.cause)) continue;
    times.busyNs += piece.endNs - piece.startNs;
    overlaps(spans, piece.startNs, piece.endNs, [&](std::size_t row, TimeNs partNs) {
      LayerTime& layer = times.rows[row];
      (piece.cause == Cause::Forward ? layer.forwardNs : layer.backwardNs) += partNs;
    });
  }
}

}  // namespace

std::optional<LayerTimes> layerTimes(const trace::Trace& trace, const Analyzer& analyzer) {
  const auto layers = layersByDevice(trace);
  const std::optional<trace::Step> step = stepWithLayers(trace, layers);
  if (!step) return std::nullopt;
  LayerTimes times;
  times.step = *step;
  const StepBreakdown breakdown = analyzer.breakDown(*step);
  std::vector<Spans> spans;
  for (std::size_t device = 0; device < layers.size(); ++device) {
    const auto index = static_cast<std::int32_t>(device);
    spans.push_back(addRows(layers[device], index, times));
    if (std::optional<Spans> launched = launchedSpans(trace, index, spans.back())) {
      spans.back() = std::move(*launched);
    }
    addCompute(breakdown.devices[device], spans.back(), times);
  }
  for (const PathPiece& piece : analyzer.criticalPath(breakdown)) {
    if (isBusy(piece.cause)) {
      times.criticalBusyNs += piece.endNs - piece.startNs;
      overlaps(spans[static_cast<std::size_t>(piece.device)], piece.startNs, piece.endNs,
               [&](std::size_t row, TimeNs partNs) { times.rows[row].criticalNs += partNs; });
    }
  }
  return times;
}

}  // namespace stagelane::analysis
