#include "engine/run/device/gpu_platform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/run/device/backend.h"
#include "tests/engine/run/device/fake_platform.h"

namespace stagelane::run {
namespace {

using ::testing::HasSubstr;

class Platform : public ::testing::Test {
 protected:
  void SetUp() override {
    auto fake = std::make_unique<FakePlatform>();
    m_fake = fake.get();
    m_before = setGpuPlatform(std::move(fake));
  }
  void TearDown() override { setGpuPlatform(std::move(m_before)); }

  FakePlatform* m_fake = nullptr;
  std::unique_ptr<GpuPlatform> m_before;
};

Error errorOf(const std::string& id) {
  const auto backend = makeBackend(DeviceId{id}, BackendOptions{});
  EXPECT_FALSE(backend);
  return backend ? Error{} : backend.error();
}

TEST_F(Platform, ItsDevicesAreListedBeforeTheCpuWorkers) {
  const auto devices = listDevices();
  ASSERT_TRUE(devices);
  ASSERT_GE(devices->size(), 3U);
  EXPECT_EQ(devices->at(0).name, "good");
  EXPECT_FALSE(devices->at(1).usable);
  EXPECT_EQ(devices->at(2).id, "cpu:0");
  EXPECT_EQ(machineDevices().gpus, 2);
  EXPECT_EQ(environmentJson().at("cuda").at("runtime"), "fake");
}

TEST_F(Platform, AnUnusableDeviceIsMissingWithTheReason) {
  const Error error = errorOf("cuda:1");
  EXPECT_EQ(error.code, ErrorCode::DeviceMissing);
  EXPECT_THAT(error.message, HasSubstr(FakePlatform::kReason));
}

TEST_F(Platform, ADeviceBeyondItsCountIsMissing) {
  EXPECT_THAT(errorOf("cuda:2").message, HasSubstr("has 2 GPU(s)"));
}

TEST_F(Platform, WithoutAUsableDeviceEveryOneIsMissingWithTheReason) {
  m_fake->none = "no driver";
  EXPECT_THAT(errorOf("cuda:0").message, HasSubstr("no driver"));
  EXPECT_EQ(machineDevices().gpus, 0);
  EXPECT_EQ(listDevices()->at(0).name, "good") << "what it sees is listed all the same";
}

TEST_F(Platform, WithoutAPlatformTheEngineHasNoGpus) {
  const auto fake = setGpuPlatform(nullptr);
  EXPECT_EQ(errorOf("cuda:0").code, ErrorCode::DeviceMissing);
  EXPECT_EQ(machineDevices().gpus, 0);
  EXPECT_TRUE(environmentJson().at("cuda").is_null());
}

}  // namespace
}  // namespace stagelane::run
