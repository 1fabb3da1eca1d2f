#include "profiler/analysis/analyzer.h"

#include <algorithm>
#include <map>

#include "profiler/analysis/breakdown.h"
#include "profiler/analysis/critical_path.h"

namespace stagelane::analysis {

struct Analyzer::Impl {
  explicit Impl(const trace::Trace& trace) : index(trace) {}
  detail::TraceIndex index;
};

Analyzer::Analyzer(const trace::Trace& trace) : m_impl(std::make_unique<Impl>(trace)) {}
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer&&) noexcept = default;
Analyzer::~Analyzer() = default;

bool Analyzer::isHost(std::size_t device) const { return m_impl->index.device(device).host; }

StepBreakdown Analyzer::breakDown(const trace::Step& step) const {
  return detail::breakDown(m_impl->index, step);
}

std::vector<PathPiece> Analyzer::criticalPath(const StepBreakdown& breakdown) const {
  return detail::criticalPath(m_impl->index, breakdown);
}

namespace {

/// Visits the pieces of a device once, for intervals in increasing order.
class BusyBefore {
 public:
  explicit BusyBefore(const std::vector<Piece>& pieces) : m_pieces(pieces) {}

  /// Busy time in [startNs, endNs). @pre startNs is not before the last call's endNs
  TimeNs in(TimeNs startNs, TimeNs endNs) {
    while (m_next < m_pieces.size() && m_pieces[m_next].endNs <= startNs) ++m_next;
    TimeNs sum = 0;
    for (std::size_t place = m_next; place < m_pieces.size(); ++place) {
      const Piece& piece = m_pieces[place];
      if (piece.startNs >= endNs) break;
      m_next = place;
      if (isBusy(piece.cause)) {
        sum += std::min(piece.endNs, endNs) - std::max(piece.startNs, startNs);
      }
    }
    return sum;
  }

 private:
  const std::vector<Piece>& m_pieces;
  std::size_t m_next = 0;
};

}  // namespace

TransferOverlap Analyzer::transferOverlap(const StepBreakdown& breakdown,
                                          std::size_t device) const {
  const trace::Step& step = breakdown.step;
  const detail::Cover& cover = m_impl->index.device(device).transfers;
  TransferOverlap overlap;
  BusyBefore busy(breakdown.devices.at(device).pieces);
  TimeNs cursor = step.startNs;
  for (std::size_t place = cover.firstIn(step.startNs, step.endNs);
       place < cover.spans().size() && cursor < step.endNs; ++place) {
    const TimeNs startNs = std::max(cover.spans()[place].startNs, cursor);
    const TimeNs endNs = std::min(cover.spans()[place].endNs, step.endNs);
    if (startNs >= step.endNs) break;
    if (endNs > startNs) {
      const TimeNs hiddenNs = busy.in(startNs, endNs);
      overlap.hiddenNs += hiddenNs;
      overlap.exposedNs += endNs - startNs - hiddenNs;
      cursor = endNs;
    }
  }
  return overlap;
}

Straggler stragglerOf(const StepBreakdown& breakdown) {
  std::map<std::int32_t, TimeNs> waited;
  for (const DeviceStep& device : breakdown.devices) {
    for (const auto& [blamed, timeNs] : device.starvedBy) {
      if (blamed >= 0 && blamed != device.device) waited[blamed] += timeNs;
    }
  }
  Straggler straggler;
  for (const auto& [device, timeNs] : waited) {
    if (timeNs > straggler.waitedNs) straggler = {device, timeNs};
  }
  return straggler;
}

TimeNs binNs(const StepBreakdown& breakdown, std::size_t bins) {
  const auto count = static_cast<TimeNs>(bins);
  const TimeNs wallNs = breakdown.wallNs();
  return std::max<TimeNs>(1, wallNs / count + (wallNs % count == 0 ? 0 : 1));
}

std::vector<TimeNs> busyInBins(const StepBreakdown& breakdown, std::size_t device,
                               std::size_t bins) {
  const TimeNs widthNs = binNs(breakdown, bins);
  std::vector<TimeNs> busy(bins, 0);
  for (const Piece& piece : breakdown.devices.at(device).pieces) {
    if (!isBusy(piece.cause)) continue;
    TimeNs cursor = piece.startNs - breakdown.step.startNs;
    const TimeNs endNs = piece.endNs - breakdown.step.startNs;
    while (cursor < endNs) {
      const TimeNs bin = cursor / widthNs;
      const TimeNs untilNs = std::min(endNs, (bin + 1) * widthNs);
      busy[static_cast<std::size_t>(bin)] += untilNs - cursor;
      cursor = untilNs;
    }
  }
  return busy;
}

}  // namespace stagelane::analysis
