#include "tests/ui/plots/sample_run.h"

#include "engine/base/text.h"

namespace stagelane::ui::sample {
namespace {

constexpr Bytes kGiB = Bytes{1} << 30;

record::DeviceResult device(const std::string& id, TimeNs step, double busy) {
  record::DeviceResult result;
  result.id = id;
  result.busyNs = static_cast<TimeNs>(static_cast<double>(step) * busy);
  result.busy = {{"forward", result.busyNs / 3},
                 {"backward", result.busyNs - result.busyNs / 3 - result.busyNs / 50},
                 {"backward_input", 0},
                 {"backward_weight", 0},
                 {"optimizer", result.busyNs / 50}};
  result.utilisation = busy;
  const TimeNs idle = step - result.busyNs;
  result.idle = {{"warmup", idle / 10}, {"drain", idle / 10},    {"tail", idle / 20},
                 {"starved", idle / 2}, {"transfer", idle / 10}, {"host", idle / 20}};
  TimeNs rest = idle;
  for (const auto& [cause, ns] : result.idle) rest -= ns;
  result.idle["unattributed"] = rest;
  result.starvedBy = {{id == "cpu:0" ? "cpu:1" : "cpu:0", idle / 2}};
  result.peakBytes = kGiB + static_cast<Bytes>(busy * 3e9);
  return result;
}

void notRun(record::VariantResult& result, record::RunStatus status, const std::string& reason) {
  result.status = status;
  result.reason = reason;
  result.seconds.clear();
  result.devices.clear();
  result.speedup.reset();
  result.bound.reset();
  result.predicted.reset();
  result.meanS = result.stdS = result.medianS = 0.0;
}

}  // namespace

record::VariantResult variant(const std::string& name, const std::string& strategy, double seconds,
                              int repeats) {
  record::VariantResult result;
  result.id = slug(name);
  result.name = name;
  result.strategy = strategy;
  result.schedule = strategy == "pipeline" ? "1f1b" : strategy;
  result.splitSize = 20;
  result.placement = {{"conv1", "cpu:0"}, {"layer3", "cpu:1"}};
  result.status = record::RunStatus::Done;
  for (int i = 0; i < repeats; ++i) result.seconds.push_back(seconds * (1.0 + 0.01 * (i % 3 - 1)));
  record::fillStatistics(result);
  result.stepNs = static_cast<TimeNs>(seconds / 3.0 * 1e9);
  result.speedup = 3.75 / seconds;
  result.speedupBase = "single";
  result.speedupAllCores = 2.9 / seconds;
  result.bound =
      record::BoundResult{result.stepNs * 9 / 10, result.stepNs * 8 / 10, 3.75 / seconds * 1.1};
  result.devices = {device("cpu:0", result.stepNs, 0.62), device("cpu:1", result.stepNs, 0.81)};
  const double error = 0.01 * static_cast<double>(name.size() % 5) - 0.02;
  result.predicted = record::PredictedResult{
      name.size() % 2 == 0 ? "calibrated" : "estimate",
      static_cast<TimeNs>(static_cast<double>(result.stepNs) * (1.0 + error)),
      {},
      error};
  result.loss = {0.3, 0.2, 0.1};
  result.gradientCheck = record::GradientCheckResult{true, 0.0, "plain autograd on one worker", {}};
  return result;
}

record::RunResult fullRun() {
  record::RunResult run;
  run.name = "ResNet-50, two workers";
  run.status = record::RunStatus::Done;
  run.timing = "tutorial";
  run.folder = "/tmp/run";
  run.devices = {"cpu:0", "cpu:1"};
  run.variants.push_back(variant("single", "single", 3.75, 10));
  run.variants.back().devices.pop_back();
  run.variants.back().bound->speedup = 1.0;
  run.variants.push_back(variant("single, all cores", "single", 2.9, 10));
  run.variants.back().devices.pop_back();
  run.variants.push_back(variant("baseline mb 8", "single", 3.2, 10));
  run.variants.back().devices.pop_back();
  run.variants.push_back(variant("model parallel", "model_parallel", 4.02, 10));
  run.variants.push_back(variant("pipeline of the tutorial, split 20", "pipeline", 2.62, 10));
  run.variants.push_back(variant("1f1b, cut after layer3.0, split 8", "pipeline", 2.21, 10));
  run.variants.back().schedule = "gpipe";
  run.variants.back().splitSize = 8;
  run.variants.back().noisy = true;
  run.variants.push_back(variant("once", "pipeline", 2.44, 1));
  run.variants.back().splitSize = 40;
  run.variants.push_back(variant("gpipe 60", "pipeline", 2.4, 10));
  notRun(run.variants.back(), record::RunStatus::NotRun,
         "does not fit: cpu:0 needs 13.0 GiB, has 8.0 GiB");
  run.variants.back().failure = Failure{FailureKind::DoesNotFit, "gpipe-60", {"cpu:0"}};
  run.variants.push_back(variant("zb-h1", "pipeline", 2.4, 10));
  notRun(run.variants.back(), record::RunStatus::Failed, "the engine was killed (signal 9)");
  run.variants.back().failure = Failure{FailureKind::Killed, "zb-h1"};
  run.variants.push_back(variant("later <b>&", "pipeline", 2.4, 10));
  notRun(run.variants.back(), record::RunStatus::Running, "");
  return run;
}

record::RunResult hogwildRun() {
  record::RunResult run = fullRun();
  record::VariantResult hogwild = variant("four processes", "hogwild", 3.1, 10);
  hogwild.schedule = "single";
  hogwild.bound.reset();
  hogwild.gradientCheck.reset();
  hogwild.devices.clear();
  hogwild.hogwild = record::HogwildResult{4, false, 2000, 645.0, {3.0, 5.0, 17}, 0.9, 0.02, {}};
  for (int process = 0; process < 4; ++process) {
    hogwild.devices.push_back(
        device("cpu:0@" + std::to_string(process), hogwild.stepNs, 0.9 + 0.02 * process));
    record::LossCurve& curve = hogwild.hogwild->curves.emplace_back();
    for (int point = 1; point <= 200; ++point) {
      curve.updates.push_back(point * 10 - process);
      curve.loss.push_back(0.02 + 0.88 / (1.0 + 0.5 * point + 0.1 * process));
    }
  }
  run.variants.insert(run.variants.begin() + 1, std::move(hogwild));
  return run;
}

record::RunResult sweepRun(int count) {
  record::RunResult run = fullRun();
  run.variants.resize(1);
  for (int i = 0; i < count; ++i) {
    const int split = 1 << i;
    auto result = variant("sweep, split " + std::to_string(split), "pipeline",
                          2.4 + 0.12 * (i - 3) * (i - 3), 10);
    result.splitSize = split;
    run.variants.push_back(std::move(result));
  }
  return run;
}

}  // namespace stagelane::ui::sample
