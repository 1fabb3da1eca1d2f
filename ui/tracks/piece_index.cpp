#include "ui/tracks/piece_index.h"

#include <algorithm>
#include <cmath>

namespace stagelane::ui {
namespace {

constexpr std::size_t kPiecesABlock = 64;

}  // namespace

PieceIndex::PieceIndex(const std::vector<analysis::Piece>& pieces) {
  std::array<std::uint8_t, analysis::kCauseCount> slots{};
  for (const analysis::Piece& piece : pieces) {
    std::uint8_t& slot = slots[static_cast<std::size_t>(piece.cause)];
    if (slot != 0 || analysis::isBusy(piece.cause)) continue;
    m_causes.push_back(piece.cause);
    slot = static_cast<std::uint8_t>(m_causes.size());
  }
  const std::size_t width = m_causes.size() + 1;
  m_end.reserve(pieces.size());
  m_slot.reserve(pieces.size());
  m_blockEnd.reserve(pieces.size() / kPiecesABlock + 1);
  m_before.reserve((pieces.size() / kPiecesABlock + 2) * width);
  if (!pieces.empty()) m_startNs = pieces.front().startNs;
  std::vector<TimeNs> sums(width, 0);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i % kPiecesABlock == 0) m_before.insert(m_before.end(), sums.begin(), sums.end());
    const analysis::Piece& piece = pieces[i];
    m_slot.push_back(slots[static_cast<std::size_t>(piece.cause)]);
    sums[m_slot.back()] += piece.endNs - piece.startNs;
    m_end.push_back(piece.endNs);
    if ((i + 1) % kPiecesABlock == 0 || i + 1 == pieces.size()) m_blockEnd.push_back(piece.endNs);
  }
  m_before.insert(m_before.end(), sums.begin(), sums.end());
}

std::size_t PieceCursor::endingAfter(double timeNs) {
  const TimeNs limit = m_zeroNs + static_cast<TimeNs>(std::floor(timeNs));
  goToBlock(limit);
  std::size_t at = m_block * kPiecesABlock;
  const std::size_t all = m_index->m_end.size();
  std::size_t count = std::min(kPiecesABlock, all - std::min(at, all));
  // Branchless bisection: the decisions are unpredictable for the processor.
  const TimeNs* const ends = m_index->m_end.data();
  while (count > 0) {
    const std::size_t half = count / 2;
    const bool ended = ends[at + half] <= limit;
    at = ended ? at + half + 1 : at;
    count = ended ? count - half - 1 : half;
  }
  return std::min(at, all);
}

/// The first block that ends after `limitNs`, searched in growing steps from the last answer.
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

std::size_t PieceCursor::sumBefore(double timeNs, SlotSums& sums) {
  const std::size_t at = endingAfter(timeNs);
  const std::size_t width = m_index->m_causes.size() + 1;
  std::copy_n(m_index->m_before.begin() + static_cast<std::ptrdiff_t>(m_block * width), width,
              sums.begin());
  const std::size_t first = m_block * kPiecesABlock;
  TimeNs fromNs = m_block == 0 ? m_index->m_startNs : m_index->m_blockEnd[m_block - 1];
  for (std::size_t i = first; i < at; ++i) {
    sums[m_index->m_slot[i]] += m_index->m_end[i] - fromNs;
    fromNs = m_index->m_end[i];
  }
  return at;
}

/// The part of the piece at an index that is before a time.
double PieceCursor::begunNs(std::size_t at, double timeNs) const {
  const TimeNs startNs = at == 0 ? m_index->m_startNs : m_index->m_end[at - 1];
  return std::max(0.0, timeNs - static_cast<double>(startNs - m_zeroNs));
}

double PieceCursor::busyBeforeNs(double timeNs) {
  SlotSums sums{};
  const std::size_t at = sumBefore(timeNs, sums);
  const bool busy = at < m_index->m_end.size() && m_index->m_slot[at] == 0;
  return static_cast<double>(sums[0]) + (busy ? begunNs(at, timeNs) : 0.0);
}

IdleSums PieceCursor::idleBeforeNs(double timeNs) {
  SlotSums sums{};
  const std::size_t at = sumBefore(timeNs, sums);
  IdleSums idle{};
  const std::size_t under = at < m_index->m_end.size() ? m_index->m_slot[at] : 0;
  for (std::size_t i = 0; i < m_index->m_causes.size(); ++i) {
    const double begun = under == i + 1 ? begunNs(at, timeNs) : 0.0;
    idle[static_cast<std::size_t>(m_index->m_causes[i])] = static_cast<double>(sums[i + 1]) + begun;
  }
  return idle;
}

}  // namespace stagelane::ui
