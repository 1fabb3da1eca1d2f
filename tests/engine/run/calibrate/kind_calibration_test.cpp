#include "engine/run/calibrate/kind_calibration.h"

#include <gmock/gmock.h>

#include <atomic>
#include <memory>

#include "engine/model/shapes.h"
#include "engine/run/device/cpu_backend.h"
#include "tests/engine/run/run_fixture.h"
#include "tests/engine/run/wrapped_backend.h"

namespace stagelane::run {
namespace {

using namespace test;
using testing::Contains;
using testing::Each;
using testing::Lt;

/// A CPU worker with a memory of its own, as a GPU has.
class SmallDevice final : public WrappedBackend {
 public:
  struct Memory {
    Bytes says = 0;  ///< what it says it has, 0 for unknown
    Bytes has = 0;   ///< 0 for no limit
  };
  SmallDevice(const Memory& memory, std::atomic<int>& releases)
      : WrappedBackend(cpuWorker()), m_memory(memory), m_releases(releases) {
    inner().setMemoryLimit(m_memory.has);
  }
  ~SmallDevice() override { inner().setMemoryLimit(0); }
  SmallDevice(const SmallDevice&) = delete;
  SmallDevice& operator=(const SmallDevice&) = delete;

  [[nodiscard]] Bytes memoryBytes() const override { return m_memory.says; }
  void releaseCache() override { ++m_releases; }
  /// A budget can be lifted, the size of a memory cannot.
  void setMemoryLimit(Bytes /*limit*/) override {}

 private:
  static std::unique_ptr<Backend> cpuWorker() {
    BackendOptions options;
    options.owner = 1;
    return valueOf(makeCpuBackend(options));
  }

  Memory m_memory;
  std::atomic<int>& m_releases;
};

constexpr std::int64_t kFew = 16;
constexpr std::int64_t kMany = 256;

/// The boundary between the layers has 2 KiB a sample, everything else little.
plan::Experiment wide() {
  return experimentOf(R"({"stagelane":1,"name":"w","model":{"layers":[
      {"kind":"Linear","in_features":10,"out_features":512},{"kind":"ReLU"},
      {"kind":"Linear","in_features":512,"out_features":4}]},
    "input":{"shape":[10]},"data":{"labels":"normal","batch_size":256},"devices":["cpu:0"],
    "variants":[{"name":"s","strategy":"single","device":"cpu:0"}]})");
}

Bytes needs(const plan::Experiment& experiment, std::int64_t samples) {
  return model::memoryNeed(*valueOf(experiment.shapesAt(samples)), {0, 1, 2}, 2, 0).total();
}

KindSamples calibratedOn(const SmallDevice::Memory& memory, std::atomic<int>& releases) {
  const plan::Experiment experiment = wide();
  const CalibrationPorts ports{};
  SharedCalibration shared{ports, drawInitialValues(*experiment.model, 0, at::kFloat),
                           SyntheticData(experiment, at::kFloat).next(), 0, 0};
  Worker worker("cpu:0", std::make_unique<SmallDevice>(memory, releases));
  WorkerKind kind;
  kind.device = DeviceId{"cpu:0"};
  kind.samples = {kFew, kMany};
  kind.occurring = {kFew, kMany};
  kind.typical = kFew;
  return valueOf(KindCalibration(experiment, shared, {&worker}).run(kind, 0.3));
}

TEST(KindCalibration, LeavesOutSizesThatWouldFillTheDevicesMemoryMoreThanHalf) {
  const plan::Experiment experiment = wide();
  std::atomic<int> releases{0};
  const KindSamples some =
      calibratedOn({needs(experiment, kFew) + needs(experiment, kMany), 0}, releases);
  EXPECT_THAT(some.kind.samples, Each(Lt(kMany)));
  EXPECT_THAT(some.kind.samples, Contains(kFew));
  const KindSamples all = calibratedOn({2 * needs(experiment, kMany) + 2, 0}, releases);
  EXPECT_THAT(all.kind.samples, Contains(kMany));
}

TEST(KindCalibration, ReleasesTheDevicesCacheWhenASizeDoesNotFitAndMeasuresTheOthers) {
  installAllocator(plan::AllocatorKind::Caching);
  std::atomic<int> atTheEnd{0};
  EXPECT_EQ(calibratedOn({}, atTheEnd).passes.count(kMany), 1U);
  std::atomic<int> releases{0};
  const KindSamples samples = calibratedOn({0, Bytes{1} << 20}, releases);
  EXPECT_EQ(releases, atTheEnd + 1);
  EXPECT_EQ(samples.bytes.count(kFew), 1U);
  EXPECT_EQ(samples.bytes.count(kMany), 0U);
  EXPECT_EQ(samples.passes.count(kFew), 1U);
  EXPECT_EQ(samples.passes.count(kMany), 0U);
}

}  // namespace
}  // namespace stagelane::run
