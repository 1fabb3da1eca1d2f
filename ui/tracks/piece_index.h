#pragma once

/// Index of the pieces of a device's step by time: the piece at a time, and busy time and idle time
/// by cause before it. Immutable once built, for any thread. Independent of pixels. Use a
/// PieceCursor for scans from left to right.

#include <array>
#include <vector>

#include "profiler/analysis/idle.h"

namespace stagelane::ui {

/// Time by cause in ns; only idle causes are set.
using IdleSums = std::array<double, analysis::kCauseCount>;

class PieceIndex {
 public:
  /// @pre the pieces cover a stretch of time without gaps
  explicit PieceIndex(const std::vector<analysis::Piece>& pieces);
  /// The idle causes that occur, each once.
  [[nodiscard]] const std::vector<analysis::Cause>& idleCauses() const { return m_causes; }

 private:
  friend class PieceCursor;
  TimeNs m_startNs = 0;              ///< start of the first piece
  std::vector<TimeNs> m_end;         ///< of each piece
  std::vector<std::uint8_t> m_slot;  ///< of each piece: 0 busy, else 1 + index in m_causes
  std::vector<TimeNs> m_blockEnd;    ///< of the last piece of each block
  std::vector<TimeNs> m_before;      ///< before each block, by slot; the last entry is the total
  std::vector<analysis::Cause> m_causes;  ///< idle ones that occur
};

/// Keeps its position, so that ascending queries are fast. Times are relative to `zeroNs` so that a
/// double never loses a nanosecond.
class PieceCursor {
 public:
  /// @pre `index` outlives the cursor
  PieceCursor(const PieceIndex& index, TimeNs zeroNs) : m_index(&index), m_zeroNs(zeroNs) {}

  /// Index of the first piece that ends after `timeNs`; the number of pieces for none.
  [[nodiscard]] std::size_t endingAfter(double timeNs);
  /// Busy time before `timeNs`.
  [[nodiscard]] double busyBeforeNs(double timeNs);
  /// Idle time before `timeNs`, by cause.
  [[nodiscard]] IdleSums idleBeforeNs(double timeNs);
  [[nodiscard]] const std::vector<analysis::Cause>& idleCauses() const {
    return m_index->idleCauses();
  }

 private:
  using SlotSums = std::array<TimeNs, analysis::kCauseCount + 1>;
  void goToBlock(TimeNs limitNs);
  /// Whole pieces before `timeNs`, by slot. @returns the index of the piece at `timeNs`
  std::size_t sumBefore(double timeNs, SlotSums& sums);
  [[nodiscard]] double begunNs(std::size_t at, double timeNs) const;

  const PieceIndex* m_index;
  TimeNs m_zeroNs;
  std::size_t m_block = 0;
};

}  // namespace stagelane::ui
