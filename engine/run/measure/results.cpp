#include "engine/run/measure/results.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "engine/base/find.h"
#include "engine/base/quantile.h"
#include "engine/plan/baselines.h"
#include "engine/plan/rows.h"
#include "engine/predict/explain.h"
#include "engine/predict/prediction.h"
#include "engine/predict/simulator.h"
#include "engine/trace/middle_steps.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::run {
namespace {

bool measured(const VariantRun& run) { return run.result.medianS > 0.0; }

/// Moved bytes and peaks by row, which are not part of the trace analysis.
void fillBytes(const std::vector<DeviceId>& rows, const std::vector<Bytes>& moved,
               const std::vector<Bytes>& peaks, std::vector<record::DeviceResult>& devices) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    auto* device = findBy(devices, &record::DeviceResult::id, rows[row].value);
    if (device == nullptr) continue;
    device->transferBytes = moved[row];
    device->peakBytes = peaks.at(row);
  }
}

std::int64_t parametersOf(const model::LayerSpec& spec) {
  std::int64_t count = 0;
  for (const model::OwnedTensor& owned : model::ownedTensors(spec)) {
    if (owned.role != model::OwnedTensor::Role::Parameter) continue;
    count += std::accumulate(owned.shape.begin(), owned.shape.end(), std::int64_t{1},
                             std::multiplies<>());
  }
  return count;
}

/// How much of the model each device has. A parameter that two stages share counts in both.
void fillParameters(const plan::Experiment& experiment, const plan::Variant& variant,
                    std::vector<record::DeviceResult>& devices) {
  const model::Model& model = *experiment.model;
  for (const plan::Stage& stage : variant.stages) {
    std::int64_t parameters = 0;
    int layers = 0;
    for (std::size_t block = stage.firstBlock; block <= stage.lastBlock; ++block) {
      for (const std::size_t index : model.blocks[block].layers) {
        const std::int64_t count = parametersOf(model.layers[index].spec);
        parameters += count;
        layers += count > 0 ? 1 : 0;
      }
    }
    std::vector<DeviceId> ids(stage.group.begin(), stage.group.end());
    if (plan::strategyRow(variant.strategy).asynchronous) ids = plan::recordedDevices(variant);
    for (const DeviceId& id : ids) {
      auto* device = findBy(devices, &record::DeviceResult::id, id.value);
      if (device == nullptr) continue;
      device->parameters += parameters;
      device->layers += layers;
    }
  }
}

Status fillBound(const predict::PlanCosts& measured, VariantRun& run) {
  STAGELANE_TRY(bound, predict::bound(run.lowered, measured));
  run.result.bound = record::BoundResult{bound->stepNs, bound->perfectCutStepNs, 0.0};
  return {};
}

void fillPredicted(const predict::PlayedPlan& plan, const RunPorts& ports, VariantRun& run) {
  record::PredictedResult predicted;
  predicted.basis = std::string(predict::word(plan.costs.basis));
  predicted.stepNs = plan.simulation.stepNs;
  if (ports.analyze) {
    const trace::TracePtr trace =
        predict::toTrace(plan.schedule, plan.simulation, run.rows, plan.costs);
    predicted.devices = ports.analyze(*trace);
    fillBytes(run.rows, predict::transferBytes(plan.schedule, plan.costs),
              plan.simulation.peakBytes, predicted.devices);
  }
  if (run.result.stepNs > 0) {
    predicted.error = static_cast<double>(predicted.stepNs - run.result.stepNs) /
                      static_cast<double>(run.result.stepNs);
  }
  run.result.predicted = std::move(predicted);
}

/// The prediction of a row is that of each of its processes.
void asEachTrack(VariantRun& run) {
  std::vector<record::DeviceResult>& devices = run.result.predicted->devices;
  if (devices.size() != 1) return;
  const record::DeviceResult one = devices.front();
  devices.assign(run.tracks.size(), one);
  for (std::size_t i = 0; i < devices.size(); ++i) devices[i].id = run.tracks[i].value;
}

/// The prediction alone: without a common step there is no bound, and nothing to explain.
Status fillExpected(const plan::Experiment& experiment, const RunPorts& ports, VariantRun& run) {
  STAGELANE_TRY(expected, predict::expectedPlan(experiment, *run.variant, ports.costs.get()));
  fillPredicted(*expected, ports, run);
  asEachTrack(run);
  return {};
}

/// Bound, prediction, and the explanation of the step.
Status fillComparisons(const plan::Experiment& experiment, const RunPorts& ports,
                       const predict::PlanCosts& measured, VariantRun& run) {
  STAGELANE_CHECK(fillBound(measured, run));
  STAGELANE_TRY(expected, predict::expectedPlan(experiment, *run.variant, ports.costs.get()));
  STAGELANE_TRY(explanation, predict::explainMeasured(run.lowered, measured, run.result.stepNs,
                                                      expected->costs));
  run.result.explanation = predict::toJson(*explanation);
  fillPredicted(*expected, ports, run);
  return {};
}

trace::TraceBuilder builderFor(const VariantRun& run, const RepeatMeasurement& repeat,
                               TimeNs originNs) {
  trace::TraceBuilder builder;
  addRepeat(builder, run.tracks, repeat, originNs);
  builder.setMetadata("variant", run.variant->id);
  builder.setMetadata("name", run.variant->name);
  return builder;
}

/// The middle repeats, the faster first.
std::vector<const RepeatMeasurement*> inTheMiddle(const VariantRun& run) {
  std::vector<const RepeatMeasurement*> repeats;
  for (const std::size_t index : middleRepeats(run.repeats)) repeats.push_back(&run.repeats[index]);
  return repeats;
}

trace::TracePtr middleTrace(const VariantRun& run,
                            const std::vector<const RepeatMeasurement*>& repeats, TimeNs originNs) {
  trace::TraceBuilder builder;
  for (const RepeatMeasurement* repeat : repeats) addRepeat(builder, run.tracks, *repeat, originNs);
  return std::move(builder).build();
}

/// The middle step, or the two.
std::vector<MeasuredStep> middleOf(const trace::Trace& trace,
                                   const std::vector<const RepeatMeasurement*>& repeats) {
  std::vector<MeasuredStep> measured;
  for (const std::size_t index : trace::middleSteps(trace.steps())) {
    const trace::Step& step = trace.steps()[index];
    for (const RepeatMeasurement* repeat : repeats) {
      if (!repeat->records.empty() && repeat->records.front().repeat == step.repeat) {
        measured.push_back({repeat, step.step});
      }
    }
  }
  return measured;
}

/// The median repeat (the faster of two middle ones), then the last one recorded in depth.
trace::TracePtr storedTrace(const VariantRun& run, const RepeatMeasurement& repeat,
                            TimeNs originNs) {
  trace::TraceBuilder builder = builderFor(run, repeat, originNs);
  const trace::TracePtr alone = traceOf(run, repeat, originNs);
  if (trace::medianDurationNs(alone->steps()) != run.result.stepNs) {
    builder.setMetadata(trace::kMedianStepKey, std::to_string(run.result.stepNs));
  }
  if (run.recorded) {
    addRepeat(builder, run.tracks, run.recorded->last, originNs, /*extra=*/true);
    addCaptured(builder, *run.recorded->captured, run.recorded->problem);
  }
  return std::move(builder).build();
}

/// What was recorded and its overhead, for the trace's depth.
record::CaptureResult captureOf(const RunPorts& ports, const VariantRun& run,
                                const RepeatMeasurement& repeat) {
  record::CaptureResult capture;
  capture.events = static_cast<std::int64_t>(run.trace->size());
  capture.dropped = static_cast<std::int64_t>(run.trace->droppedEvents());
  const auto actions = static_cast<double>(repeat.records.size());
  capture.overheadPct = overheadPct(actions, actionCostNs(), repeat.seconds);
  if (run.recorded) {
    const auto events = static_cast<double>(run.recorded->captured->size());
    const double cost = ports.capture.eventCostNs ? ports.capture.eventCostNs() : 0.0;
    *capture.overheadPct += overheadPct(events, cost, repeat.seconds);
    capture.overheadCiPct = overheadInterval(run.recorded->seconds);
  }
  return capture;
}

/// Inference: latency of a request over the micro-batches of all timed repeats, and throughput.
void fillInference(const plan::Experiment& experiment, VariantRun& run) {
  std::vector<double> latencies;
  for (const RepeatMeasurement& repeat : run.repeats) {
    const std::vector<double> some = forwardLatencies(repeat);
    latencies.insert(latencies.end(), some.begin(), some.end());
  }
  std::sort(latencies.begin(), latencies.end());
  if (!latencies.empty()) {
    run.result.latency = record::LatencyResult{quantile(latencies, 0.5), quantile(latencies, 0.99)};
  }
  if (run.result.medianS > 0.0) {
    run.result.throughput = static_cast<double>(experiment.data.samples) / run.result.medianS;
  }
}

/// Batches that a repeat of the variant trains.
double trainedBatches(const plan::Experiment& experiment, const VariantRun& run) {
  const auto& hogwild = run.result.hogwild;
  return static_cast<double>(hogwild ? hogwild->updates : experiment.data.batches);
}

}  // namespace

trace::TracePtr traceOf(const VariantRun& run, const RepeatMeasurement& repeat, TimeNs originNs) {
  return std::move(builderFor(run, repeat, originNs)).build();
}

Status fillMeasured(const plan::Experiment& experiment, const RunPorts& ports, TimeNs originNs,
                    VariantRun& run) {
  record::VariantResult& result = run.result;
  if (run.repeats.empty()) return {};
  result.seconds = run.secondsBefore;
  for (const RepeatMeasurement& repeat : run.repeats) {
    if (!run.tracedOnly) result.seconds.push_back(repeat.seconds);
  }
  record::fillStatistics(result);
  result.noisy = isNoisy(result.meanS, result.stdS);
  if (experiment.task == plan::Task::Infer) {
    fillInference(experiment, run);
  } else {
    result.loss = run.repeats.front().losses;
  }

  const std::vector<const RepeatMeasurement*> repeats = inTheMiddle(run);
  const trace::TracePtr middle = middleTrace(run, repeats, originNs);
  result.stepNs = trace::medianDurationNs(middle->steps());
  run.trace = storedTrace(run, *repeats.front(), originNs);
  result.capture = captureOf(ports, run, *repeats.front());
  if (ports.analyze) result.devices = ports.analyze(*middle);
  fillBytes(run.tracks, transferBytesPerStep(run.tracks.size(), *repeats.front()), run.peakBytes,
            result.devices);
  fillParameters(experiment, *run.variant, result.devices);
  result.allReduce = allReduceOf(*repeats.front(), run.tracks.size());
  if (run.asynchronous()) {
    result.hogwild = repeats.front()->hogwild;
    return fillExpected(experiment, ports, run);
  }
  predict::PlanCosts costs = measuredCosts(run.lowered, middleOf(*middle, repeats));
  costs.forwardOnly = experiment.task == plan::Task::Infer;
  costs.optimizerWaitsForAll = !costs.forwardOnly && experiment.clipGradNorm.has_value();
  return fillComparisons(experiment, ports, costs, run);
}

const VariantRun* baseOf(const std::vector<VariantRun>& runs) {
  std::vector<plan::BaseCandidate> candidates;
  for (const VariantRun& run : runs) {
    candidates.push_back({run.variant->id, plan::word(run.variant->strategy)});
  }
  const auto base = plan::speedupBase(
      candidates, [&runs](std::size_t index) { return runs[index].result.medianS; });
  return base ? &runs[*base] : nullptr;
}

void fillSpeedups(const plan::Experiment& experiment, std::vector<VariantRun>& runs) {
  const VariantRun* base = baseOf(runs);
  const auto times = [&](const VariantRun& of, const VariantRun& run) {
    return of.result.medianS / run.result.medianS *
           (trainedBatches(experiment, run) / trainedBatches(experiment, of));
  };
  const auto found = std::find_if(runs.begin(), runs.end(), [](const VariantRun& run) {
    return run.variant->id == plan::kAllCoresId && measured(run);
  });
  const VariantRun* allCores = found == runs.end() ? nullptr : &*found;
  for (VariantRun& run : runs) {
    if (!measured(run)) continue;
    if (base != nullptr) {
      run.result.speedup = times(*base, run);
      run.result.speedupBase = base->variant->id;
    }
    if (allCores != nullptr) run.result.speedupAllCores = times(*allCores, run);
    if (base != nullptr && run.result.bound && run.result.bound->stepNs > 0) {
      run.result.bound->speedup = *run.result.speedup * static_cast<double>(run.result.stepNs) /
                                  static_cast<double>(run.result.bound->stepNs);
    }
  }
}

}  // namespace stagelane::run
