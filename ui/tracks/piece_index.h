#pragma once

/// The pieces of a device's step by time: which one is there, and how long the device was busy or
/// idle for each cause before it. Immutable once built, for any thread. Knows nothing of pixels; a
/// walk from left to right is quickest with a PieceCursor.

#include <array>
#include <vector>

#include "profiler/analysis/idle.h"

namespace stagelane::ui {

/// Time by cause, in ns; only idle causes are filled.
using IdleSums = std::array<double, analysis::kCauseCount>;

class PieceIndex {
 public:
  /// @pre the pieces tile a stretch of time
  explicit PieceIndex(const std::vector<analysis::Piece>& pieces);
  /// The idle causes that occur, each once.
  [[nodiscard]] const std::vector<analysis::Cause>& idleCauses() const { return m_causes; }

 private:
  friend class PieceCursor;
  TimeNs m_startNs = 0;                   ///< of the first piece
  std::vector<TimeNs> m_end;              ///< of each piece
  std::vector<std::uint8_t> m_slot;       ///< of each piece: 0 busy, else 1 + place in m_causes
  std::vector<TimeNs> m_blockEnd;         ///< of the last piece of each block
  std::vector<TimeNs> m_before;           ///< each block, by slot; the last one is all of it
  std::vector<analysis::Cause> m_causes;  ///< idle ones that occur
};

/// Keeps its place, so that what comes soon after is found soon. Times are relative to `zeroNs`, so
/// that a double never loses a nanosecond.
class PieceCursor {
 public:
  /// @pre `index` outlives the cursor
  PieceCursor(const PieceIndex& index, TimeNs zeroNs) : m_index(&index), m_zeroNs(zeroNs) {}

  /// The first piece that ends after `timeNs`; their number for none.
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
  /// Whole pieces before `timeNs`, by slot. @returns the place of the piece that is under way
  std::size_t sumBefore(double timeNs, SlotSums& sums);
  [[nodiscard]] double begunNs(std::size_t at, double timeNs) const;

  const PieceIndex* m_index;
  TimeNs m_zeroNs;
  std::size_t m_block = 0;
};

}  // namespace stagelane::ui
