#include "engine/run/measure/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "engine/base/quantile.h"
#include "engine/trace/from_actions.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::run {
namespace {

/// The member of a cost table for an action's time.
TimeNs* place(predict::StageCost& cost, ActionKind kind) {
  switch (kind) {
    case ActionKind::Forward: return &cost.forward;
    case ActionKind::Backward: return &cost.backward;
    case ActionKind::BackwardInput: return &cost.backwardInput;
    case ActionKind::BackwardWeight: return &cost.backwardWeight;
    case ActionKind::Loss: return &cost.loss;
    case ActionKind::Optimizer: return &cost.optimizer;
    case ActionKind::SendForward: return &cost.sendForward;
    case ActionKind::SendBackward: return &cost.sendBackward;
    case ActionKind::Reduce: return &cost.reduce;
    default: return nullptr;
  }
}

void addCopies(trace::TraceBuilder& builder, const std::vector<std::string>& devices,
               const RepeatMeasurement& repeat, TimeNs originNs) {
  for (const BatchCopy& copy : repeat.copies) {
    const std::int32_t device = builder.device(devices[static_cast<std::size_t>(copy.row)]);
    trace::TraceBuilder::NewEvent event;
    event.startNs = copy.startNs - originNs;
    event.durationNs = copy.endNs - copy.startNs;
    event.name = copy.name;
    event.category = trace::Category::Copy;
    event.track = builder.track(device, trace::TrackKind::Copy, "copy");
    event.bytes = copy.bytes;
    builder.add(event);
  }
}

}  // namespace

std::vector<std::size_t> middleRepeats(const std::vector<RepeatMeasurement>& repeats) {
  std::vector<std::size_t> order(repeats.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return repeats[a].seconds < repeats[b].seconds;
  });
  const std::size_t upper = order.size() / 2;
  return order.size() % 2 == 1 ? std::vector{order.at(upper)}
                               : std::vector{order.at(upper - 1), order.at(upper)};
}

predict::PlanCosts measuredCosts(const schedule::LoweredSchedule& lowered,
                                 const std::vector<MeasuredStep>& steps) {
  std::map<std::tuple<int, int, ActionKind>, TimeNs> times;
  for (const MeasuredStep& measured : steps) {
    for (const trace::ActionRecord& record : measured.repeat->records) {
      // The REDUCE of a clipping has no stage: it is a wait, which the player adds itself.
      if (record.step != measured.step || record.stage < 0) continue;
      // A replica's OPT and REDUCE are stored with its first micro-batch.
      const int replica = lowered.source.rows.replicaOn(record.stage, record.device);
      const bool ofReplica = record.microBatch < 0 && record.kind != ActionKind::Loss;
      const int column = ofReplica ? replica : record.microBatch;
      times[{record.stage, column, record.kind}] += record.endNs - record.startNs;
    }
  }
  predict::PlanCosts costs;
  costs.basis = predict::Basis::Measured;
  costs.stage.assign(
      static_cast<std::size_t>(lowered.source.stages),
      std::vector<predict::StageCost>(static_cast<std::size_t>(lowered.source.microBatches)));
  costs.residentBytes.assign(static_cast<std::size_t>(lowered.source.devices), 0);
  for (const auto& [key, time] : times) {
    const auto& [stage, microBatch, kind] = key;
    // A whole-batch LOSS has no micro-batch; it is stored with the first.
    const int column = std::max(microBatch, 0);
    predict::StageCost& cost =
        costs.stage.at(static_cast<std::size_t>(stage)).at(static_cast<std::size_t>(column));
    if (TimeNs* const where = place(cost, kind)) *where = time / static_cast<TimeNs>(steps.size());
  }
  return costs;
}

void addRepeat(trace::TraceBuilder& builder, const std::vector<DeviceId>& devices,
               const RepeatMeasurement& repeat, TimeNs originNs, bool extra) {
  std::vector<std::string> names;
  for (const DeviceId& device : devices) names.push_back(device.value);
  trace::FromActionsOptions options;
  options.originNs = originNs;
  options.addSteps = repeat.steps.empty();
  for (trace::Step step : repeat.steps) {
    step.startNs -= originNs;
    step.endNs -= originNs;
    step.extra = extra;
    builder.addStep(step);
  }
  if (extra && !repeat.records.empty()) options.extraRepeat = repeat.records.front().repeat;
  trace::addActions(builder, names, repeat.records, options);
  addCopies(builder, names, repeat, originNs);
}

std::vector<Bytes> transferBytesPerStep(std::size_t rows, const RepeatMeasurement& repeat) {
  std::vector<Bytes> bytes(rows, 0);
  std::set<int> steps;
  for (const trace::ActionRecord& record : repeat.records) {
    steps.insert(record.step);
    bytes.at(static_cast<std::size_t>(record.device)) += record.bytes;
  }
  for (Bytes& each : bytes) each /= std::max<Bytes>(1, static_cast<Bytes>(steps.size()));
  return bytes;
}

std::optional<record::AllReduceResult> allReduceOf(const RepeatMeasurement& repeat,
                                                   std::size_t rows) {
  std::vector<TimeNs> wholeNs(rows, 0);
  std::vector<Bytes> bytes(rows, 0);
  bool any = false;
  for (const BatchCopy& copy : repeat.copies) {
    if (copy.name.rfind("bucket ", 0) != 0) continue;
    any = true;
    wholeNs.at(static_cast<std::size_t>(copy.row)) += copy.endNs - copy.startNs;
    bytes.at(static_cast<std::size_t>(copy.row)) += copy.bytes;
  }
  if (!any) return std::nullopt;
  std::map<int, double> exposedNs;  // by step
  std::set<int> steps;
  for (const trace::ActionRecord& record : repeat.records) {
    steps.insert(record.step);
    if (record.kind != ActionKind::Reduce || record.stage < 0) continue;
    const auto waitedNs = static_cast<double>(record.endNs - record.startNs);
    const auto step = exposedNs.try_emplace(record.step, waitedNs).first;
    step->second = std::min(step->second, waitedNs);
  }
  std::vector<double> times;
  for (const auto& [step, shortestNs] : exposedNs) times.push_back(shortestNs);
  const double exposed = quantile(times, 0.5);
  const auto count = static_cast<double>(std::max<std::size_t>(1, steps.size()));
  const double whole =
      static_cast<double>(*std::min_element(wholeNs.begin(), wholeNs.end())) / count;
  const double part = whole > 0.0 ? exposed / whole : 0.0;
  return record::AllReduceResult{
      *std::max_element(bytes.begin(), bytes.end()) / static_cast<Bytes>(count),
      std::llround(exposed), 100.0 * std::clamp(1.0 - part, 0.0, 1.0)};
}

std::vector<double> forwardLatencies(const RepeatMeasurement& repeat) {
  struct Span {
    TimeNs startNs = std::numeric_limits<TimeNs>::max();
    TimeNs endNs = std::numeric_limits<TimeNs>::min();
  };
  std::map<std::pair<int, int>, Span> spans;  // by step and micro-batch
  for (const trace::ActionRecord& record : repeat.records) {
    if (record.kind == ActionKind::Forward) {
      Span& span = spans[{record.step, record.microBatch}];
      span.startNs = std::min(span.startNs, record.startNs);
      span.endNs = std::max(span.endNs, record.endNs);
    }
  }
  std::vector<double> seconds;
  for (const auto& named : spans) {
    seconds.push_back(static_cast<double>(named.second.endNs - named.second.startNs) * 1e-9);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

bool isNoisy(double mean, double std) {
  constexpr double kSpread = 0.05;
  return mean > 0.0 && std / mean > kSpread;
}

std::vector<std::size_t> turnOrder(std::uint64_t seed, std::int64_t repeat, std::size_t count) {
  std::seed_seq seeds{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                      static_cast<std::uint32_t>(repeat)};
  std::mt19937_64 random(seeds);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  // A custom shuffle, because std::shuffle differs between libraries.
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

}  // namespace stagelane::run
