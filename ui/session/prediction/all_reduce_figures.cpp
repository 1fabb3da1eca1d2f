#include "ui/session/prediction/all_reduce_figures.h"

#include <algorithm>

namespace stagelane::ui {
namespace {

/// What each replica sends and receives, as the bytes of the gradients that it sums.
/// @source the ring of predict/all_reduce.h: 2(n−1)/n of the bytes in each direction
Bytes gradientsOf(const schedule::StageRows& rows, const predict::PlanCosts& costs) {
  double bytes = 0.0;
  for (int stage = 0; stage < rows.stages(); ++stage) {
    const double replicas = rows.replicas(stage);
    if (replicas < 2.0) continue;
    bytes += static_cast<double>(costs.stage[static_cast<std::size_t>(stage)].front().reduceBytes) *
             replicas / (4.0 * (replicas - 1.0));
  }
  return static_cast<Bytes>(bytes);
}

/// The last bucket is closed by the end of the backward, so something is always exposed.
TimeNs hiddenNs(const predict::AllReduceCost& buckets) {
  const double hidden = buckets.hiddenPct / 100.0;
  return hidden > 0.0 && hidden < 1.0
             ? static_cast<TimeNs>(static_cast<double>(buckets.exposedNs) * hidden / (1.0 - hidden))
             : 0;
}

AllReduceFigures figuresOf(const PlanPrediction& prediction, int row) {
  AllReduceFigures figures;
  figures.row = row;
  for (const AllReducePiece& piece : allReducePieces(prediction, row)) {
    const TimeNs ns = piece.endNs - piece.startNs;
    figures.allNs += ns;
    if (piece.exposed) figures.exposedNs += ns;
  }
  return figures;
}

/// The parts of [from, to) in which the row only waits for the transfer.
void addPieces(const PlanPrediction& prediction, const AllReducePiece& whole, int row,
               std::vector<AllReducePiece>& pieces) {
  const auto index = static_cast<std::size_t>(row);
  TimeNs at = whole.startNs;
  const auto add = [&](TimeNs end, bool exposed) {
    if (end > at) pieces.push_back({whole.stage, at, end, exposed});
    at = std::max(at, end);
  };
  if (index < prediction.breakdown.devices.size()) {
    const TimeNs origin = prediction.breakdown.step.startNs;
    for (const analysis::Piece& piece : prediction.breakdown.devices[index].pieces) {
      if (piece.cause != analysis::Cause::TransferWait) continue;
      const TimeNs from = std::clamp(piece.startNs - origin, whole.startNs, whole.endNs);
      const TimeNs to = std::clamp(piece.endNs - origin, whole.startNs, whole.endNs);
      if (to <= from) continue;
      add(from, false);
      add(to, true);
    }
  }
  add(whole.endNs, false);
}

}  // namespace

std::vector<AllReducePiece> allReducePieces(const PlanPrediction& prediction, int row) {
  const auto index = static_cast<std::size_t>(row);
  const auto& actions = prediction.schedule.actions[index];
  const auto& played = prediction.simulation.actions[index];
  const auto& buckets = prediction.costs.allReduce;
  std::vector<AllReducePiece> pieces;
  for (std::size_t at = 0; at < actions.size(); ++at) {
    if (actions[at].kind != ActionKind::Reduce) continue;
    const AllReducePiece whole{actions[at].stage.value, played[at].start, played[at].end, false};
    if (const TimeNs hidden = buckets ? hiddenNs(*buckets) : 0; hidden > 0) {
      pieces.push_back(
          {whole.stage, std::max<TimeNs>(0, whole.startNs - hidden), whole.startNs, false});
    }
    addPieces(prediction, whole, row, pieces);
  }
  return pieces;
}

std::optional<AllReduceFigures> allReduceOf(const PlanPrediction& prediction) {
  const schedule::StageRows& rows = prediction.schedule.source.rows;
  if (rows.areSingle()) return std::nullopt;
  std::optional<AllReduceFigures> longest;
  for (int row = 0; row < static_cast<int>(prediction.schedule.actions.size()); ++row) {
    const AllReduceFigures figures = figuresOf(prediction, row);
    const bool longer = !longest || figures.exposedNs > longest->exposedNs ||
                        (figures.exposedNs == longest->exposedNs && figures.allNs > longest->allNs);
    if (figures.allNs > 0 && longer) longest = figures;
  }
  if (!longest) return longest;
  const auto& buckets = prediction.costs.allReduce;
  longest->bytes = buckets ? buckets->bytes : gradientsOf(rows, prediction.costs);
  return longest;
}

}  // namespace stagelane::ui
