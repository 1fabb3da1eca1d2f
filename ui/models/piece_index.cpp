#include "ui/models/piece_index.h"

#include <algorithm>
#include <cmath>

namespace stagelane::ui {
namespace {

constexpr std::size_t kPiecesABlock = 64;

}  // namespace

PieceIndex::PieceIndex(const std::vector<analysis::Piece>& pieces) {
  m_end.reserve(pieces.size());
  m_blockEnd.reserve(pieces.size() / kPiecesABlock + 1);
  m_busyBefore.reserve(pieces.size() / kPiecesABlock + 2);
  TimeNs busyNs = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i % kPiecesABlock == 0) m_busyBefore.push_back(busyNs);
    const analysis::Piece& piece = pieces[i];
    if (analysis::isBusy(piece.cause)) busyNs += piece.endNs - piece.startNs;
    m_end.push_back(piece.endNs);
    if ((i + 1) % kPiecesABlock == 0 || i + 1 == pieces.size()) m_blockEnd.push_back(piece.endNs);
  }
  m_busyBefore.push_back(busyNs);
}

std::size_t PieceCursor::endingAfter(double timeNs) {
  const TimeNs limit = m_zeroNs + static_cast<TimeNs>(std::floor(timeNs));
  goToBlock(limit);
  std::size_t at = m_block * kPiecesABlock;
  std::size_t count = std::min(kPiecesABlock, m_pieces->size() - std::min(at, m_pieces->size()));
  // Halves without decisions that a processor would have to guess.
  const TimeNs* const ends = m_index->m_end.data();
  while (count > 0) {
    const std::size_t half = count / 2;
    const bool ended = ends[at + half] <= limit;
    at = ended ? at + half + 1 : at;
    count = ended ? count - half - 1 : half;
  }
  return std::min(at, m_pieces->size());
}

/// The first block whose last piece ends after `limitNs`, from that of the last question on in
/// growing steps.
void PieceCursor::goToBlock(TimeNs limitNs) {
  const std::vector<TimeNs>& ends = m_index->m_blockEnd;
  std::size_t low = m_block > 0 && ends[m_block - 1] <= limitNs ? m_block : 0;
  std::size_t step = 1;
  while (low + step <= ends.size() && ends[low + step - 1] <= limitNs) {
    low += step;
    step *= 2;
  }
  const auto begin = ends.begin() + static_cast<std::ptrdiff_t>(low);
  const auto end = ends.begin() + static_cast<std::ptrdiff_t>(std::min(low + step, ends.size()));
  m_block = static_cast<std::size_t>(std::upper_bound(begin, end, limitNs) - ends.begin());
}

double PieceCursor::busyBeforeNs(double timeNs) {
  const std::size_t at = endingAfter(timeNs);
  if (at == m_pieces->size()) return static_cast<double>(m_index->m_busyBefore.back());
  TimeNs busyNs = m_index->m_busyBefore[m_block];
  for (std::size_t i = m_block * kPiecesABlock; i < at; ++i) {
    const analysis::Piece& piece = (*m_pieces)[i];
    if (analysis::isBusy(piece.cause)) busyNs += piece.endNs - piece.startNs;
  }
  const analysis::Piece& piece = (*m_pieces)[at];
  const auto start = static_cast<double>(piece.startNs - m_zeroNs);
  const bool begun = analysis::isBusy(piece.cause) && timeNs > start;
  return static_cast<double>(busyNs) + (begun ? timeNs - start : 0.0);
}

}  // namespace stagelane::ui
