#include "profiler/analysis/detail/step_events.h"

#include <algorithm>

namespace stagelane::analysis::detail {
namespace {

using trace::Category;

std::optional<Cause> busyCause(Category category) {
  switch (category) {
    case Category::Forward:
    case Category::Loss: return Cause::Forward;
    case Category::Backward: return Cause::Backward;
    case Category::BackwardInput: return Cause::BackwardInput;
    case Category::BackwardWeight: return Cause::BackwardWeight;
    case Category::Optimizer: return Cause::Optimizer;
    default: return std::nullopt;
  }
}

/// What stands for compute on a device without actions.
struct Stand {
  bool actions = false;
  bool kernels = false;
};

/// Calls `visit(device, event)` for each event of a device that touches the step.
template <class Visit>
void forEachEvent(const trace::Trace& trace, const trace::Step& step, Visit visit) {
  const auto starts = trace.startsNs();
  const auto durations = trace.durationsNs();
  for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
    const std::int32_t device = trace.tracks()[track].device;
    if (device < 0) {
      continue;
    }
    const auto [first, last] = trace.rangeOfTrack(track);
    for (std::size_t index = first; index < last && starts[index] <= step.endNs; ++index) {
      if (starts[index] + durations[index] >= step.startNs) {
        visit(static_cast<std::size_t>(device), index);
      }
    }
  }
}

std::vector<Stand> standsOf(const trace::Trace& trace, const trace::Step& step) {
  std::vector<Stand> stands(trace.devices().size());
  forEachEvent(trace, step, [&](std::size_t device, std::size_t index) {
    const Category category = trace.categories()[index];
    stands[device].actions |= busyCause(category).has_value();
    stands[device].kernels |= category == Category::Kernel;
  });
  return stands;
}

std::optional<Cause> busyCause(Category category, const Stand& stand) {
  if (stand.actions) {
    return busyCause(category);
  }
  const Category standIn = stand.kernels ? Category::Kernel : Category::Operator;
  return category == standIn ? std::optional(Cause::Compute) : std::nullopt;
}

bool computeBefore(const Span& left, const Span& right) {
  const auto rank = [](const Span& span) { return span.empty() ? 0 : 1; };
  if (left.startNs != right.startNs) {
    return left.startNs < right.startNs;
  }
  if (rank(left) != rank(right)) {
    return rank(left) < rank(right);
  }
  return left.endNs != right.endNs ? left.endNs > right.endNs : left.event < right.event;
}

/// Sorts one event into the lists that ask for it.
class Collector {
 public:
  Collector(const trace::Trace& trace, const trace::Step& step, StepEvents& out)
      : m_trace(trace), m_step(step), m_out(out), m_stands(standsOf(trace, step)) {
    m_out.devices.resize(trace.devices().size());
  }

  void operator()(std::size_t device, std::size_t index) {
    const Category category = m_trace.categories()[index];
    Span whole;
    whole.startNs = m_trace.startsNs()[index];
    whole.endNs = whole.startNs + m_trace.durationsNs()[index];
    whole.event = static_cast<std::int64_t>(index);
    whole.device = static_cast<std::int32_t>(device);
    addTensor(category, whole);
    Span cut = whole;
    cut.startNs = std::max(whole.startNs, m_step.startNs);
    cut.endNs = std::min(whole.endNs, m_step.endNs);
    const bool instant = whole.empty();
    if (cut.startNs > cut.endNs || (cut.empty() && !instant)) {
      return;
    }
    addCompute(category, cut);
    if (!instant) {
      addExplanation(category, cut);
    }
  }

 private:
  void addTensor(Category category, const Span& span) {
    const auto index = static_cast<std::size_t>(span.event);
    const std::int32_t stage = m_trace.stages()[index];
    const std::int32_t microBatch = m_trace.microBatches()[index];
    if (stage < 0) {
      return;
    }
    switch (category) {
      case Category::Forward: m_out.producers[{true, stage, microBatch}].push_back(span); break;
      case Category::Backward:
      case Category::BackwardInput:
        m_out.producers[{false, stage, microBatch}].push_back(span);
        break;
      case Category::RecvForward:
      case Category::RecvBackward:
        m_out.receives[{category == Category::RecvForward, stage, microBatch}].push_back(span);
        break;
      default: break;
    }
  }

  void addCompute(Category category, Span span) {
    const auto device = static_cast<std::size_t>(span.device);
    const std::optional<Cause> cause = busyCause(category, m_stands[device]);
    if (cause) {
      span.cause = *cause;
      DeviceEvents& events = m_out.devices[device];
      events.compute.push_back(span);
      events.anyStage |= m_trace.stages()[static_cast<std::size_t>(span.event)] >= 0;
    }
  }

  void addExplanation(Category category, const Span& span) {
    DeviceEvents& events = m_out.devices[static_cast<std::size_t>(span.device)];
    switch (category) {
      case Category::Reduce:
        events.reduces.push_back(span);
        events.copies.push_back(span);
        break;
      case Category::RecvForward:
      case Category::RecvBackward:
      case Category::Copy: events.copies.push_back(span); break;
      case Category::Sync: events.syncs.push_back(span); break;
      default: break;
    }
  }

  const trace::Trace& m_trace;
  const trace::Step& m_step;
  StepEvents& m_out;
  std::vector<Stand> m_stands;
};

/// The one that ended last by `beforeNs`, else the one that ends first; null for none.
template <class Accept>
const Span* choose(const std::vector<Span>* spans, TimeNs beforeNs, Accept accept) {
  if (spans == nullptr) {
    return nullptr;
  }
  const Span* best = nullptr;
  for (const Span& span : *spans) {
    if (!accept(span)) {
      continue;
    }
    const bool inTime = span.endNs <= beforeNs;
    if (best == nullptr) {
      best = &span;
    } else if (inTime != (best->endNs <= beforeNs)) {
      best = inTime ? &span : best;
    } else if (inTime ? span.endNs > best->endNs : span.endNs < best->endNs) {
      best = &span;
    }
  }
  return best;
}

const std::vector<Span>* lookUp(const std::map<TensorKey, std::vector<Span>>& table,
                                const TensorKey& key) {
  const auto found = table.find(key);
  return found == table.end() ? nullptr : &found->second;
}

/// The tensor of a RECV: produced where its peer (or any other device) made it.
Awaited received(const trace::Trace& trace, const Span& receive,
                 const std::vector<Span>* producers) {
  const trace::Transfer* const transfer = trace.transferOf(static_cast<std::size_t>(receive.event));
  const std::int32_t peer = transfer == nullptr ? -1 : transfer->peer;
  const Span* producer =
      choose(producers, receive.endNs, [peer](const Span& span) { return span.device == peer; });
  if (producer == nullptr) {
    producer = choose(producers, receive.endNs, [&receive, peer](const Span& span) {
      return peer < 0 && span.device != receive.device;
    });
  }
  Awaited awaited;
  awaited.arrivedNs = receive.endNs;
  awaited.transferEvent = receive.event;
  if (producer == nullptr) {
    awaited.producedNs = receive.startNs;
    awaited.producer = peer;
  } else {
    awaited.producedNs = producer->endNs;
    awaited.producer = producer->device;
    awaited.producerEvent = producer->event;
  }
  return awaited;
}

AwaitAnswer produced(const Span& action, const std::vector<Span>* producers) {
  const auto own = [&action](const Span& span) { return span.device == action.device; };
  if (choose(producers, action.startNs, own) != nullptr) {
    return {AwaitKind::Nothing, {}};
  }
  const Span* const producer =
      choose(producers, action.startNs, [&own](const Span& span) { return !own(span); });
  if (producer == nullptr) {
    return {AwaitKind::Unknown, {}};
  }
  return {AwaitKind::Tensor,
          {producer->endNs, producer->endNs, producer->device, producer->event, -1}};
}

/// Whether any event of the step works at `stage`, so that a tensor from there can be expected.
bool stageExists(const StepEvents& events, std::int32_t stage) {
  const auto first = events.producers.lower_bound({true, stage, -1});
  return first != events.producers.end() && std::get<0>(first->first) &&
         std::get<1>(first->first) == stage;
}

}  // namespace

StepEvents collect(const trace::Trace& trace, const trace::Step& step) {
  StepEvents events;
  forEachEvent(trace, step, Collector(trace, step, events));
  const auto byStart = [](const Span& left, const Span& right) {
    return std::tie(left.startNs, left.endNs, left.event) <
           std::tie(right.startNs, right.endNs, right.event);
  };
  for (DeviceEvents& device : events.devices) {
    std::sort(device.compute.begin(), device.compute.end(), computeBefore);
    std::sort(device.reduces.begin(), device.reduces.end(), byStart);
    std::sort(device.copies.begin(), device.copies.end(), byStart);
    std::sort(device.syncs.begin(), device.syncs.end(), byStart);
  }
  return events;
}

AwaitAnswer awaitedBy(const trace::Trace& trace, const StepEvents& events, const Span& action) {
  const trace::EventView view = trace.event(static_cast<std::size_t>(action.event));
  const bool forward = view.category == Category::Forward;
  const bool backward =
      view.category == Category::Backward || view.category == Category::BackwardInput;
  if (!forward && !backward) {
    const bool kernel = action.cause == Cause::Compute;
    const bool staged = events.devices[static_cast<std::size_t>(action.device)].anyStage;
    return {kernel || !staged ? AwaitKind::Unknown : AwaitKind::Nothing, {}};
  }
  if (!view.stage.valid()) {
    return {AwaitKind::Unknown, {}};
  }
  const std::int32_t from = view.stage.value + (forward ? -1 : 1);
  const std::vector<Span>* const producers =
      lookUp(events.producers, {forward, from, view.microBatch.value});
  const Span* const receive =
      choose(lookUp(events.receives, {forward, view.stage.value, view.microBatch.value}),
             action.startNs, [&action](const Span& span) { return span.device == action.device; });
  if (receive != nullptr) {
    return {AwaitKind::Tensor, received(trace, *receive, producers)};
  }
  if (producers == nullptr && (from < 0 || (backward && !stageExists(events, from)))) {
    return {AwaitKind::Nothing, {}};
  }
  return produced(action, producers);
}

}  // namespace stagelane::analysis::detail
