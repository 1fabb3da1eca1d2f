#include "engine/run/device/allocator.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "engine/base/text.h"
#include "engine/run/engine.h"

namespace stagelane::run {
namespace {

constexpr int kOwner = 7;
constexpr int kOther = 8;

class Allocator : public ::testing::Test {
 protected:
  void SetUp() override {
    installAllocator(plan::AllocatorKind::Caching);
    releaseCachedBlocks();
    setAllocationOwner(kOwner);
    resetPeak(kOwner);
    resetPeak(kOther);
    m_before = allocationStats(kOwner);
  }
  void TearDown() override {
    setAllocationLimit(kOwner, 0);
    setCacheLimit(0);
    setAllocationOwner(0);
    installAllocator(plan::AllocatorKind::Caching);
  }
  [[nodiscard]] Bytes live() const { return allocationStats(kOwner).live - m_before.live; }

  AllocationStats m_before;
};

at::Tensor bytes(std::int64_t count) { return at::empty({count}, at::kByte); }

TEST_F(Allocator, AccountsExactlyTheBytesAskedFor) {
  const at::Tensor a = bytes(1000);
  const at::Tensor b = bytes(1);
  EXPECT_EQ(live(), 1001);
  EXPECT_EQ(allocationStats(kOwner).allocations, m_before.allocations + 2);
}

TEST_F(Allocator, AnEmptyTensorCostsNothing) {
  const at::Tensor nothing = bytes(0);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(nothing.numel(), 0);
}

TEST_F(Allocator, DataIsAlignedTo64BytesForEverySize) {
  for (std::int64_t size = 1; size < 5000; size += 7) {
    const at::Tensor tensor = bytes(size);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) % 64, 0U) << size;
  }
}

TEST_F(Allocator, KeepsThePeakUntilItIsReset) {
  { const at::Tensor large = bytes(1 << 20); }
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(allocationStats(kOwner).peak - m_before.live, 1 << 20);
  resetPeak(kOwner);
  EXPECT_EQ(allocationStats(kOwner).peak, m_before.live);
}

TEST_F(Allocator, ReusesAFreedBlockOfTheSameSize) {
  void* first = nullptr;
  {
    const at::Tensor tensor = bytes(100000);
    first = tensor.data_ptr();
  }
  EXPECT_EQ(bytes(100000).data_ptr(), first);
}

TEST_F(Allocator, CountsWhatItKeeps) {
  const Bytes before = cachedBytes();
  { const at::Tensor tensor = bytes(100000); }
  EXPECT_GE(cachedBytes() - before, 100000);
  EXPECT_LE(cachedBytes() - before, 125000 + 64);
  const Bytes fetched = fetchedBytes();
  const at::Tensor again = bytes(100000);
  EXPECT_EQ(cachedBytes(), before);
  EXPECT_EQ(fetchedBytes(), fetched);
  releaseCachedBlocks();
  EXPECT_EQ(cachedBytes(), 0);
}

TEST_F(Allocator, BeyondTheBoundWhatEarlierTurnsLeftGoesBackFirst) {
  beginAllocationTurn();
  { const at::Tensor left = bytes(1 << 20); }
  beginAllocationTurn();
  { const at::Tensor used = bytes(1 << 19); }
  const Bytes kept = cachedBytes();
  setCacheLimit(liveAndCachedBytes() + (1 << 16));
  const at::Tensor more = bytes(1 << 18);
  // The megabyte of the turn before has gone; the half of this turn has stayed.
  EXPECT_LT(cachedBytes(), kept - (1 << 20));
  EXPECT_GE(cachedBytes(), 1 << 19);
}

TEST_F(Allocator, BeyondTheBoundEverythingCachedGoesBackAtLast) {
  beginAllocationTurn();
  { const at::Tensor used = bytes(1 << 20); }
  setCacheLimit(liveAndCachedBytes() - (1 << 20));
  const at::Tensor more = bytes(1 << 18);
  EXPECT_EQ(cachedBytes(), 0);
}

TEST_F(Allocator, WithinTheBoundNothingGoesBack) {
  { const at::Tensor used = bytes(1 << 20); }
  const Bytes kept = cachedBytes();
  setCacheLimit(liveAndCachedBytes() + (1 << 22));
  const at::Tensor more = bytes(1 << 18);
  EXPECT_EQ(cachedBytes(), kept);
}

TEST_F(Allocator, ABlockFreedByAnotherThreadReturnsToItsOwner) {
  at::Tensor tensor = bytes(300000);
  void* const data = tensor.data_ptr();
  std::thread([moved = std::move(tensor)]() mutable {
    setAllocationOwner(kOther);
    moved.reset();
    // The other owner has no block of that size: its own allocation is a new one.
    EXPECT_EQ(allocationStats(kOther).live, 0);
  }).join();
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(bytes(300000).data_ptr(), data);
}

TEST_F(Allocator, TheSystemKindAccountsButDoesNotKeepBlocks) {
  installAllocator(plan::AllocatorKind::System);
  { const at::Tensor cachedByNobody = bytes(5000); }
  const at::Tensor tensor = bytes(777);
  EXPECT_EQ(live(), 777);
}

TEST_F(Allocator, BlocksOfOneKindMayBeFreedAfterTheKindChanged) {
  at::Tensor cached = bytes(4000);
  installAllocator(plan::AllocatorKind::System);
  at::Tensor plain = bytes(4000);
  installAllocator(plan::AllocatorKind::Caching);
  plain.reset();
  cached.reset();
  EXPECT_EQ(live(), 0);
}

TEST_F(Allocator, BeyondTheLimitItThrowsAndSaysWhatItNeedsAndHas) {
  setAllocationLimit(kOwner, m_before.live + (1 << 20));
  const at::Tensor fits = bytes(1 << 19);
  try {
    const at::Tensor tooBig = bytes((1 << 19) + 1);
    FAIL() << "the limit was passed";
  } catch (const c10::OutOfMemoryError& error) {
    const std::string message = error.what_without_backtrace();
    EXPECT_NE(message.find("needs " + humanBytes(1 + (1 << 19)) + " more"), std::string::npos)
        << message;
    EXPECT_NE(message.find("has " + humanBytes(1 << 19) + " left of "), std::string::npos)
        << message;
  }
  EXPECT_EQ(live(), 1 << 19) << "a refused allocation is not accounted";
  const at::Tensor rest = bytes(1 << 19);
  EXPECT_EQ(live(), 1 << 20) << "exactly the limit fits";
}

TEST_F(Allocator, AnotherOwnersLimitDoesNotMatter) {
  setAllocationLimit(kOther, 1);
  EXPECT_NO_THROW(bytes(1 << 20));
  setAllocationLimit(kOther, 0);
}

TEST_F(Allocator, ConvolutionsOfOneDnnWorkWithItsBlocks) {
  const at::Tensor input = at::ones({2, 16, 20, 20});
  const at::Tensor weight = at::ones({32, 16, 3, 3});
  const at::Tensor output = at::conv2d(input, weight);
  EXPECT_FLOAT_EQ(output.min().item<float>(), 144.0F);
  EXPECT_FLOAT_EQ(output.max().item<float>(), 144.0F);
}

TEST_F(Allocator, ManyThreadsNeverGetTheSameBlockAndTheBooksBalance) {
  constexpr int kThreads = 4;
  std::vector<std::thread> threads;
  std::atomic<int> clashes{0};
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t, &clashes] {
      setAllocationOwner(kOwner);
      std::mt19937 random(static_cast<unsigned>(t));
      std::vector<at::Tensor> held;
      for (int i = 0; i < 3000; ++i) {
        at::Tensor tensor = bytes(1 + static_cast<std::int64_t>(random() % 20000));
        tensor.fill_(t);
        held.push_back(std::move(tensor));
        if (held.size() > 16) {
          const std::size_t victim = random() % held.size();
          const at::Tensor& dying = held[victim];
          const auto* data = dying.const_data_ptr<std::uint8_t>();
          clashes += data[0] != t || data[dying.numel() - 1] != t;
          held.erase(held.begin() + static_cast<std::ptrdiff_t>(victim));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(clashes, 0);
  EXPECT_EQ(live(), 0);
}

}  // namespace
}  // namespace stagelane::run
