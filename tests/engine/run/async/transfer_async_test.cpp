// Transfers of asynchronous devices: what a copy from the host waits for, and copies between GPUs
// that write wrong data.

#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>

#include "engine/run/device/worker.h"
#include "tests/engine/run/async/async_bench.h"
#include "tests/support/async_device/faults.h"

namespace stagelane::run {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AsyncTransfer : public ::testing::Test {
 protected:
  void TearDown() override { async_device::reset(); }

  static std::unique_ptr<Worker> worker(const std::string& id) {
    return std::make_unique<Worker>(id, valueOf(makeBackend(DeviceId{id}, {})));
  }
  static void on(Worker& worker, std::function<void()> body) {
    const Status status = worker
                              .submit([body = std::move(body)]() -> Status {
                                body();
                                return {};
                              })
                              .get();
    EXPECT_TRUE(status) << describe(status.error());
  }
};

/// While the compute stream is stuck, the copy is made and the receiver's thread does not block.
TEST_F(AsyncTransfer, FromTheHostDoesNotWaitForTheComputeStream) {
  const auto from = worker("cpu:0");
  const auto to = worker("cuda:0");
  const at::Tensor value = at::rand({256, 257});
  Parcel parcel;
  std::shared_ptr<Marker> sendersArrival;
  on(*from, [&] {
    parcel = from->backend().send(value, to->backend());
    sendersArrival = parcel.arrived;
  });
  async_device::stallComputeTask(0, 1);
  at::Tensor received;
  on(*to, [&] {
    static_cast<void>(at::ones({4}, at::TensorOptions(to->backend().torchDevice())));
    received = to->backend().receive(parcel, {});
  });
  EXPECT_TRUE(async_device::isStalled(0));
  EXPECT_TRUE(parcel.arrived->wait({})) << "on a stream of its own";
  EXPECT_TRUE(async_device::isStalled(0));
  async_device::release(0);
  to->backend().synchronize();
  EXPECT_TRUE(at::equal(received.to(at::kCPU), value));
  EXPECT_GT(parcel.arrived->timeNs(), parcel.sendStart->timeNs());
  EXPECT_EQ(parcel.arrived->timeNs(), sendersArrival->timeNs());
  EXPECT_THAT(async_device::takeRaces(), IsEmpty());
}

TEST_F(AsyncTransfer, BrokenPeerCopiesGoThroughTheHost) {
  async_device::setDelays(200, 1);
  async_device::corruptPeerCopies(true);
  const auto from = worker("cuda:0");
  const auto to = worker("cuda:1");
  EXPECT_THAT(from->backend().prepareTransfer(to->backend(), {}).value_or("stopped"),
              HasSubstr("copies from cuda:0 to cuda:1 corrupt the data"));
  const at::Tensor value = at::rand({64, 65});
  Parcel parcel;
  at::Tensor sum;
  on(*from, [&] {
    const at::Tensor sent = value.to(from->backend().torchDevice()).mul(2);
    parcel = from->backend().send(sent, to->backend());
  });
  on(*to, [&] { sum = to->backend().receive(parcel, {}).add(1); });
  from->backend().synchronize();
  to->backend().synchronize();
  EXPECT_TRUE(at::equal(sum.to(at::kCPU), value.mul(2).add(1)));
  EXPECT_THAT(async_device::takeRaces(), IsEmpty());
}

TEST_F(AsyncTransfer, PeerCopiesThatWorkAreLeftAsTheyAre) {
  const auto from = worker("cuda:0");
  const auto to = worker("cuda:1");
  EXPECT_EQ(from->backend().prepareTransfer(to->backend(), {}).value_or("stopped"), "");
}

}  // namespace
}  // namespace stagelane::run
