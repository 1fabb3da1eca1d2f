// Cost of the two halves of a backward relative to the whole one (budget: I + W at most 1.05 of B),
// on the last stage of ResNet-50 at 128², one thread. Interleaved; medians.

#include <benchmark/benchmark.h>

#include <ATen/ops/randn.h>

#include <algorithm>

#include "engine/run/engine.h"
#include "engine/run/measure/variant_run.h"
#include "engine/run/step/stage_work.h"
#include "engine/trace/recorder.h"

namespace stagelane {
namespace {

constexpr int kStage = 1;

plan::Experiment experimentOf(std::int64_t microBatch) {
  const std::string json = R"({"stagelane":1,"name":"halves","model":{"zoo":"resnet50"},
    "input":{"shape":[3,128,128]},"data":{"batch_size":)" +
                           std::to_string(microBatch) + R"(},
    "devices":["cpu:0","cpu:1"],"variants":[{"name":"v","strategy":"pipeline","schedule":"1f1b",
    "split_size":)" + std::to_string(microBatch) +
                           R"(,"stages":[{"first":"conv1","device":"cpu:0"},
    {"first":"layer3.1","device":"cpu:1"}]}]})";
  return plan::readExperiment(parseJson(json, "halves").value(), ".", {}).value();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.at(values.size() / 2);
}

/// Milliseconds of `body`.
template <class Body>
double timed(const Body& body) {
  const TimeNs startNs = trace::monotonicNs();
  body();
  return static_cast<double>(trace::monotonicNs() - startNs) * 1e-6;
}

/// One micro-batch of the stage, again and again.
class Halves {
 public:
  Halves(const run::StepPlan& plan, const run::InitialValues& values, std::int64_t microBatch)
      : m_stage(plan, kStage, values, at::kCPU), m_input(at::randn({microBatch, 1024, 8, 8})) {}

  void measure() {
    run::Slot slot;
    forward(slot);
    m_whole.push_back(timed([&] { m_stage.backward(slot, 0); }));
    forward(slot);
    m_inputs.push_back(timed([&] { m_stage.inputGradient(slot, 0); }));
    m_weights.push_back(timed([&] { m_stage.weightGradient(slot, 0); }));
  }
  void report(benchmark::State& state) const {
    state.counters["B_ms"] = median(m_whole);
    state.counters["I_ms"] = median(m_inputs);
    state.counters["W_ms"] = median(m_weights);
    state.counters["I+W_over_B"] = (median(m_inputs) + median(m_weights)) / median(m_whole);
  }

 private:
  void forward(run::Slot& slot) {
    m_stage.forward(slot, 0, {m_input});
    slot.outputGradients = {at::randn(slot.outputs.front().sizes())};
    slot.outputs.clear();
  }

  run::StageWork m_stage;
  at::Tensor m_input;
  std::vector<double> m_whole, m_inputs, m_weights;
};

void halvesOfBackward(benchmark::State& state) {
  run::installAllocator(plan::AllocatorKind::Caching);
  const std::int64_t microBatch = state.range(0);
  const plan::Experiment experiment = experimentOf(microBatch);
  run::WorkerPool pool(experiment);
  const std::vector<run::VariantRun> runs = run::prepareVariants(experiment, pool).value();
  const run::StepPlan plan = runs.front().stepPlan(experiment);
  const run::InitialValues values = run::drawInitialValues(*experiment.model, 0, at::kFloat);
  const Status done = plan.workers.front()
                          ->submit([&]() -> Status {
                            Halves halves(plan, values, microBatch);
                            for (auto _ : state) halves.measure();
                            halves.report(state);
                            return {};
                          })
                          .get();
  if (!done) state.SkipWithError(describe(done.error()).c_str());
}
BENCHMARK(halvesOfBackward)->Arg(4)->Arg(8)->Unit(benchmark::kMillisecond)->Iterations(15);

}  // namespace
}  // namespace stagelane
