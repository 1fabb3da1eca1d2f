#pragma once

/// What the tests of the executor and the run loop share: experiments from short JSON, their
/// variants lowered and with workers, and a place that collects a run's events.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/run/engine.h"
#include "engine/run/measure/variant_run.h"
#include "engine/run/proof/gradient_check.h"
#include "engine/run/proof/reference_place.h"

namespace stagelane::run::test {

/// Fails the test with the error's words.
template <class T>
T valueOf(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << describe(result.error());
    throw std::runtime_error(describe(result.error()));
  }
  return std::move(*result);
}

inline plan::Experiment experimentOf(const std::string& json) {
  return valueOf(plan::readExperiment(valueOf(parseJson(json, "test")), ".", {}));
}

/// An experiment with its variants ready to play.
struct Bench {
  explicit Bench(const std::string& json) : Bench(experimentOf(json)) {}
  explicit Bench(plan::Experiment resolved)
      : experiment(std::move(resolved)),
        pool(experiment),
        runs(valueOf(prepareVariants(experiment, pool))) {}

  VariantRun& variant(const std::string& id) {
    for (VariantRun& run : runs) {
      if (run.variant->id == id) return run;
    }
    throw std::runtime_error("no variant " + id);
  }

  GradientVerdict check(const std::string& id, ExecutorOptions options = {}) {
    VariantRun& run = variant(id);
    GradientCheck check;
    check.plan = run.stepPlan(experiment);
    check.plan.options = std::move(options);
    ReferencePlace place = valueOf(placeReference(experiment, run, runs, pool));
    check.parts = place.parts;
    check.referenceName = place.name;
    return valueOf(checker.check(check, control)).value();
  }

  plan::Experiment experiment;
  WorkerPool pool;
  std::vector<VariantRun> runs;
  RunControl control{nullptr};
  GradientChecker checker{experiment};
};

/// The members that all tests' experiments have in common; `rest` follows.
inline std::string resnet18(const std::string& batch, const std::string& rest) {
  return R"({"stagelane":1,"name":"r","model":{"zoo":"resnet18","num_classes":10},
    "input":{"shape":[3,64,64]},"data":{"batch_size":)" +
         batch + R"(,"batches":1},
    "devices":["cpu:0","cpu:1"],)" +
         rest + "}";
}
inline std::string toy(const std::string& batch, const std::string& rest) {
  return R"({"stagelane":1,"name":"t","model":{"zoo":"toy"},"input":{"shape":[10]},
    "data":{"labels":"normal","batch_size":)" +
         batch + R"(,"batches":2},
    "devices":["cpu:0","cpu:1"],)" +
         rest + "}";
}
inline const std::string kToyStages =
    R"("stages":[{"first":"net1","device":"cpu:0"},{"first":"net2","device":"cpu:1"}])";

struct Event {
  std::string name;
  Json members;
};

/// Ports that keep everything in memory.
struct Recorded {
  std::vector<Event> events;
  std::vector<std::string> traces;
  std::map<std::string, std::vector<std::int32_t>> appended;  ///< repeats by variant
  std::atomic<bool> stop{false};
  /// Called for each event before it is kept; an error is returned as the writer's error.
  std::function<Status(const Event&)> onEvent;

  RunPorts ports() {
    RunPorts ports;
    ports.event = [this](const std::string& name, Json members) -> Status {
      Event event{name, std::move(members)};
      if (onEvent) {
        const Status status = onEvent(event);
        if (!status) return status;
      }
      events.push_back(std::move(event));
      return {};
    };
    ports.appendTrace = [this](const std::string& id, const trace::Trace& trace) -> Status {
      appended[id].push_back(trace.steps().empty() ? -1 : trace.steps().front().repeat);
      return {};
    };
    ports.storeTrace = [this](const std::string& id, const trace::Trace&) -> Status {
      traces.push_back(id);
      return {};
    };
    ports.analyze = [](const trace::Trace& trace) {
      std::vector<record::DeviceResult> devices;
      for (const std::string& name : trace.devices()) devices.emplace_back().id = name;
      return devices;
    };
    ports.stop = &stop;
    return ports;
  }
  [[nodiscard]] std::size_t count(const std::string& name) const {
    std::size_t n = 0;
    for (const Event& event : events) n += event.name == name ? 1U : 0U;
    return n;
  }
  /// `result` of the last variant_done of a variant.
  [[nodiscard]] Json result(const std::string& id) const {
    Json found;
    for (const Event& event : events) {
      if (event.name == "variant_done" && event.members.at("variant") == id) {
        found = event.members.at("result");
      }
    }
    return found;
  }
};

inline std::size_t threadsOfProcess() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator("/proc/self/task")) {
    ++count;
  }
  return count;
}

/// The kernel may list a joined thread for a moment; a thread that still runs stays listed.
inline void expectThreads(std::size_t count) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (threadsOfProcess() != count && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(threadsOfProcess(), count) << "threads of the process";
}

}  // namespace stagelane::run::test
