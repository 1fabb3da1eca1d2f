/// stagelane-engine on GPUs, from outside: a preset, moved to partitions of a GPU or to two GPUs,
/// trains with its kernels recorded, and its gradients pass.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "engine/record/run_record.h"
#include "profiler/formats/perfetto.h"
#include "tests/integration/engine_process.h"

namespace stagelane {
namespace {

using test::EngineProcess;
using test::TemporaryFolder;

int usableGpus() {
  const TemporaryFolder folder;
  EngineProcess engine({"devices", "--json"}, folder / "devices.json");
  EXPECT_EQ(engine.wait(), 0) << engine.errors();
  const Json list = Json::parse(engine.output(), nullptr, /*allow_exceptions=*/false);
  int count = 0;
  if (!list.is_object()) return count;
  for (const Json& device : list.at("devices")) {
    count += device.at("kind") == "gpu" && device.at("usable") == true ? 1 : 0;
  }
  return count;
}

struct PresetOnDevices {
  std::string name;
  std::string preset;
  std::vector<std::string> devices;
  int gpus = 1;  ///< that the machine needs
};
std::ostream& operator<<(std::ostream& out, const PresetOnDevices& each) {
  return out << each.name;
}

class PresetOnGpus : public testing::TestWithParam<PresetOnDevices> {
 protected:
  void SetUp() override {
    const int usable = usableGpus();
    if (usable < GetParam().gpus) {
      GTEST_SKIP() << "needs " << GetParam().gpus
                   << " usable GPU(s); stagelane-engine devices lists " << usable;
    }
  }
};

/// The preset with the devices in place of its own, and kernels recorded.
std::string experimentOf(const PresetOnDevices& each) {
  Json document = Json::parse(
      test::contentOf(checkout::root() + "/resources/presets/" + each.preset + ".json"));
  document["devices"] = each.devices;
  document["trace"] = "kernels";
  return document.dump();
}

/// Kernels of a stage, by the device's name.
std::map<std::string, int> kernelsOfStages(const trace::Trace& trace) {
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const trace::EventView event = trace.event(i);
    const std::int32_t device = trace.tracks()[event.track].device;
    if (event.category != trace::Category::Kernel || device < 0 || event.stage == StageId{})
      continue;
    ++counts[trace.devices()[static_cast<std::size_t>(device)]];
  }
  return counts;
}

void expectKernelsOn(const record::VariantResult& variant, const std::filesystem::path& file) {
  const auto read = formats::readPerfetto(file);
  ASSERT_TRUE(read) << describe(read.error());
  const std::map<std::string, int> kernels = kernelsOfStages(*read->trace);
  for (const record::DeviceResult& device : variant.devices) {
    if (device.id.rfind("cuda", 0) != 0 || device.busyNs == 0) continue;
    const auto found = kernels.find(device.id);
    EXPECT_TRUE(found != kernels.end()) << variant.id << ": no kernels of stages on " << device.id;
    std::cout << variant.id << ", " << device.id << ": "
              << (found == kernels.end() ? 0 : found->second) << " kernels" << std::endl;
  }
}

void expectTrained(const record::VariantResult& variant, const record::RunFolder& folder) {
  SCOPED_TRACE(variant.id);
  EXPECT_EQ(variant.status, record::RunStatus::Done) << variant.reason;
  EXPECT_GT(variant.stepNs, 0);
  if (variant.gradientCheck) {
    std::cout << variant.id << ": step " << static_cast<double>(variant.stepNs) * 1e-6
              << " ms, largest relative error " << variant.gradientCheck->maxRelError << std::endl;
    EXPECT_TRUE(variant.gradientCheck->isClose()) << variant.gradientCheck->maxRelError;
  }
  ASSERT_TRUE(variant.capture);
  EXPECT_EQ(variant.capture->dropped, 0);
  expectKernelsOn(variant, folder.trace(variant.id));
}

TEST_P(PresetOnGpus, TrainsWithItsKernelsRecorded) {
  const TemporaryFolder place;
  std::ofstream(place / "experiment.json") << experimentOf(GetParam());
  const record::RunFolder folder{place / "run"};
  EngineProcess engine({"run", (place / "experiment.json").string(), "--out", folder.root.string()},
                       place / "out");
  EXPECT_EQ(engine.wait(), 0) << engine.errors();
  for (const Json& line : engine.lines()) {
    if (line.value("event", "") == "warning") std::cout << line.dump() << std::endl;
  }
  const auto result = record::openRun(folder.root);
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_FALSE(result->variants.empty());
  int checked = 0;
  for (const record::VariantResult& variant : result->variants) {
    if (!variant.included) continue;
    expectTrained(variant, folder);
    checked += variant.gradientCheck ? 1 : 0;
  }
  EXPECT_GT(checked, 0) << "no gradient check was made";
}

std::vector<PresetOnDevices> everyPreset() {
  const std::vector<std::string> partitions{"cuda:0/1of2", "cuda:0/2of2"};
  const std::vector<std::string> gpuAndCpu{"cuda:0", "cpu:0"};
  const std::vector<std::string> gpus{"cuda:0", "cuda:1"};
  return {{"ToyOnTwoPartitions", "toy", partitions, 1},
          {"ToyOnAGpuAndACpuWorker", "toy", gpuAndCpu, 1},
          {"TutorialOnTwoPartitions", "tutorial-resnet50-quick", partitions, 1},
          {"TutorialOnTwoGpus", "tutorial-resnet50-quick", gpus, 2}};
}

std::string nameOf(const testing::TestParamInfo<PresetOnDevices>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Gpu, PresetOnGpus, testing::ValuesIn(everyPreset()), nameOf);

}  // namespace
}  // namespace stagelane
