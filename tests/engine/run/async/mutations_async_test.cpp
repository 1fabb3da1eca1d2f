// Each call of the engine that lets a stream or a thread wait, or that marks memory as used by a
// stream, is left out in turn: wrong numbers, a race or an error must tell. Prints the table of
// docs/development/gpu.md.

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <optional>

#include "engine/run/step/await_job.h"
#include "tests/engine/run/async/async_bench.h"
#include "tests/engine/run/async/own_events_platform.h"
#include "tests/support/async_device/faults.h"
#include "tests/support/async_device/sites.h"

namespace stagelane::run {
namespace {

using namespace test;
using async_device::Site;
using async_device::SiteKey;

constexpr int kDelayUs = 100;
constexpr std::uint64_t kSeeds = 2;

/// Functions that only pass a wait on; who calls them decided to wait. By mangled names, which say
/// the length of each word.
const std::vector<std::string> kPassThrough{"8C10Event",
                                            "11EventMarker4wait",
                                            "11EventMarker5block",
                                            "11EventMarker7reached",
                                            "6Marker4wait",
                                            "18AcceleratorBackend11synchronize",
                                            "7guarded"};

/// A call that may be left out unnoticed.
struct Harmless {
  std::string name;  ///< part of its name in the table
  std::string reason;
};
const std::vector<Harmless> kHarmless{
    {"run::EventClock::", "only tells what time of the host's clock a point of the device has"},
    {"run::AcceleratorBackend::AcceleratorBackend",
     "only tells what time of the host's clock a point of the device has"},
    {"run::QueuedActions::poll", "tells how far a device is; no result is used there"},
    {"run::AcceleratorBackend::idle", "asks whether a device is stuck"},
    {"run::Row::clip", "the copy to the host after it waits, too; this wait can be stopped"},
    {"run::CpuBackend::receive, from run::received",
     "the part before has waited for its device; this wait can be stopped"},
    {"record_stream in run::AcceleratorBackend::receive, from run::received",
     "each job of a reference ends with a wait for its device, and what it got lives longer"},
    {"run::HeldTensors::releaseReached, from run::ReferenceStep::on",
     "all that is held has ended at a synchronization"},
    {"run::HeldTensors::releaseReached, from run::Executor::awaitDevice",
     "all that is held has ended at a synchronization"},
    {"run::AcceleratorBackend::leaveThread", "whoever uses results has waited for them"},
};

/// The same net on every pair: a schedule with halves, and one device after the other.
std::string experimentText() {
  return R"({"stagelane":1,"name":"a","model":{"layers":[
      {"kind":"Conv2d","name":"c1","in_channels":3,"out_channels":8,"kernel_size":3,"padding":1},
      {"kind":"BatchNorm2d","name":"n1","num_features":8},{"kind":"ReLU","name":"r1"},
      {"kind":"Conv2d","name":"c2","in_channels":8,"out_channels":8,"kernel_size":3,"padding":1},
      {"kind":"ReLU","name":"r2"},{"kind":"Flatten","name":"f"},
      {"kind":"Linear","name":"l","in_features":512,"out_features":10}]},
    "input":{"shape":[3,8,8]},"data":{"batch_size":8,"labels":"class"},"loss":"cross_entropy",
    "clip_grad_norm":0.01,"devices":["cpu:0","cpu:1"],"stall_timeout_s":5,"variants":[
    {"name":"p","strategy":"pipeline","schedule":"zb-h1","split_size":2,"stages":[
      {"first":"c1","device":"cpu:0"},{"first":"c2","device":"cpu:1"}]},
    {"name":"mp","strategy":"model_parallel","stages":[
      {"first":"c1","device":"cpu:0"},{"first":"c2","device":"cpu:1"}]}]})";
}

/// A head that shares the weight of the embedding, on the other device.
std::string tiedText() {
  return R"({"stagelane":1,"name":"g","model":{"zoo":"gpt","layers":1,"heads":2,
      "width":8,"vocab":11,"context":4,"tie":true},"input":{"shape":[4]},
    "loss":"cross_entropy","data":{"labels":"class","batch_size":4},"stall_timeout_s":5,
    "devices":["cpu:0","cpu:1"],"variants":[{"name":"p","strategy":"pipeline","schedule":"1f1b",
      "split_size":2,"stages":[{"first":"embedding","device":"cpu:0"},
                               {"first":"h.0","device":"cpu:1"}]}]})";
}

/// Devices, and what is special about them.
struct Scenario {
  DevicePair pair;
  bool ownEvents = false;    ///< partitions have events of their own
  bool brokenPeers = false;  ///< copies between the devices write wrong data
};

const std::vector<Scenario>& scenarios() {
  static const auto* const kScenarios = [] {
    auto* all = new std::vector<Scenario>();
    for (const DevicePair& pair : kPairs) all->push_back({pair});
    all->push_back({{"cuda:0", "cuda:1"}, false, true});
    all->push_back({{"cuda:0/1of2", "cuda:0/2of2"}, true});
    all->push_back({{"cuda:0/1of2", "cuda:1"}, true});
    return all;
  }();
  return *kScenarios;
}

struct Outcome {
  bool wrong = false;   ///< numbers differ from the reference's
  bool race = false;    ///< the detector reported one
  bool failed = false;  ///< an error
  std::string error;
  [[nodiscard]] bool isNoticed() const { return wrong || race || failed; }
  void note(const GradientVerdict& verdict) {
    wrong = wrong || !verdict.passed || !verdict.result.bitEqual;
  }
};

/// As before a run.
void checkCopies(Bench& bench) {
  const std::vector<Worker*>& workers = bench.variant("p").workers;
  static_cast<void>(valueOf(prepareTransfer(*workers[0], *workers[1], bench.control)));
  static_cast<void>(valueOf(prepareTransfer(*workers[1], *workers[0], bench.control)));
}

/// Trains in the ways of a run: pipelines, references on one device and in parts, tied weights.
void train(const Scenario& scenario, Outcome& outcome) {
  const DevicePair& pair = scenario.pair;
  Bench bench(onDevices(experimentText(), pair));
  checkCopies(bench);
  for (const char* id : {"p", "mp"}) outcome.note(bench.check(id));
  outcome.note(checkInParts(bench, 2, pair));
  if (scenario.ownEvents || scenario.brokenPeers) return;
  Bench tied(onDevices(tiedText(), pair));
  outcome.note(tied.check("p"));
}

/// Failures of the test's own helpers count as errors.
Outcome checked(const Scenario& scenario, std::uint64_t seed) {
  async_device::setDelays(kDelayUs, seed);
  async_device::corruptPeerCopies(scenario.brokenPeers);
  static_cast<void>(async_device::takeRaces());
  Outcome outcome;
  testing::TestPartResultArray failures;
  std::unique_ptr<GpuPlatform> before;
  if (scenario.ownEvents) before = setGpuPlatform(std::make_unique<OwnEventsPlatform>());
  {
    using Interceptor = testing::ScopedFakeTestPartResultReporter;
    const Interceptor interceptor(Interceptor::INTERCEPT_ALL_THREADS, &failures);
    try {
      train(scenario, outcome);
    } catch (const std::exception& error) {
      outcome.failed = true;
      outcome.error = error.what();
    }
  }
  if (before) setGpuPlatform(std::move(before));
  outcome.failed = outcome.failed || failures.size() > 0;
  outcome.race = !async_device::takeRaces().empty();
  return outcome;
}

/// All kinds of calls at one place: a query and the wait after it are one wait.
struct Place {
  std::vector<Site> sites;
  std::vector<const Scenario*> scenarios;  ///< in which it was passed
};
using Places = std::map<decltype(SiteKey::calls), Place>;

/// The places that the checks pass, in each scenario.
Places placesOf(std::vector<std::string>& complaints) {
  Places places;
  for (const Scenario& scenario : scenarios()) {
    async_device::watchSites(true);
    const Outcome outcome = checked(scenario, 1);
    const std::vector<Site> seen = async_device::seenSites();
    async_device::watchSites(false);
    async_device::reset();
    if (outcome.isNoticed()) {
      complaints.push_back(scenario.pair.first + " and " + scenario.pair.second + ": " +
                           (outcome.wrong ? "wrong " : "") + (outcome.race ? "race " : "") +
                           outcome.error);
    }
    for (const Site& site : seen) {
      Place& place = places[site.key.calls];
      const auto known =
          std::find_if(place.sites.begin(), place.sites.end(),
                       [&](const Site& each) { return each.key.kind == site.key.kind; });
      if (known == place.sites.end()) place.sites.push_back(site);
      if (place.scenarios.empty() || place.scenarios.back() != &scenario) {
        place.scenarios.push_back(&scenario);
      }
    }
  }
  return places;
}

/// Runs the checks without the calls of a place until something notices.
Outcome withoutPlace(const Place& place, std::uint64_t seeds) {
  Outcome all;
  for (std::uint64_t seed = 1; seed <= seeds && !all.isNoticed(); ++seed) {
    for (const Scenario* scenario : place.scenarios) {
      if (all.isNoticed()) break;
      std::vector<SiteKey> keys;
      for (const Site& site : place.sites) keys.push_back(site.key);
      async_device::leaveOutAll(keys);
      const Outcome outcome = checked(*scenario, seed);
      async_device::reset();
      all.wrong = all.wrong || outcome.wrong;
      all.race = all.race || outcome.race;
      all.failed = all.failed || outcome.failed;
    }
  }
  return all;
}

std::string nameOf(const Place& place) {
  std::string name;
  for (const std::string& each : async_device::namesOf(place.sites)) {
    if (!name.empty()) name += "; ";
    name += each;
  }
  return name;
}

const Harmless* harmlessNamed(const std::string& name) {
  for (const Harmless& each : kHarmless) {
    if (name.find(each.name) != std::string::npos) return &each;
  }
  return nullptr;
}

const char* mark(bool yes) { return yes ? "yes" : "–"; }

TEST(Mutations, AreAllNoticed) {
  async_device::reset();
  async_device::passThrough(kPassThrough);
  std::vector<std::string> complaints;
  const Places places = placesOf(complaints);
  EXPECT_THAT(complaints, testing::IsEmpty()) << "with nothing left out";
  ASSERT_GT(places.size(), 5U) << "the engine's calls were not found";
  std::printf("| left out | wrong | race | error | why it may be |\n|---|---|---|---|---|\n");
  for (const auto& [calls, place] : places) {
    const std::string name = nameOf(place);
    const Harmless* const known = harmlessNamed(name);
    const Outcome outcome = withoutPlace(place, known == nullptr ? kSeeds : 1);
    const Harmless* const harmless = outcome.isNoticed() ? nullptr : known;
    std::printf("| %s | %s | %s | %s | %s |\n", name.c_str(), mark(outcome.wrong),
                mark(outcome.race), mark(outcome.failed),
                harmless == nullptr ? "" : harmless->reason.c_str());
    std::fflush(stdout);
    EXPECT_TRUE(outcome.isNoticed() || harmless != nullptr) << name << " was not noticed";
  }
  async_device::passThrough({});
}

}  // namespace
}  // namespace stagelane::run
