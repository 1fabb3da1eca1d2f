// Partitions whose streams refuse the GPU's events: transfers are exact and ordered without a mark
// of memory on the compute stream.

#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>

#include "engine/run/device/device_event.h"
#include "engine/run/device/worker.h"
#include "tests/engine/run/async/async_bench.h"
#include "tests/engine/run/async/own_events_platform.h"

namespace stagelane::run {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OwnEvents : public ::testing::TestWithParam<DevicePair> {
 protected:
  void SetUp() override {
    m_before = setGpuPlatform(std::make_unique<OwnEventsPlatform>());
    async_device::setDelays(300, 1);
    static_cast<void>(async_device::takeRaces());
  }
  void TearDown() override {
    async_device::reset();
    setGpuPlatform(std::move(m_before));
  }

  std::unique_ptr<GpuPlatform> m_before;
};

std::unique_ptr<Worker> worker(const std::string& id, int owner) {
  BackendOptions options;
  options.owner = owner;
  auto backend = makeBackend(DeviceId{id}, options);
  EXPECT_TRUE(backend) << describe(backend.error());
  return std::make_unique<Worker>(id, std::move(*backend));
}

void onWorker(Worker& on, const std::function<void()>& body) {
  const Status status = on.submit([&body]() -> Status {
                            body();
                            return {};
                          }).get();
  EXPECT_TRUE(status) << describe(status.error());
}

/// A partition's remark says which events it uses. Several tensors in turn, each freed at once by
/// its sender and used by its receiver.
TEST_P(OwnEvents, TensorsArriveExactAndOrdered) {
  const auto from = worker(GetParam().first, 1);
  const auto to = worker(GetParam().second, 2);
  for (const auto& each : {from.get(), to.get()}) {
    if (each->name().find('/') == std::string::npos) continue;
    EXPECT_THAT(each->backend().remark(), HasSubstr("partition's own context"));
  }
  for (int i = 0; i < 10; ++i) {
    const at::Tensor value = at::randn({64, 65});
    Parcel parcel;
    at::Tensor sum;
    onWorker(*from, [&] {
      const at::Tensor sent = value.to(from->backend().torchDevice()).mul(2);
      parcel = from->backend().send(sent, to->backend());
    });
    onWorker(*from, [&] { static_cast<void>(value.to(from->backend().torchDevice()).mul(3)); });
    onWorker(*to, [&] { sum = to->backend().receive(parcel, {}).add(1); });
    from->backend().synchronize();
    to->backend().synchronize();
    EXPECT_TRUE(at::equal(sum.to(at::kCPU), value.mul(2).add(1)));
    EXPECT_LE(parcel.sendStart->timeNs(), parcel.arrived->timeNs());
  }
  EXPECT_THAT(async_device::takeRaces(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Partitions, OwnEvents,
                         ::testing::Values(DevicePair{"cuda:0/1of2", "cuda:0/2of2"},
                                           DevicePair{"cuda:0/1of2", "cuda:1/1of2"},
                                           DevicePair{"cuda:0/1of2", "cuda:1"},
                                           DevicePair{"cuda:1", "cuda:0/1of2"},
                                           DevicePair{"cuda:0/1of2", "cpu:0"},
                                           DevicePair{"cpu:0", "cuda:0/1of2"}));

/// A pipeline with whole and with divided backwards.
TEST_P(OwnEvents, GradientsHaveTheCpusBits) {
  for (const std::string schedule : {"1f1b", "zb-h1"}) {
    Bench bench(onDevices(R"({"stagelane":1,"name":"a","model":{"layers":[
        {"kind":"Conv2d","name":"c1","in_channels":3,"out_channels":8,"kernel_size":3,"padding":1},
        {"kind":"ReLU","name":"r1"},
        {"kind":"Conv2d","name":"c2","in_channels":8,"out_channels":8,"kernel_size":3,"padding":1},
        {"kind":"ReLU","name":"r2"},{"kind":"Flatten","name":"f"},
        {"kind":"Linear","name":"l","in_features":512,"out_features":10}]},
      "input":{"shape":[3,8,8]},"data":{"batch_size":8,"labels":"class"},"loss":"cross_entropy",
      "devices":["cpu:0","cpu:1"],"variants":[{"name":"p","strategy":"pipeline","split_size":2,
      "schedule":")" + schedule +
                              R"(","stages":[{"first":"c1","device":"cpu:0"},
                                           {"first":"c2","device":"cpu:1"}]}]})",
                          GetParam()));
    expectOrdered(bench, "p", schedule);
  }
}

}  // namespace
}  // namespace stagelane::run
