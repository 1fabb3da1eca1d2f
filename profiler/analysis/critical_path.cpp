#include "profiler/analysis/critical_path.h"

#include <algorithm>

namespace stagelane::analysis::detail {
namespace {

/// Walks back from the end of the step. Every move except a jump to another device adds pieces, so
/// the pieces always cover the time from the cursor to the end.
class Walk {
 public:
  Walk(const TraceIndex& index, const StepBreakdown& breakdown)
      : m_index(index), m_breakdown(breakdown), m_cursor(breakdown.step.endNs) {
    for (std::size_t device = 0; device < index.deviceCount(); ++device) {
      m_compute.push_back(computeInStep(index, device, breakdown.step));
    }
  }

  std::vector<PathPiece> run() {
    if (m_compute.empty()) return {};
    beginAtLastCompute();
    while (m_cursor > m_breakdown.step.startNs) moveBack();
    std::reverse(m_path.begin(), m_path.end());
    return std::move(m_path);
  }

 private:
  [[nodiscard]] const std::vector<Piece>& pieces() const {
    return m_breakdown.devices[m_device].pieces;
  }

  void beginAtLastCompute() {
    TimeNs lastNs = m_breakdown.step.startNs;
    for (std::size_t device = 0; device < m_compute.size(); ++device) {
      const std::vector<Busy>& compute = m_compute[device];
      if (!compute.empty() && compute.back().endNs > lastNs && !m_index.device(device).host) {
        lastNs = compute.back().endNs;
        m_device = device;
      }
    }
    copyDownTo(lastNs, Cause::Tail);
  }

  /// Index of the piece just before the cursor.
  [[nodiscard]] std::size_t pieceAtCursor() const {
    const auto found =
        std::lower_bound(pieces().begin(), pieces().end(), m_cursor,
                         [](const Piece& piece, TimeNs timeNs) { return piece.endNs < timeNs; });
    return static_cast<std::size_t>(found - pieces().begin());
  }

  void add(TimeNs startNs, Cause cause, std::int64_t event) {
    if (startNs < m_cursor) {
      m_path.push_back({startNs, m_cursor, static_cast<std::int32_t>(m_device), cause, event});
      m_cursor = startNs;
      m_jumps = 0;
    }
  }

  /// Adds the device's pieces, with `warmup` for their warm-up.
  void copyDownTo(TimeNs limitNs, Cause warmup) {
    while (m_cursor > limitNs) {
      const Piece& piece = pieces()[pieceAtCursor()];
      add(std::max(piece.startNs, limitNs), piece.cause == Cause::Warmup ? warmup : piece.cause,
          piece.event);
    }
  }

  void moveBack() {
    const Piece& piece = pieces()[pieceAtCursor()];
    if (isBusy(piece.cause)) {
      add(piece.startNs, piece.cause, piece.event);
      return;
    }
    const std::int32_t last = lastReplicaOf(m_index.trace(), piece.event);
    if (piece.cause == Cause::TransferWait && last >= 0) {
      add(piece.startNs, piece.cause, piece.event);
      m_device = static_cast<std::size_t>(last);
      return;
    }
    const std::vector<Busy>& compute = m_compute[m_device];
    const auto next =
        std::lower_bound(compute.begin(), compute.end(), m_cursor,
                         [](const Busy& busy, TimeNs timeNs) { return busy.startNs < timeNs; });
    const TimeNs freeNs =
        next == compute.begin() ? m_breakdown.step.startNs : std::prev(next)->endNs;
    if (next == compute.end() || next->startNs != m_cursor) {
      copyDownTo(freeNs, Cause::Warmup);
      return;
    }
    const AwaitAnswer answer = awaitedBy(m_index, m_breakdown.step, *next);
    const TimeNs arrivedNs = std::min(answer.tensor.arrivedNs, m_cursor);
    if (answer.kind != AwaitKind::Tensor || arrivedNs <= freeNs) {
      copyDownTo(freeNs, answer.kind == AwaitKind::Unknown ? Cause::Warmup : Cause::Host);
      return;
    }
    followTensor(answer.tensor, arrivedNs, freeNs);
  }

  void followTensor(const Awaited& tensor, TimeNs arrivedNs, TimeNs freeNs) {
    copyDownTo(arrivedNs, Cause::Host);
    const TimeNs producedNs =
        std::max(std::min(tensor.producedNs, arrivedNs), m_breakdown.step.startNs);
    add(producedNs, Cause::TransferWait, tensor.transferEvent);
    const bool known =
        tensor.producer >= 0 && static_cast<std::size_t>(tensor.producer) < m_compute.size();
    if (known && ++m_jumps <= m_compute.size()) {
      m_device = static_cast<std::size_t>(tensor.producer);
    } else if (m_cursor > freeNs) {
      copyDownTo(freeNs, Cause::Warmup);
    }
  }

  const TraceIndex& m_index;
  const StepBreakdown& m_breakdown;
  std::vector<std::vector<Busy>> m_compute;
  std::vector<PathPiece> m_path;
  TimeNs m_cursor;
  std::size_t m_device = 0;
  std::size_t m_jumps = 0;  ///< to other devices, without time in between
};

}  // namespace

std::vector<PathPiece> criticalPath(const TraceIndex& index, const StepBreakdown& breakdown) {
  return Walk(index, breakdown).run();
}

}  // namespace stagelane::analysis::detail
