// The proven lower bound of a step over all orders.

#include <algorithm>
#include <vector>

#include "engine/search/synthesis.h"
#include "engine/search/workload.h"

namespace stagelane::search {
namespace {

/// Minimum durations over micro-batches, per stage, and the earliest times along the chain.
struct Chain {
  std::vector<TimeNs> forward;   ///< shortest F
  std::vector<TimeNs> input;     ///< shortest I or B: produces the gradient
  std::vector<TimeNs> arrival;   ///< earliest start of the stage's first F
  std::vector<TimeNs> gradient;  ///< from the end of a stage's F to the start of its I or B
  std::vector<TimeNs> after;     ///< from the end of a stage's I to the end of stage 0's backward
};

TimeNs hop(const Workload& workload, int from, bool forward, int microBatch) {
  const int to = from + (forward ? 1 : -1);
  if (workload.row(from) == workload.row(to)) return 0;
  const Workload::Cost& cost = workload.at(from, microBatch);
  return forward ? cost.sendForward : cost.sendBackward;
}

template <class Of>
TimeNs least(const Workload& workload, Of of) {
  TimeNs answer = kNever;
  for (int k = 0; k < workload.microBatches; ++k) answer = std::min(answer, of(k));
  return answer;
}

Chain chainOf(const Workload& workload) {
  const auto stages = static_cast<std::size_t>(workload.stages);
  Chain chain;
  chain.arrival.assign(stages, 0);
  chain.gradient.assign(stages, 0);
  chain.after.assign(stages, 0);
  for (int s = 0; s < workload.stages; ++s) {
    chain.forward.push_back(least(workload, [&](int k) { return workload.at(s, k).forward; }));
    chain.input.push_back(least(workload, [&](int k) {
      return std::min(workload.at(s, k).input, workload.at(s, k).backward);
    }));
  }
  for (int s = 1; s < workload.stages; ++s) {
    const auto at = static_cast<std::size_t>(s);
    const TimeNs sent = least(workload, [&](int k) { return hop(workload, s - 1, true, k); });
    const TimeNs back = least(workload, [&](int k) { return hop(workload, s, false, k); });
    chain.arrival[at] = chain.arrival[at - 1] + chain.forward[at - 1] + sent;
    const TimeNs own = s == 1 ? least(workload, [&](int k) { return workload.wholeBackward(0, k); })
                              : chain.input[at - 1];
    chain.after[at] = chain.after[at - 1] + back + own;
  }
  for (std::size_t at = stages - 1; at > 0; --at) {
    const int s = static_cast<int>(at);
    const TimeNs sent = least(workload, [&](int k) { return hop(workload, s - 1, true, k); });
    const TimeNs back = least(workload, [&](int k) { return hop(workload, s, false, k); });
    chain.gradient[at - 1] = sent + chain.forward[at] + chain.gradient[at] + chain.input[at] + back;
  }
  return chain;
}

/// Maximum time of `timeOf` that fits a row's memory limits at once: fractional knapsack over
/// forwards, densest first.
template <class TimeOf>
TimeNs mostAlive(const Workload& workload, std::size_t row, TimeOf timeOf) {
  struct Piece {
    TimeNs time;
    Bytes saved;
  };
  std::vector<Piece> pieces;
  TimeNs total = 0;
  for (const int s : workload.stagesOf[row]) {
    for (int k = 0; k < workload.microBatches; ++k) {
      pieces.push_back({timeOf(s, k), workload.at(s, k).saved});
      total += pieces.back().time;
    }
  }
  TimeNs answer = total;
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.time > b.time; });
  const auto live = static_cast<std::size_t>(workload.mostLive[row]);
  if (live < pieces.size()) {
    TimeNs sum = 0;
    for (std::size_t i = 0; i < live; ++i) sum += pieces[i].time;
    answer = std::min(answer, sum);
  }
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return static_cast<double>(a.time) * static_cast<double>(b.saved) >
           static_cast<double>(b.time) * static_cast<double>(a.saved);
  });
  Bytes room = std::max<Bytes>(0, workload.room[row]);
  TimeNs sum = 0;
  for (const Piece& piece : pieces) {
    if (piece.saved > room) {
      const double share = static_cast<double>(room) / static_cast<double>(piece.saved);
      sum += static_cast<TimeNs>(share * static_cast<double>(piece.time)) + 1;
      break;
    }
    room -= piece.saved;
    sum += piece.time;
  }
  return std::min(answer, sum);
}

/// The work of one row in its cheapest form, and the part of it that produces gradients.
struct Work {
  TimeNs all = 0;
  TimeNs beforeLastGradient = 0;  ///< every F and every I (or B) of the row
};

Work workOf(const Workload& workload, std::size_t row) {
  Work work;
  for (const int s : workload.stagesOf[row]) {
    for (int k = 0; k < workload.microBatches; ++k) {
      const Workload::Cost& cost = workload.at(s, k);
      work.all += cost.forward + workload.wholeBackward(s, k);
      work.beforeLastGradient += cost.forward + std::min(cost.input, cost.backward);
    }
  }
  return work;
}

TimeNs lowestOfRow(const Workload& workload, const Chain& chain, std::size_t row) {
  const std::vector<int>& stages = workload.stagesOf[row];
  const Work work = workOf(workload, row);
  TimeNs head = kNever;
  TimeNs firstGradient = kNever;
  TimeNs shortestReturn = kNever;
  TimeNs shortestAfter = kNever;
  for (const int s : stages) {
    const auto at = static_cast<std::size_t>(s);
    head = std::min(head, chain.arrival[at]);
    firstGradient =
        std::min(firstGradient, chain.arrival[at] + chain.forward[at] + chain.gradient[at]);
    const TimeNs back = least(workload, [&](int k) { return workload.wholeBackward(s, k); });
    shortestReturn = std::min(shortestReturn, chain.gradient[at] + back);
    shortestAfter = std::min(shortestAfter, chain.after[at]);
  }
  const auto forward = [&](int s, int k) { return workload.at(s, k).forward; };
  const auto backward = [&](int s, int k) { return workload.wholeBackward(s, k); };
  const TimeNs optimizer = workload.optimizer[row];
  const TimeNs first = workload.optimizer[static_cast<std::size_t>(workload.row(0))];
  // Before the first gradient arrives, a row can run only forwards, as many as the memory allows.
  const TimeNs ahead = mostAlive(workload, row, forward);
  // After the last forward, at least its way to the loss and back and its backward remain. Before
  // it, everything can be done except the backwards of what is alive.
  const TimeNs behind = mostAlive(workload, row, backward);
  return std::max({head + work.all + optimizer, firstGradient + work.all - ahead + optimizer,
                   head + work.all - behind + shortestReturn + optimizer,
                   head + work.beforeLastGradient + shortestAfter + first});
}

}  // namespace

TimeNs lowestStep(const std::vector<int>& deviceOfStage, const predict::PlanCosts& costs,
                  const MemoryCaps& caps) {
  const Workload workload = workloadOf(deviceOfStage, costs, caps);
  const Chain chain = chainOf(workload);
  TimeNs lowest = 0;
  for (std::size_t row = 0; row < workload.stagesOf.size(); ++row) {
    lowest = std::max(lowest, lowestOfRow(workload, chain, row));
  }
  return static_cast<TimeNs>(predict::leastFactor(costs.contention) * static_cast<double>(lowest));
}

}  // namespace stagelane::search
