#include "engine/run/hogwild/collected.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace stagelane::run {
namespace {

constexpr std::int64_t kMostPoints = 200;
/// Part of the updates, at the end, whose mean loss is the last one.
constexpr std::int64_t kLastPart = 50;

constexpr std::array kActions{ActionKind::Forward, ActionKind::Loss, ActionKind::Backward,
                              ActionKind::Optimizer};

double mean(double sum, std::int64_t count) {
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

/// Mean loss of the updates from `first` to before `end`.
double meanLoss(const Collected& collected, std::int64_t first, std::int64_t end) {
  double sum = 0.0;
  std::int64_t count = 0;
  for (const CollectedLoss& each : collected.losses) {
    if (each.number < first || each.number >= end) continue;
    sum += each.loss;
    ++count;
  }
  return mean(sum, count);
}

/// The smallest value that at least this share of the updates does not exceed.
std::int64_t quantileOf(const Collected& collected, double share) {
  const std::int64_t all =
      std::accumulate(collected.staleness.begin(), collected.staleness.end(), std::int64_t{0});
  const auto wanted = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(all)));
  std::int64_t seen = 0;
  for (std::size_t value = 0; value < collected.staleness.size(); ++value) {
    seen += collected.staleness[value];
    if (seen < wanted) continue;
    const bool last = value + 1 == collected.staleness.size();
    return last ? collected.mostStale : static_cast<std::int64_t>(value);
  }
  return 0;
}

void addRecords(const CollectedUpdate& update, const Collected& collected, int repeat,
                std::vector<trace::ActionRecord>& records) {
  for (std::size_t i = 0; i < kActions.size(); ++i) {
    trace::ActionRecord record;
    record.startNs = update.atNs[i];
    record.endNs = update.atNs[i + 1];
    record.stage = 0;
    record.microBatch = kActions[i] == ActionKind::Optimizer ? -1 : 0;
    record.repeat = repeat;
    record.step = static_cast<std::int32_t>(update.number / collected.processes);
    record.device = static_cast<std::int16_t>(update.process);
    record.kind = kActions[i];
    records.push_back(record);
  }
}

void collectLosses(const SharedState& shared, Collected& collected) {
  const std::int64_t stride = shared.header().lossStride;
  std::int64_t number = 0;
  for (const LossRecord& record : shared.losses()) {
    const std::int32_t writer = record.writer.load(std::memory_order_acquire);
    if (writer > 0) collected.losses.push_back({number, writer - 1, record.loss});
    number += stride;
  }
}

void collectTimes(const SharedState& shared, Collected& collected) {
  for (const TimedUpdate& update : shared.timed()) {
    const std::int64_t number = update.number.load(std::memory_order_acquire);
    // An update that was late by a whole ring is left out: its place may be half written.
    if (number == 0 || number + static_cast<std::int64_t>(kTimedUpdates) <= collected.updates) {
      continue;
    }
    collected.timed.push_back(
        {number - 1,
         update.process,
         {update.startNs, update.lossNs, update.backwardNs, update.optimizerNs, update.endNs}});
    collected.endNs = std::max(collected.endNs, update.endNs);
  }
  std::sort(collected.timed.begin(), collected.timed.end(),
            [](const auto& one, const auto& other) { return one.number < other.number; });
}

}  // namespace

Collected collect(const SharedState& shared, TimeNs startNs) {
  const SharedHeader& header = shared.header();
  Collected collected;
  collected.processes = header.processes;
  collected.updates = header.done.load();
  collected.startNs = startNs;
  collected.endNs = startNs;
  collected.staleness.resize(kStalenessCounts);
  const Bytes tensors = shared.tensorBytes();
  for (int process = 0; process < header.processes; ++process) {
    const WorkerSlot& slot = shared.slot(process);
    for (std::size_t i = 0; i < kStalenessCounts; ++i) collected.staleness[i] += slot.staleness[i];
    collected.mostStale = std::max(collected.mostStale, slot.mostStale.load());
    collected.peakBytes.push_back(slot.peakBytes.load() + tensors);
  }
  collectLosses(shared, collected);
  collectTimes(shared, collected);
  return collected;
}

record::StalenessResult stalenessOf(const Collected& collected) {
  return {static_cast<double>(quantileOf(collected, 0.5)),
          static_cast<double>(quantileOf(collected, 0.99)), collected.mostStale};
}

std::vector<record::LossCurve> curvesOf(const Collected& collected) {
  struct Sum {
    double loss = 0.0;
    std::int64_t count = 0;
    std::int64_t last = 0;
  };
  std::map<std::pair<int, std::int64_t>, Sum> sums;  // by process and part
  for (const CollectedLoss& each : collected.losses) {
    const std::int64_t part = collected.updates > kMostPoints
                                  ? each.number * kMostPoints / collected.updates
                                  : each.number;
    Sum& sum = sums[{each.process, part}];
    sum.loss += each.loss;
    sum.last = each.number + 1;
    ++sum.count;
  }
  std::vector<record::LossCurve> curves(static_cast<std::size_t>(collected.processes));
  for (const auto& [place, sum] : sums) {
    record::LossCurve& curve = curves.at(static_cast<std::size_t>(place.first));
    curve.updates.push_back(sum.last);
    curve.loss.push_back(mean(sum.loss, sum.count));
  }
  return curves;
}

std::vector<double> partLosses(const Collected& collected, std::int64_t parts) {
  const auto count = std::min(parts, static_cast<std::int64_t>(collected.losses.size()));
  std::vector<double> sums(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
  std::vector<std::int64_t> counts(sums.size());
  for (std::size_t i = 0; i < collected.losses.size(); ++i) {
    const std::size_t part = i * sums.size() / collected.losses.size();
    sums[part] += collected.losses[i].loss;
    ++counts[part];
  }
  for (std::size_t part = 0; part < sums.size(); ++part)
    sums[part] = mean(sums[part], counts[part]);
  return sums;
}

record::HogwildResult hogwildResult(const Collected& collected) {
  record::HogwildResult result;
  result.processes = collected.processes;
  result.threads = collected.threads;
  result.updates = collected.updates;
  const double seconds = collected.seconds();
  result.updatesPerS = seconds > 0.0 ? static_cast<double>(collected.updates) / seconds : 0.0;
  result.staleness = stalenessOf(collected);
  const std::int64_t last = std::max(collected.processes, collected.updates / kLastPart);
  result.firstLoss = meanLoss(collected, 0, collected.processes);
  result.lastLoss = meanLoss(collected, collected.updates - last, collected.updates);
  result.curves = curvesOf(collected);
  return result;
}

std::vector<trace::Step> stepsOf(const Collected& collected, int repeat) {
  std::vector<trace::Step> steps;
  if (collected.timed.empty()) return steps;
  // The end of the updates so far, at the end of each group of as many as there are processes.
  TimeNs latestNs = collected.startNs;
  std::optional<TimeNs> beginNs;
  if (collected.timed.front().number == 0) beginNs = collected.startNs;
  for (const CollectedUpdate& update : collected.timed) {
    latestNs = std::max(latestNs, update.atNs.back());
    if ((update.number + 1) % collected.processes != 0) continue;
    const auto number = static_cast<std::int32_t>(update.number / collected.processes);
    if (beginNs) steps.push_back({repeat, number, *beginNs, latestNs, false});
    beginNs = latestNs;
  }
  if (!steps.empty()) return steps;
  TimeNs firstNs = collected.timed.front().atNs.front();
  for (const CollectedUpdate& update : collected.timed) {
    firstNs = std::min(firstNs, update.atNs.front());
  }
  return {{repeat, 0, firstNs, latestNs, false}};
}

RepeatMeasurement measurementOf(const Collected& collected, int repeat, std::int64_t batches) {
  RepeatMeasurement measured;
  measured.seconds = collected.seconds();
  for (const CollectedUpdate& update : collected.timed) {
    addRecords(update, collected, repeat, measured.records);
  }
  measured.losses = partLosses(collected, batches);
  measured.steps = stepsOf(collected, repeat);
  measured.hogwild = hogwildResult(collected);
  return measured;
}

}  // namespace stagelane::run
