#include "engine/run/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/run/device/host.h"

namespace stagelane::run {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class FakeMachine : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    m_root = fs::temp_directory_path() /
             ("stagelane-devices-" + std::to_string(getpid()) + test->name());
    fs::create_directories(m_root);
  }
  void TearDown() override { fs::remove_all(m_root); }

  void addPci(const std::string& address, const std::string& vendor, const std::string& kind) {
    fs::create_directories(m_root / address);
    std::ofstream(m_root / address / "vendor") << vendor << "\n";
    std::ofstream(m_root / address / "class") << kind << "\n";
  }

  fs::path m_root;
};

TEST_F(FakeMachine, OnlyNvidiaDisplayAndComputeControllersAreGpus) {
  addPci("0000:3b:00.0", "0x10de", "0x030200");
  addPci("0000:01:00.0", "0x10de", "0x030000");
  addPci("0000:01:00.1", "0x10de", "0x040300");  // its audio function
  addPci("0000:00:02.0", "0x8086", "0x030000");
  EXPECT_EQ(nvidiaPciDevices(m_root), (std::vector<std::string>{"0000:01:00.0", "0000:3b:00.0"}));
}

TEST_F(FakeMachine, AMachineWithoutAPciBusHasNoGpu) {
  EXPECT_TRUE(nvidiaPciDevices(m_root / "absent").empty());
}

TEST_F(FakeMachine, TheCpusNameComesFromCpuinfo) {
  std::ofstream(m_root / "cpuinfo") << "processor\t: 0\nmodel name\t: Some CPU @ 2.00GHz\n";
  EXPECT_EQ(cpuName(m_root / "cpuinfo"), "Some CPU @ 2.00GHz");
  std::ofstream(m_root / "silent") << "processor\t: 0\nmodel name\t:\n";
  EXPECT_EQ(cpuName(m_root / "silent"), "CPU");
  EXPECT_EQ(cpuName(m_root / "absent"), "CPU");
}

TEST(Devices, ThereIsACpuWorkerForEveryAllowedCore) {
  const auto devices = listDevices();
  ASSERT_TRUE(devices) << describe(devices.error());
  cpu_set_t set;
  ASSERT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  int workers = 0;
  for (const DeviceInfo& device : *devices) {
    if (device.kind == "cpu") {
      EXPECT_EQ(device.id, "cpu:" + std::to_string(workers));
      EXPECT_TRUE(device.usable);
      EXPECT_GT(device.memory, 0);
      EXPECT_THAT(device.name, HasSubstr(", 1 core"));
      ++workers;
    }
  }
  EXPECT_EQ(workers, CPU_COUNT(&set));
}

TEST(Devices, AnUnusableGpuSaysWhy) {
  const auto devices = listDevices();
  ASSERT_TRUE(devices);
  int usable = 0;
  for (const DeviceInfo& device : *devices) {
    if (device.kind == "gpu") {
      usable += device.usable ? 1 : 0;
      EXPECT_NE(device.usable, !device.reason.empty()) << device.id;
    }
  }
  EXPECT_LE(usable, machineDevices().gpus) << "which counts the numbers of GPUs";
}

TEST(Environment, NamesWhatNumbersDependOn) {
  const Json environment = environmentJson();
  EXPECT_THAT(environment.at("torch").get<std::string>(), HasSubstr("2.11.0"));
  for (const char* key : {"stagelane", "git_revision", "compiler", "mkl", "onednn", "openmp",
                          "cpu_capability", "cpu", "system"}) {
    ASSERT_TRUE(environment.contains(key)) << key;
    EXPECT_FALSE(environment.at(key).get<std::string>().empty()) << key;
  }
  EXPECT_GE(environment.at("cores_allowed").get<int>(), 1);
  EXPECT_FALSE(environment.at("devices").empty());
}

}  // namespace
}  // namespace stagelane::run
