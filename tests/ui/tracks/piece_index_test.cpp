#include "ui/tracks/piece_index.h"

#include <gtest/gtest.h>

#include <random>

namespace stagelane::ui {
namespace {

using analysis::Cause;
using analysis::Piece;

constexpr Cause kCauses[] = {Cause::Forward, Cause::Backward, Cause::Starved, Cause::Warmup};

/// Busy and idle pieces of random lengths, some of none, that touch.
std::vector<Piece> randomPieces(std::size_t count, TimeNs startNs, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < count; ++i) {
    const TimeNs length = random() % 4 == 0 ? 0 : static_cast<TimeNs>(random() % 50);
    pieces.push_back(
        {.startNs = startNs, .endNs = startNs + length, .cause = kCauses[random() % 4]});
    startNs += length;
  }
  return pieces;
}

std::size_t slowly(const std::vector<Piece>& pieces, TimeNs zeroNs, double timeNs) {
  std::size_t at = 0;
  while (at < pieces.size() && static_cast<double>(pieces[at].endNs - zeroNs) <= timeNs) ++at;
  return at;
}

double busySlowly(const std::vector<Piece>& pieces, TimeNs zeroNs, double timeNs) {
  double sum = 0.0;
  for (const Piece& piece : pieces) {
    const double from = static_cast<double>(piece.startNs - zeroNs);
    const double to = std::min(timeNs, static_cast<double>(piece.endNs - zeroNs));
    if (analysis::isBusy(piece.cause) && to > from) sum += to - from;
  }
  return sum;
}

double idleSlowly(const std::vector<Piece>& pieces, TimeNs zeroNs, double timeNs, Cause cause) {
  double sum = 0.0;
  for (const Piece& piece : pieces) {
    const double from = static_cast<double>(piece.startNs - zeroNs);
    const double to = std::min(timeNs, static_cast<double>(piece.endNs - zeroNs));
    if (piece.cause == cause && to > from) sum += to - from;
  }
  return sum;
}

TEST(PieceIndex, AnswersAsALookAtEveryPieceWould) {
  // Times since 1970, as in other programs: a double alone could not distinguish these nanoseconds.
  const TimeNs zeroNs = 1'700'000'000'000'000'001;
  for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 1000U}) {
    const auto pieces = randomPieces(count, zeroNs, static_cast<unsigned>(count));
    const PieceIndex index(pieces);
    PieceCursor walking(index, zeroNs);
    for (double time = -3.5; time < 25'500.0; time += 7.25) {
      ASSERT_EQ(walking.endingAfter(time), slowly(pieces, zeroNs, time)) << count << ", " << time;
      ASSERT_DOUBLE_EQ(walking.busyBeforeNs(time), busySlowly(pieces, zeroNs, time))
          << count << ", " << time;
      const IdleSums idle = walking.idleBeforeNs(time);
      for (const Cause cause : {Cause::Starved, Cause::Warmup, Cause::Forward}) {
        const bool busy = analysis::isBusy(cause);
        ASSERT_DOUBLE_EQ(idle[static_cast<std::size_t>(cause)],
                         busy ? 0.0 : idleSlowly(pieces, zeroNs, time, cause))
            << count << ", " << time;
      }
    }
    EXPECT_EQ(walking.endingAfter(10.0), slowly(pieces, zeroNs, 10.0))
        << "and it finds its way back";
    EXPECT_EQ(PieceCursor(index, zeroNs).endingAfter(9'000.0), slowly(pieces, zeroNs, 9'000.0));
  }
}

}  // namespace
}  // namespace stagelane::ui
