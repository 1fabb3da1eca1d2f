#include "profiler/analysis/breakdown.h"

#include <algorithm>

#include "profiler/analysis/awaited.h"

namespace stagelane::analysis {
namespace {

using detail::AwaitAnswer;
using detail::Awaited;
using detail::AwaitKind;
using detail::Busy;
using detail::Cover;
using detail::DeviceCovers;
using detail::Span;
using detail::TraceIndex;

/// Appends pieces so that they always tile the step.
class Tiler {
 public:
  Tiler(DeviceStep& out, TimeNs startNs) : m_out(out), m_cursor(startNs) {}

  [[nodiscard]] TimeNs cursor() const { return m_cursor; }

  /// Fills from the cursor to `endNs`; does nothing if the cursor is at or after it.
  void fill(TimeNs endNs, Cause cause, std::int64_t event = -1, std::int32_t blamed = -1) {
    if (endNs <= m_cursor) return;
    m_out.pieces.push_back({m_cursor, endNs, cause, blamed, event});
    m_out.causeNs[static_cast<std::size_t>(cause)] += endNs - m_cursor;
    m_cursor = endNs;
  }

 private:
  DeviceStep& m_out;
  TimeNs m_cursor;
};

/// Visits a cover once as the cursor of a Tiler advances.
class Explanation {
 public:
  Explanation(const Cover& cover, Cause cause, TimeNs startNs)
      : m_cover(cover), m_cause(cause), m_next(cover.firstAfter(startNs)) {}

  /// Fills to `endNs`: the cause inside intervals, between them `otherwise(until, event)` with the
  /// event of the next interval, or -1.
  template <class Otherwise>
  void fill(Tiler& tiler, TimeNs endNs, Otherwise otherwise) {
    const std::vector<Span>& spans = m_cover.spans();
    while (tiler.cursor() < endNs) {
      while (m_next < spans.size() && spans[m_next].endNs <= tiler.cursor()) ++m_next;
      if (m_next == spans.size() || spans[m_next].startNs >= endNs) {
        otherwise(endNs, -1);
        return;
      }
      const Span& span = spans[m_next];
      if (span.startNs > tiler.cursor()) otherwise(span.startNs, span.event);
      tiler.fill(std::min(span.endNs, endNs), m_cause, span.event);
    }
  }

 private:
  const Cover& m_cover;
  Cause m_cause;
  std::size_t m_next;
};

/// Splits the waits between a device's compute by cause.
class Waits {
 public:
  Waits(const TraceIndex& index, const trace::Step& step, const DeviceCovers& device)
      : m_index(index),
        m_step(step),
        m_reduces(device.reduces, Cause::TransferWait, step.startNs),
        m_copies(device.copies, Cause::TransferWait, step.startNs),
        m_syncs(device.syncs, Cause::Starved, step.startNs) {}

  /// Fills from the cursor to the start of `action`.
  void fill(Tiler& tiler, const Busy& action) {
    const TimeNs endNs = action.startNs;
    const AwaitAnswer answer = detail::awaitedBy(m_index, m_step, action);
    if (answer.kind == AwaitKind::Unknown) {
      fillUnknown(tiler, endNs);
      return;
    }
    if (answer.kind == AwaitKind::Tensor) {
      const Awaited& tensor = answer.tensor;
      tiler.fill(std::min(tensor.producedNs, endNs), Cause::Starved, tensor.producerEvent,
                 tensor.producer);
      tiler.fill(std::min(tensor.arrivedNs, endNs), Cause::TransferWait, tensor.transferEvent);
    }
    m_reduces.fill(tiler, endNs, [&](TimeNs untilNs, std::int64_t reduce) {
      const std::int32_t last = detail::lastReplicaOf(m_index.trace(), reduce);
      if (last < 0) return tiler.fill(untilNs, Cause::Host, action.event);
      tiler.fill(untilNs, Cause::Starved, -1, last);
    });
  }

 private:
  void fillUnknown(Tiler& tiler, TimeNs endNs) {
    m_copies.fill(tiler, endNs, [this, &tiler](TimeNs copyNs, std::int64_t) {
      m_syncs.fill(tiler, copyNs, [&tiler](TimeNs syncNs, std::int64_t) {
        tiler.fill(syncNs, Cause::Unattributed);
      });
    });
  }

  const TraceIndex& m_index;
  const trace::Step& m_step;
  Explanation m_reduces;
  Explanation m_copies;
  Explanation m_syncs;
};

void sumBlame(DeviceStep& device) {
  for (const Piece& piece : device.pieces) {
    if (piece.cause != Cause::Starved) continue;
    auto found = std::find_if(device.starvedBy.begin(), device.starvedBy.end(),
                              [&piece](const auto& entry) { return entry.first == piece.blamed; });
    if (found == device.starvedBy.end()) {
      device.starvedBy.emplace_back(piece.blamed, 0);
      found = device.starvedBy.end() - 1;
    }
    found->second += piece.endNs - piece.startNs;
  }
  std::sort(device.starvedBy.begin(), device.starvedBy.end());
}

DeviceStep breakDownDevice(const TraceIndex& index, const trace::Step& step,
                           const std::vector<Busy>& compute, std::size_t device,
                           TimeNs lastComputeNs) {
  DeviceStep out;
  out.device = static_cast<std::int32_t>(device);
  Tiler tiler(out, step.startNs);
  Waits waits(index, step, index.device(device));
  bool begun = false;
  for (const Busy& busy : compute) {
    if (begun && busy.startNs > tiler.cursor()) waits.fill(tiler, busy);
    if (busy.startNs >= busy.endNs) continue;
    if (!begun) {
      tiler.fill(busy.startNs, Cause::Warmup);
      begun = true;
    }
    tiler.fill(busy.endNs, busy.cause, busy.event);
  }
  tiler.fill(lastComputeNs, begun ? Cause::Drain : Cause::Warmup);
  tiler.fill(step.endNs, Cause::Tail);
  sumBlame(out);
  return out;
}

}  // namespace

TimeNs DeviceStep::busyNs() const {
  TimeNs sum = 0;
  for (std::size_t index = 0; index < kCauseCount; ++index) {
    sum += isBusy(static_cast<Cause>(index)) ? causeNs[index] : 0;
  }
  return sum;
}

TimeNs DeviceStep::idleNs() const {
  TimeNs sum = 0;
  for (std::size_t index = 0; index < kCauseCount; ++index) {
    sum += isBusy(static_cast<Cause>(index)) ? 0 : causeNs[index];
  }
  return sum;
}

namespace detail {

std::vector<Busy> computeInStep(const TraceIndex& index, std::size_t device,
                                const trace::Step& step) {
  std::vector<Busy> compute;
  const Cover& cover = computeOf(index.device(device), step);
  std::size_t lastBusy = 0;
  for (std::size_t place = cover.firstIn(step.startNs, step.endNs);
       place < cover.spans().size() && cover.spans()[place].startNs < step.endNs; ++place) {
    const Span& span = cover.spans()[place];
    compute.push_back({std::max(span.startNs, step.startNs), std::min(span.endNs, step.endNs),
                       span.event, static_cast<std::int32_t>(device),
                       busyCause(index.trace().categories()[span.event])});
    lastBusy = span.empty() ? lastBusy : compute.size();
    if (span.endNs >= step.endNs) break;
  }
  compute.resize(lastBusy);  // zero-length compute at the end does not delay the drain
  return compute;
}

StepBreakdown breakDown(const TraceIndex& index, const trace::Step& step) {
  StepBreakdown breakdown;
  breakdown.step = step;
  std::vector<std::vector<Busy>> compute;
  TimeNs lastComputeNs = step.startNs;
  for (std::size_t device = 0; device < index.deviceCount(); ++device) {
    compute.push_back(computeInStep(index, device, step));
    if (!compute.back().empty() && !index.device(device).host) {
      lastComputeNs = std::max(lastComputeNs, compute.back().back().endNs);
    }
  }
  for (std::size_t device = 0; device < index.deviceCount(); ++device) {
    breakdown.devices.push_back(
        breakDownDevice(index, step, compute[device], device, lastComputeNs));
    breakdown.devices.back().host = index.device(device).host;
  }
  return breakdown;
}

}  // namespace detail

StepBreakdown breakDown(const trace::Trace& trace, const trace::Step& step) {
  return detail::breakDown(TraceIndex(trace), step);
}

}  // namespace stagelane::analysis
