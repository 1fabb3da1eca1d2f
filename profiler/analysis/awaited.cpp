#include "profiler/analysis/awaited.h"

namespace stagelane::analysis::detail {
namespace {

using trace::Category;

struct Chosen {
  const Span* span = nullptr;
  std::int32_t device = -1;
};

/// Whether a candidate is better: one in time before a late one, then the latest in time or the
/// earliest late one, then the first in the columns.
bool isBetter(const Span& left, const Span& right, TimeNs beforeNs) {
  const bool inTime = left.endNs <= beforeNs;
  if (inTime != (right.endNs <= beforeNs)) return inTime;
  if (left.endNs != right.endNs) return inTime == (left.endNs > right.endNs);
  return left.event < right.event;
}

/// The best candidate over the devices that `accept` allows.
template <class Accept>
Chosen choose(std::span<const Candidates> table, TimeNs beforeNs, const trace::Step& step,
              Accept accept) {
  Chosen best;
  for (const Candidates& candidates : table) {
    if (!accept(candidates.device)) continue;
    const Span* const span = candidates.choose(beforeNs, step.startNs, step.endNs);
    if (span != nullptr && (best.span == nullptr || isBetter(*span, *best.span, beforeNs))) {
      best = {span, candidates.device};
    }
  }
  return best;
}

/// The tensor of a RECV on `own`, produced by its peer (or any other device).
Awaited received(const trace::Trace& trace, const trace::Step& step, const Chosen& receive,
                 std::span<const Candidates> producers) {
  const trace::Transfer* const transfer = trace.transferOf(receive.span->event);
  const std::int32_t peer = transfer == nullptr ? -1 : transfer->peer;
  const Chosen producer =
      choose(producers, receive.span->endNs, step, [peer, &receive](std::int32_t device) {
        return peer < 0 ? device != receive.device : device == peer;
      });
  Awaited awaited;
  awaited.arrivedNs = receive.span->endNs;
  awaited.transferEvent = receive.span->event;
  if (producer.span == nullptr) {
    awaited.producedNs = receive.span->startNs;
    awaited.producer = peer;
  } else {
    awaited.producedNs = producer.span->endNs;
    awaited.producer = producer.device;
    awaited.producerEvent = producer.span->event;
  }
  return awaited;
}

/// Without a receive: produced by another device, arriving when that action ends.
AwaitAnswer produced(const trace::Step& step, const Busy& action,
                     std::span<const Candidates> producers) {
  const auto own = [&action](std::int32_t device) { return device == action.device; };
  if (choose(producers, action.startNs, step, own).span != nullptr) return {AwaitKind::Nothing};
  const Chosen producer =
      choose(producers, action.startNs, step, [&own](std::int32_t device) { return !own(device); });
  if (producer.span == nullptr) return {AwaitKind::Unknown};
  const TimeNs endNs = producer.span->endNs;
  return {AwaitKind::Tensor, {endNs, endNs, producer.device, producer.span->event, -1}};
}

}  // namespace

AwaitAnswer awaitedBy(const TraceIndex& index, const trace::Step& step, const Busy& action) {
  const trace::Trace& trace = index.trace();
  const Category category = trace.categories()[action.event];
  const bool forward = category == Category::Forward;
  const bool backward = category == Category::Backward || category == Category::BackwardInput;
  if (!forward && !backward) {
    const bool staged = index.device(static_cast<std::size_t>(action.device)).anyStage;
    const bool own = action.cause != Cause::Compute && staged;
    return {own ? AwaitKind::Nothing : AwaitKind::Unknown};
  }
  const std::int32_t stage = trace.stages()[action.event];
  const std::int32_t microBatch = trace.microBatches()[action.event];
  if (stage < 0) return {AwaitKind::Unknown};
  const std::int32_t from = stage + (forward ? -1 : 1);
  const std::span<const Candidates> producers = index.producers({forward, from, microBatch});
  const Chosen receive = choose(index.receives({forward, stage, microBatch}), action.startNs, step,
                                [&action](std::int32_t device) { return device == action.device; });
  if (receive.span != nullptr) {
    return {AwaitKind::Tensor, received(trace, step, receive, producers)};
  }
  const AwaitAnswer answer = produced(step, action, producers);
  const bool expected = forward ? from >= 0 : index.stageExists(from);
  return answer.kind == AwaitKind::Unknown && !expected ? AwaitAnswer{AwaitKind::Nothing} : answer;
}

std::int32_t lastReplicaOf(const trace::Trace& trace, std::int64_t event) {
  const auto index = static_cast<std::size_t>(event);
  if (event < 0 || trace.categories()[index] != Category::Reduce) return -1;
  const trace::Transfer* const transfer = trace.transferOf(index);
  return transfer == nullptr ? -1 : transfer->peer;
}

Cause busyCause(Category category) {
  switch (category) {
    case Category::Forward:
    case Category::Loss: return Cause::Forward;
    case Category::Backward: return Cause::Backward;
    case Category::BackwardInput: return Cause::BackwardInput;
    case Category::BackwardWeight: return Cause::BackwardWeight;
    case Category::Optimizer: return Cause::Optimizer;
    default: return Cause::Compute;
  }
}

const Cover& computeOf(const DeviceCovers& covers, const trace::Step& step) {
  if (covers.actions.touches(step.startNs, step.endNs)) return covers.actions;
  return covers.kernels.touches(step.startNs, step.endNs) ? covers.kernels : covers.operators;
}

}  // namespace stagelane::analysis::detail
