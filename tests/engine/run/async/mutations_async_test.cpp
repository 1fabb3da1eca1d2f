// Each call of the engine that lets a stream or a thread wait, or that marks memory as used by a
// stream, is left out in turn: wrong numbers, a race or an error must tell. Prints the table of
// docs/development/gpu.md.

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <cstdio>
#include <exception>
#include <map>
#include <optional>

#include "tests/engine/run/async/async_bench.h"
#include "tests/support/async_device/sites.h"

namespace stagelane::run {
namespace {

using namespace test;
using async_device::Site;
using async_device::SiteKey;

constexpr int kDelayUs = 200;
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

struct Outcome {
  bool wrong = false;   ///< numbers differ from the reference's
  bool race = false;    ///< the detector reported one
  bool failed = false;  ///< an error
  std::string error;
  [[nodiscard]] bool isNoticed() const { return wrong || race || failed; }
};

/// Checks both variants on a pair of devices. Failures of the test's own helpers count as errors.
Outcome checked(const DevicePair& pair, std::uint64_t seed) {
  async_device::setDelays(kDelayUs, seed);
  static_cast<void>(async_device::takeRaces());
  Outcome outcome;
  testing::TestPartResultArray failures;
  {
    using Interceptor = testing::ScopedFakeTestPartResultReporter;
    const Interceptor interceptor(Interceptor::INTERCEPT_ALL_THREADS, &failures);
    try {
      Bench bench(onDevices(experimentText(), pair));
      for (const char* id : {"p", "mp"}) {
        const GradientVerdict verdict = bench.check(id);
        outcome.wrong = outcome.wrong || !verdict.passed || !verdict.result.bitEqual;
      }
    } catch (const std::exception& error) {
      outcome.failed = true;
      outcome.error = error.what();
    }
  }
  outcome.failed = outcome.failed || failures.size() > 0;
  outcome.race = !async_device::takeRaces().empty();
  return outcome;
}

/// All kinds of calls at one place: a query and the wait after it are one wait.
struct Place {
  std::vector<Site> sites;
  std::vector<DevicePair> pairs;  ///< on which it was passed
};
using Places = std::map<decltype(SiteKey::calls), Place>;

/// The places that the checks pass, on each pair.
Places placesOf(std::vector<std::string>& complaints) {
  Places places;
  for (const DevicePair& pair : kPairs) {
    async_device::watchSites(true);
    const Outcome outcome = checked(pair, 1);
    const std::vector<Site> seen = async_device::seenSites();
    async_device::watchSites(false);
    if (outcome.isNoticed()) {
      complaints.push_back(pair.first + " and " + pair.second + ": " + outcome.error);
    }
    for (const Site& site : seen) {
      Place& place = places[site.key.calls];
      const auto known =
          std::find_if(place.sites.begin(), place.sites.end(),
                       [&](const Site& each) { return each.key.kind == site.key.kind; });
      if (known == place.sites.end()) place.sites.push_back(site);
      if (place.pairs.empty() || place.pairs.back() != pair) place.pairs.push_back(pair);
    }
  }
  return places;
}

/// Runs the checks without the calls of a place until something notices.
Outcome withoutPlace(const Place& place) {
  Outcome all;
  for (std::uint64_t seed = 1; seed <= kSeeds && !all.isNoticed(); ++seed) {
    for (const DevicePair& pair : place.pairs) {
      std::vector<SiteKey> keys;
      for (const Site& site : place.sites) keys.push_back(site.key);
      async_device::leaveOutAll(keys);
      const Outcome outcome = checked(pair, seed);
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
    const Outcome outcome = withoutPlace(place);
    const Harmless* const harmless = outcome.isNoticed() ? nullptr : harmlessNamed(name);
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
