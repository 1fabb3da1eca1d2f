#include <algorithm>
#include <array>

#include "profiler/analysis/detail/step_events.h"
#include "profiler/analysis/idle.h"

namespace stagelane::analysis {
namespace {

using detail::AwaitAnswer;
using detail::Awaited;
using detail::AwaitKind;
using detail::DeviceEvents;
using detail::Span;
using detail::StepEvents;

constexpr std::array<std::string_view, kCauseCount> kWords = {
    "forward", "backward",     "backward_input", "backward_weight", "optimizer",
    "warmup",  "drain",        "tail",           "starved",         "transfer",
    "host",    "unattributed", "compute"};

/// Lays pieces one after another, so that they tile the step whatever the events are.
class Tiler {
 public:
  Tiler(DeviceStep& out, TimeNs startNs) : m_out(out), m_cursor(startNs) {}

  [[nodiscard]] TimeNs cursor() const { return m_cursor; }

  /// Fills from the cursor to `endNs`; does nothing when the cursor is there already.
  void fill(TimeNs endNs, Cause cause, std::int64_t event = -1, std::int32_t blamed = -1) {
    if (endNs <= m_cursor) {
      return;
    }
    m_out.pieces.push_back({m_cursor, endNs, cause, blamed, event});
    m_out.causeNs[static_cast<std::size_t>(cause)] += endNs - m_cursor;
    m_cursor = endNs;
  }

 private:
  DeviceStep& m_out;
  TimeNs m_cursor;
};

/// Goes through sorted, possibly overlapping spans once, as the cursor of a Tiler moves on.
class Explanation {
 public:
  Explanation(const std::vector<Span>& spans, Cause cause) : m_spans(spans), m_cause(cause) {}

  /// Fills to `endNs`: `m_cause` while a span runs, `otherwise(until)` in between.
  template <class Otherwise>
  void fill(Tiler& tiler, TimeNs endNs, Otherwise otherwise) {
    while (tiler.cursor() < endNs) {
      const Span* const span = nextAfter(tiler.cursor());
      if (span == nullptr || span->startNs >= endNs) {
        otherwise(endNs);
        return;
      }
      if (span->startNs > tiler.cursor()) {
        otherwise(span->startNs);
      }
      tiler.fill(std::min(span->endNs, endNs), m_cause, span->event);
    }
  }

 private:
  /// The first span, in order of start, that ends after `timeNs`.
  const Span* nextAfter(TimeNs timeNs) {
    while (m_next < m_spans.size() && m_spans[m_next].endNs <= timeNs) {
      ++m_next;
    }
    return m_next < m_spans.size() ? &m_spans[m_next] : nullptr;
  }

  const std::vector<Span>& m_spans;
  Cause m_cause;
  std::size_t m_next = 0;
};

/// Cuts the waits between a device's compute.
class Waits {
 public:
  Waits(const trace::Trace& trace, const StepEvents& events, const DeviceEvents& device)
      : m_trace(trace),
        m_events(events),
        m_reduces(device.reduces, Cause::TransferWait),
        m_copies(device.copies, Cause::TransferWait),
        m_syncs(device.syncs, Cause::Host) {}

  /// Fills from the cursor to the start of `action`.
  void fill(Tiler& tiler, const Span& action) {
    const TimeNs endNs = action.startNs;
    const AwaitAnswer answer = detail::awaitedBy(m_trace, m_events, action);
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
    m_reduces.fill(tiler, endNs, [&tiler, &action](TimeNs untilNs) {
      tiler.fill(untilNs, Cause::Host, action.event);
    });
  }

 private:
  void fillUnknown(Tiler& tiler, TimeNs endNs) {
    m_copies.fill(tiler, endNs, [this, &tiler](TimeNs copyNs) {
      m_syncs.fill(tiler, copyNs,
                   [&tiler](TimeNs syncNs) { tiler.fill(syncNs, Cause::Unattributed); });
    });
  }

  const trace::Trace& m_trace;
  const StepEvents& m_events;
  Explanation m_reduces;
  Explanation m_copies;
  Explanation m_syncs;
};

void sumBlame(DeviceStep& device) {
  for (const Piece& piece : device.pieces) {
    if (piece.cause != Cause::Starved) {
      continue;
    }
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

struct StepEnds {
  TimeNs lastComputeNs = 0;  ///< over all devices
  TimeNs endNs = 0;
};

DeviceStep breakDownDevice(const trace::Trace& trace, const StepEvents& events,
                           std::size_t deviceIndex, TimeNs startNs, const StepEnds& ends) {
  const DeviceEvents& device = events.devices[deviceIndex];
  DeviceStep out;
  out.device = static_cast<std::int32_t>(deviceIndex);
  Tiler tiler(out, startNs);
  Waits waits(trace, events, device);
  bool begun = false;
  for (const Span& span : device.compute) {
    if (begun && span.startNs > tiler.cursor()) {
      waits.fill(tiler, span);
    }
    if (span.empty()) {
      continue;
    }
    if (!begun) {
      tiler.fill(span.startNs, Cause::Warmup);
      begun = true;
    }
    tiler.fill(span.endNs, span.cause, span.event);
  }
  tiler.fill(ends.lastComputeNs, begun ? Cause::Drain : Cause::Warmup);
  tiler.fill(ends.endNs, Cause::Tail);
  sumBlame(out);
  return out;
}

/// Zero-length compute after the device's last busy moment does not end its drain later.
void dropTrailingEmpty(std::vector<Span>& compute) {
  while (!compute.empty() && compute.back().empty()) {
    compute.pop_back();
  }
}

}  // namespace

std::string_view word(Cause cause) { return kWords[static_cast<std::size_t>(cause)]; }

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

StepBreakdown breakDown(const trace::Trace& trace, const trace::Step& step) {
  StepBreakdown breakdown;
  breakdown.step = step;
  StepEvents events = detail::collect(trace, step);
  StepEnds ends{step.startNs, step.endNs};
  for (DeviceEvents& device : events.devices) {
    dropTrailingEmpty(device.compute);
    for (const Span& span : device.compute) {
      ends.lastComputeNs = std::max(ends.lastComputeNs, span.endNs);
    }
  }
  for (std::size_t index = 0; index < events.devices.size(); ++index) {
    breakdown.devices.push_back(breakDownDevice(trace, events, index, step.startNs, ends));
  }
  return breakdown;
}

}  // namespace stagelane::analysis
