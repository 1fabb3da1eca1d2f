// Device memory: reused and spoiled at once, held back by record_stream, limited.

#include <ATen/ops/empty.h>

#include "tests/async_device/async_fixture.h"

namespace stagelane::async_device::test {
namespace {

using c10::CachingAllocator::StatType;

c10::CachingDeviceAllocator::DeviceStats stats(int index = 0) {
  return c10::getDeviceAllocator(at::kPrivateUse1)
      ->getDeviceStats(static_cast<c10::DeviceIndex>(index));
}
std::int64_t allocated() {
  return stats().allocated_bytes[static_cast<std::size_t>(StatType::AGGREGATE)].current;
}
std::int64_t active() {
  return stats().active_bytes[static_cast<std::size_t>(StatType::AGGREGATE)].current;
}
std::int64_t peak() {
  return stats().allocated_bytes[static_cast<std::size_t>(StatType::AGGREGATE)].peak;
}
at::Tensor bytesOn(int index, std::int64_t bytes) {
  return at::empty({bytes}, at::TensorOptions(at::kByte).device(device(index)));
}

/// Another stream reads a tensor that the host frees before the read.
struct EarlyFree {
  explicit EarlyFree(bool recorded) {
    at::Tensor x = filled(1);
    stallOperator(0, "aten::neg");
    {
      const c10::StreamGuard onStream(reader);
      seen = x.neg();
    }
    if (recorded) x.record_stream(reader);
    waitUntilStalled();
    x.reset();
    guard().synchronizeStream(guard().getStream(device()));
    activeWhileHeld = active();
    allocatedWhileHeld = allocated();
    release(0);
    reader.synchronize();
  }
  c10::Stream reader = newStream();
  at::Tensor seen;
  std::int64_t activeWhileHeld = 0;
  std::int64_t allocatedWhileHeld = 0;
};

TEST_F(AsyncDevice, MemoryThatIsFreedWhileAnotherStreamReadsItIsSpoiled) {
  const EarlyFree free(false);
  EXPECT_TRUE(free.seen.isnan().all().item<bool>());
  const std::vector<std::string> races = takeRaces();
  ASSERT_FALSE(races.empty());
  EXPECT_THAT(races.front(), HasSubstr("reuse of freed memory"));
  EXPECT_THAT(races.front(), HasSubstr("is not ordered after aten::neg"));
  EXPECT_EQ(free.activeWhileHeld, free.allocatedWhileHeld);
}

TEST_F(AsyncDevice, RecordStreamHoldsMemoryBack) {
  const EarlyFree free(true);
  EXPECT_EQ(free.seen.sum().item<double>(), -1000.0);
  EXPECT_THAT(takeRaces(), IsEmpty());
  EXPECT_EQ(free.activeWhileHeld, free.allocatedWhileHeld + 4096);
}

TEST_F(AsyncDevice, AUseOnAStreamThatWasNotRecordedIsStillARace) {
  at::Tensor x = filled(1);
  const c10::Stream first = newStream();
  const c10::Stream second = newStream();
  at::Tensor seen;
  for (const c10::Stream& stream : {first, second}) {
    const c10::StreamGuard onStream(stream);
    seen = x.neg();
  }
  x.record_stream(first);
  x.reset();
  first.synchronize();
  // The next allocation looks which blocks are no longer held back.
  static_cast<void>(bytesOn(0, 1));
  EXPECT_THAT(takeRaces(), Not(IsEmpty()));
}

TEST_F(AsyncDevice, AFreedBlockIsHandedOutFirst) {
  at::Tensor x = bytesOn(0, 3000);
  const void* const data = x.const_data_ptr();
  x.reset();
  const at::Tensor y = bytesOn(0, 2500);
  EXPECT_EQ(y.const_data_ptr(), data);
  EXPECT_EQ(y.to(at::kCPU).sum().item<std::int64_t>(), 2500 * 0xff) << "and is spoiled";
}

TEST_F(AsyncDevice, CountsBytesAndPeaks) {
  const std::int64_t before = allocated();
  at::Tensor x = bytesOn(0, 1000);
  EXPECT_EQ(allocated(), before + 1024) << "in units of 512 bytes";
  x.reset();
  EXPECT_EQ(allocated(), before);
  EXPECT_GE(peak(), before + 1024);
  c10::getDeviceAllocator(at::kPrivateUse1)->resetPeakStats(0);
  EXPECT_EQ(peak(), before);
  const auto [free, total] = c10::getDeviceAllocator(at::kPrivateUse1)->getMemoryInfo(0);
  EXPECT_EQ(total, kDeviceBytes);
  EXPECT_EQ(free + static_cast<std::size_t>(active()), total);
}

TEST_F(AsyncDevice, BeyondItsLimitADeviceIsOutOfMemory) {
  const std::int64_t ooms = stats(1).num_ooms;
  setMemoryLimit(1, std::size_t{1} << 20U);
  const at::Tensor fits = bytesOn(1, 1 << 19);
  EXPECT_THROW(bytesOn(1, 1 << 20), c10::OutOfMemoryError);
  EXPECT_EQ(stats(1).num_ooms, ooms + 1);
  EXPECT_NO_THROW(bytesOn(0, 1 << 20)) << "the limit is that of one device";
  setMemoryLimit(1, 0);
  EXPECT_NO_THROW(bytesOn(1, 1 << 20));
  EXPECT_THROW(bytesOn(1, static_cast<std::int64_t>(kDeviceBytes) + 1), c10::OutOfMemoryError);
}

TEST_F(AsyncDevice, NearItsLimitItWaitsForMemoryThatIsHeldBack) {
  const std::int64_t retries = stats(1).num_alloc_retries;
  setMemoryLimit(1, std::size_t{1} << 20U);
  const c10::Stream reader = newStream(1);
  at::Tensor x = bytesOn(1, 1 << 20);
  x.record_stream(reader);
  const at::Tensor other = at::full({1}, 1.0, at::TensorOptions(device(2)));
  stallOperator(2, "aten::neg");
  static_cast<void>(other.neg());
  c10::Event held = newEvent();
  held.record(guard().getStream(device(2)));
  reader.wait(held);
  x.reset();
  std::thread later([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    release(2);
  });
  EXPECT_NO_THROW(bytesOn(1, 1 << 20));
  later.join();
  EXPECT_EQ(stats(1).num_alloc_retries, retries + 1);
}

TEST_F(AsyncDevice, EmptyCacheReturnsWhatIsFree) {
  static_cast<void>(bytesOn(0, 1 << 22));
  const auto reserved = [] {
    return stats().reserved_bytes[static_cast<std::size_t>(StatType::AGGREGATE)].current;
  };
  const std::int64_t before = reserved();
  c10::getDeviceAllocator(at::kPrivateUse1)->emptyCache();
  EXPECT_LE(reserved(), before - (1 << 22));
  EXPECT_EQ(filled(2).sum().item<double>(), 2000.0);
}

}  // namespace
}  // namespace stagelane::async_device::test
