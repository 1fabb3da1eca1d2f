#pragma once

/// The pieces of a device's step by time: which one is there, and how long the device was busy
/// before it. Immutable once built, for any thread. Knows nothing of pixels; a walk from left to
/// right is quickest with a PieceCursor.

#include <vector>

#include "profiler/analysis/idle.h"

namespace stagelane::ui {

class PieceIndex {
 public:
  explicit PieceIndex(const std::vector<analysis::Piece>& pieces);

 private:
  friend class PieceCursor;
  std::vector<TimeNs> m_end;         ///< of each piece
  std::vector<TimeNs> m_blockEnd;    ///< of the last piece of each block
  std::vector<TimeNs> m_busyBefore;  ///< each block; the last one is all of it
};

/// Keeps its place, so that what comes soon after is found soon. Times are relative to `zeroNs`, so
/// that a double never loses a nanosecond.
class PieceCursor {
 public:
  /// @pre `index` is of `pieces`; both outlive the cursor
  PieceCursor(const std::vector<analysis::Piece>& pieces, const PieceIndex& index, TimeNs zeroNs)
      : m_pieces(&pieces), m_index(&index), m_zeroNs(zeroNs) {}

  /// The first piece that ends after `timeNs`; their number for none.
  [[nodiscard]] std::size_t endingAfter(double timeNs);
  /// Busy time before `timeNs`.
  [[nodiscard]] double busyBeforeNs(double timeNs);

 private:
  void goToBlock(TimeNs limitNs);

  const std::vector<analysis::Piece>* m_pieces;
  const PieceIndex* m_index;
  TimeNs m_zeroNs;
  std::size_t m_block = 0;
};

}  // namespace stagelane::ui
